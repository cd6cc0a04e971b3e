package store

import (
	"database/sql"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTheSettingsOfARunAreListedWithIt(t *testing.T) {
	out := t.TempDir()
	want := []string{"policy.kl=0.5", "title=a, b"}
	for _, settings := range [][]string{want, nil} {
		w, err := Create(out, Header{Profile: "quick", Settings: settings, Started: time.Now()})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := info(t, w.Dir()).Settings; !slices.Equal(got, settings) {
			t.Errorf("settings %q, want %q", got, settings)
		}
	}
}

func TestWhatTellsRunsOfAProfileApartComesFirst(t *testing.T) {
	runs := []RunInfo{
		{Profile: "a", Settings: []string{"corpus.proposals=9", "policy.kl=1"}},
		{Profile: "a", Settings: []string{"corpus.proposals=9", "policy.kl=2"}},
		{Profile: "b", Settings: []string{"corpus.proposals=9", "policy.kl=2"}},
	}
	told := TellApart(runs)
	for i, want := range [][]string{{"policy.kl=1", "corpus.proposals=9"}, {"policy.kl=2", "corpus.proposals=9"}, {"corpus.proposals=9", "policy.kl=2"}} {
		if !slices.Equal(told[i].Settings, want) {
			t.Errorf("run %d: %q, want %q", i, told[i].Settings, want)
		}
	}
	if runs[0].Settings[0] != "corpus.proposals=9" {
		t.Error("the runs that were given are changed")
	}
}

func TestSettingsThatCannotBeReadAreAnError(t *testing.T) {
	dir := finished(t)
	path, err := database(dir)
	if err != nil {
		t.Fatal(err)
	}
	db, err := openDB(path, writing)
	if err != nil {
		t.Fatal(err)
	}
	if err := update(db, func(tx *sql.Tx) error { return setMeta(tx, keySettings, "policy.kl") }); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := inspect(dir); err == nil || !strings.Contains(err.Error(), `settings = "policy.kl"`) {
		t.Errorf("error %v", err)
	}
}
