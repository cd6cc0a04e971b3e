package profiles

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestSettingsAreWhatWasSetOverTheProfile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(path, []byte("extends = 'quick'\npolicy.kl = 0.2\n[sweep]\nseeds = 2\n[sweep.axes]\n'policy.kl' = [0.3, 0.4]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := Load(path, []string{"run.arms=base,propel", "run.seed=9", "corpus.proposals=512"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.Settings(), []string{"run.arms=base,propel", "corpus.proposals=512"}; !slices.Equal(got, want) {
		t.Errorf("set %q, want %q", got, want)
	}
	cell, err := p.Cell([]any{0.4}, 5)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := cell.Settings(), []string{"run.arms=base,propel", "corpus.proposals=512", "policy.kl=0.4"}; !slices.Equal(got, want) {
		t.Errorf("in a cell %q, want %q", got, want)
	}
	again, err := Load(path, cell.Settings())
	if err != nil || again.Policy.KL != cell.Policy.KL || !slices.Equal(again.Settings(), cell.Settings()) {
		t.Errorf("set again they are %q, error %v", again.Settings(), err)
	}
}

func TestValuesAreWrittenAsSetReadsThem(t *testing.T) {
	for value, want := range map[string]string{
		`"auto"`: "auto", `"1/8"`: "1/8", `0.1`: "0.1", `["base", "propel"]`: "base,propel", `[]`: "[]", `""`: `""`, `"a, b"`: `"a, b"`, `"3"`: `"3"`, `[0.1, 1.0]`: "[0.1, 1.0]", `"a b"`: "a b",
	} {
		if got := Plain(value); got != want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
	// Each reads back as the same, whatever profile it comes from.
	for _, listing := range List() {
		p, err := Load(listing.Name, nil)
		if err != nil {
			t.Fatal(err)
		}
		var sets []string
		for _, s := range Sections() {
			for _, k := range s.Keys {
				sets = append(sets, k.Name+"="+Plain(p.Value(k.Name)))
			}
		}
		q, err := Load(listing.Name, sets)
		if err != nil {
			t.Errorf("%s: %v", listing.Name, err)
		} else if p.Hash() != q.Hash() {
			t.Errorf("%s: another profile", listing.Name)
		}
	}
}
