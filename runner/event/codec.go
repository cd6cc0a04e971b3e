package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"unicode/utf8"
)

// kind is how events of one type are recognised and read back.
type kind struct {
	typ    reflect.Type
	decode func(payload []byte) (Event, error)
}

// kinds is the one table of event types, by name.
var kinds = table(
	of[RunStarted](), of[StageStarted](), of[TaskProposed](), of[TaskValidated](), of[AttemptGraded](), of[ProbeTrained](),
	of[ProbeScored](), of[PolicyUpdated](), of[Measured](), of[Evaluated](), of[DiversityMeasured](), of[WeaknessUpdated](), of[PolicyKept](), of[ProbeMonitored](), of[Warned](), of[RunEnded](),
	of[OracleAnswered](), of[ContextUpdated](), of[BackendNoticed](),
)

func of[E Event]() kind {
	return kind{
		typ: reflect.TypeFor[E](),
		decode: func(payload []byte) (Event, error) {
			var e E
			err := json.Unmarshal(payload, &e)
			return e, err
		},
	}
}

func table(list ...kind) map[string]kind {
	m := make(map[string]kind, len(list))
	for _, k := range list {
		m[reflect.Zero(k.typ).Interface().(Event).Name()] = k
	}
	return m
}

// Encode writes an event as its name and a JSON object.
//
// What JSON cannot hold is refused with an error that names the field, rather than changed in silence: a number that is
// not finite (a figure that may be undefined is a pointer, nil when it is), and text that is not UTF-8.
func Encode(e Event) (name string, payload []byte, err error) {
	name = e.Name()
	k, ok := kinds[name]
	if !ok || reflect.TypeOf(e) != k.typ {
		return "", nil, fmt.Errorf("event: encode %T: no event type of this package; events are passed by value", e)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // statements are full of < and >
	if err = enc.Encode(e); err != nil {
		if field := unencodable(reflect.ValueOf(e), name); field != "" {
			return "", nil, fmt.Errorf("event: encode %s", field)
		}
		return "", nil, fmt.Errorf("event: encode %s: %w", name, err)
	}
	// encoding/json replaces each byte that is not UTF-8 by this escape; a genuine U+FFFD is written as itself, and a
	// text that spells the escape out has its backslash doubled, which the slow check tells apart.
	if bytes.Contains(b.Bytes(), []byte(`\ufffd`)) {
		if field := unencodable(reflect.ValueOf(e), name); field != "" {
			return "", nil, fmt.Errorf("event: encode %s", field)
		}
	}
	return name, bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Decode reads back what Encode wrote. Fields it does not know are left out: a later version may have added them.
func Decode(name string, payload []byte) (Event, error) {
	k, ok := kinds[name]
	if !ok {
		return nil, fmt.Errorf("event: decode %q: unknown event; it may come from a newer Verge", name)
	}
	e, err := k.decode(payload)
	if err != nil {
		return nil, fmt.Errorf("event: decode %s: %w", name, err)
	}
	return e, nil
}

// unencodable finds the first value that JSON cannot hold and says where and what it is, or is "".
func unencodable(v reflect.Value, path string) string {
	switch v.Kind() {
	case reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Sprintf("%s = %v: not a finite number", path, f)
		}
	case reflect.String:
		if s := v.String(); !utf8.ValidString(s) {
			return fmt.Sprintf("%s = %q: not UTF-8; the backend that sampled it has to make it so", path, s)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return unencodable(v.Elem(), path)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if bad := unencodable(v.Field(i), path+"."+name); bad != "" {
				return bad
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if bad := unencodable(v.Index(i), fmt.Sprintf("%s[%d]", path, i)); bad != "" {
				return bad
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if bad := unencodable(it.Key(), path+" key"); bad != "" {
				return bad
			}
			if bad := unencodable(it.Value(), fmt.Sprintf("%s[%q]", path, it.Key())); bad != "" {
				return bad
			}
		}
	}
	return ""
}
