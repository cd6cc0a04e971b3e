package profiles

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSectionsAreTheSchemaAndExplained(t *testing.T) {
	var got, want []string
	for _, s := range Sections() {
		if s.Meaning == "" && s.Name != "" {
			t.Errorf("table %s is not explained", s.Name)
		}
		for _, k := range s.Keys {
			got = append(got, k.Name)
			if k.Meaning == "" || k.Default == "" {
				t.Errorf("%s: meaning %q, default %q", k.Name, k.Meaning, k.Default)
			}
		}
	}
	for _, f := range fields(Default()) {
		want = append(want, f.key)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnArmIsExplained(t *testing.T) {
	for _, recipe := range Recipes() {
		for _, arm := range Arms(recipe) {
			if ArmMeaning(recipe, arm) == "" {
				t.Errorf("arm %s of %s is not explained", arm, recipe)
			}
		}
	}
	if got := ArmMeaning("propel", "propel"); got != "rewarded by the probe" {
		t.Errorf("propel: %q", got)
	}
	if got := ArmMeaning("propel", "nowhere") + ArmMeaning("nowhere", "base"); got != "" {
		t.Errorf("arms that do not exist: %q", got)
	}
}

func TestCommentsKeepTheirLists(t *testing.T) {
	got := comments(`# About the file.

# A table,
# explained.
[run]
# Variants. Of one:
#   "base"  as it is
#   "more"  with more
# Of two:
#   "base"  another
# All are compared.
arms = []
seed = 1 # no comment above
`)
	want := map[string]string{
		"run":      "A table, explained.",
		"run.arms": "Variants. Of one:\n   \"base\"  as it is\n   \"more\"  with more\nOf two:\n   \"base\"  another\nAll are compared.",
		"run.seed": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, c := range [][3]string{{"one", "base", "as it is"}, {"two", "base", "another"}, {"one", "more", "with more"}, {"two", "more", ""}} {
		if got := armMeaning(got["run.arms"], c[0], c[1]); got != c[2] {
			t.Errorf("%s of %s: %q, want %q", c[1], c[0], got, c[2])
		}
	}
}

// What Value writes, --set reads: all keys at once, since values depend on each other.
func TestValuesReadBack(t *testing.T) {
	for _, name := range shippedNames() {
		p := mustLoad(t, name)
		var sets []string
		for _, s := range Sections() {
			for _, k := range s.Keys {
				sets = append(sets, k.Name+"="+p.Value(k.Name))
			}
		}
		q, err := Load("reference", sets)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.Resolved() != q.Resolved() {
			t.Errorf("%s: %s", name, cmp.Diff(p.Resolved(), q.Resolved()))
		}
	}
	if got := Default().Value("policy.kll"); got != "" {
		t.Errorf("a key that does not exist: %q", got)
	}
}
