package event

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verge/domains"
	"verge/domains/prompt"
)

// fill gives every field of v a value that is not its zero value.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString("<|é|> \\ufffd \uFFFD " + string(rune('a'+*n%26)))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint64:
		v.SetUint(math.MaxUint64 - uint64(*n))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(*n) / 7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), n)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, n)
		fill(value, n)
		v.SetMapIndex(key, value)
	default:
		panic("fill: " + v.Kind().String())
	}
}

func TestEveryEventRoundTrips(t *testing.T) {
	for name, k := range kinds {
		v := reflect.New(k.typ).Elem()
		n := 0
		fill(v, &n)
		for _, e := range []Event{v.Interface().(Event), reflect.Zero(k.typ).Interface().(Event)} {
			got, payload, err := Encode(e)
			if err != nil || got != name {
				t.Fatalf("Encode(%#v) = %q, error %v", e, got, err)
			}
			if !json.Valid(payload) || strings.ContainsAny(string(payload), "\n") {
				t.Errorf("%s: payload is not one line of JSON: %s", name, payload)
			}
			back, err := Decode(name, payload)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(e, back); diff != "" {
				t.Errorf("%s does not come back (-want +got):\n%s", name, diff)
			}
		}
	}
}

// An event type that is declared but missing from the table could be emitted and not be stored.
func TestTableHasEveryEventType(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "Name" {
			declared = append(declared, f.Recv.List[0].Type.(*ast.Ident).Name)
		}
	}
	var listed []string
	for name, k := range kinds {
		if name != k.typ.Name() {
			t.Errorf("%s names itself %q", k.typ.Name(), name)
		}
		listed = append(listed, name)
	}
	slices.Sort(declared)
	slices.Sort(listed)
	if len(declared) == 0 || !slices.Equal(declared, listed) {
		t.Errorf("declared %q\nlisted   %q", declared, listed)
	}
}

func TestEncodeNamesTheFieldItRefuses(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		event Event
		want  string
	}{
		{PolicyUpdated{Reward: math.NaN()}, "PolicyUpdated.reward = NaN"},
		{ProbeScored{Logit: -inf}, "ProbeScored.logit = -Inf"},
		{ProbeTrained{Quality: ProbeQuality{ECE: &inf}}, "ProbeTrained.quality.ece = +Inf"},
		{ProbeTrained{Deciles: []Decile{{}, {High: math.NaN()}}}, "ProbeTrained.deciles[1].high = NaN"},
		{TaskValidated{Task: domains.Task{Features: map[string]float64{"depth": inf}}}, `TaskValidated.task.features["depth"] = +Inf`},
		{Warned{Text: "caf\xe9"}, `Warned.text = "caf\xe9": not UTF-8`},
		{TaskProposed{Episode: domains.Episode{Turns: []domains.Turn{{Prompt: prompt.Prompt{prompt.Text("\xff")}}}}},
			`TaskProposed.episode.turns[0].prompt[0].text = "\xff"`},
		{&Warned{}, "*event.Warned"},
	}
	for _, test := range tests {
		_, _, err := Encode(test.event)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Encode(%T): error %v, want it to say %s", test.event, err, test.want)
		}
	}
}

func TestUndefinedFiguresAreNull(t *testing.T) {
	_, payload, err := Encode(ProbeTrained{})
	if err != nil || !strings.Contains(string(payload), `"auroc":null`) {
		t.Errorf("payload %s, error %v: want auroc null", payload, err)
	}
}

func TestDecodeRefusesWhatIsNoEvent(t *testing.T) {
	for _, test := range []struct{ name, payload, want string }{
		{"TaskDreamt", `{}`, `"TaskDreamt"`},
		{"Warned", `{"text":`, "Warned"},
		{"Measured", `{"steps":"ten"}`, "Measured"},
	} {
		if _, err := Decode(test.name, []byte(test.payload)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Decode(%q, %s): error %v, want it to name %s", test.name, test.payload, err, test.want)
		}
	}
}
