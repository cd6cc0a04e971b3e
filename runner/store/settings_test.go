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
