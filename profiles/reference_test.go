package profiles

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestReferenceIsTheDefaults(t *testing.T) {
	text, err := shipped.ReadFile("reference.toml")
	if err != nil {
		t.Fatal(err)
	}
	// Title and description say which profile it is; all else is Default.
	ignored := cmpopts.IgnoreFields(Profile{}, "Title", "Description")
	if diff := cmp.Diff(Default(), mustLoad(t, "reference"), unset, ignored); diff != "" {
		t.Error(diff)
	}

	// The keys are those of the schema, each once, in its order.
	var doc map[string]any
	md, err := toml.Decode(string(text), &doc)
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, k := range md.Keys() {
		if md.Type(k...) != "Hash" {
			got = append(got, k.String())
		}
	}
	for _, f := range fields(Default()) {
		want = append(want, f.key)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The comment above every key says what the rule of the key allows.
func TestReferenceSaysWhatIsAllowed(t *testing.T) {
	text, err := shipped.ReadFile("reference.toml")
	if err != nil {
		t.Fatal(err)
	}
	comments, table, comment := map[string]string{}, "", ""
	for line := range strings.Lines(string(text)) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "#"):
			comment += line
		case strings.HasPrefix(line, "["):
			table, comment = strings.Trim(line, "[]")+".", ""
		case strings.Contains(line, "="):
			comments[table+strings.TrimSpace(line[:strings.Index(line, "=")])], comment = comment, ""
		}
	}
	for _, f := range fields(Default()) {
		if want := "Allowed: " + rules[f.key].allowed; !strings.Contains(comments[f.key], want) {
			t.Errorf("%s: comment %q lacks %q", f.key, comments[f.key], want)
		}
	}
	for _, arm := range Arms("propel") {
		if !strings.Contains(comments["run.arms"], `"`+arm+`"`) {
			t.Errorf("the comment of run.arms lacks %q", arm)
		}
	}
}

// Keys and rules belong to each other, and every default is allowed and reads back from TOML.
func TestEveryKeyHasARuleThatItsDefaultFulfils(t *testing.T) {
	p := Default()
	if len(fields(p)) != len(rules) {
		t.Errorf("%d keys, %d rules", len(fields(p)), len(rules))
	}
	for _, f := range fields(p) {
		r, ok := rules[f.key]
		if !ok {
			t.Errorf("%s has no rule", f.key)
			continue
		}
		value := parseValue(literal(f.value))
		if problem := store(f.value, value, r); problem != "" {
			t.Errorf("%s = %v: %s", f.key, value, problem)
		}
	}
	if diff := cmp.Diff(Default(), p, unset); diff != "" {
		t.Error(diff)
	}
}
