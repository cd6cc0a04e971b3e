package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestARunThatIsNotThereIsAnsweredWithTheNearest(t *testing.T) {
	out := t.TempDir()
	for _, name := range []string{"20261129-120000-quick-69b2", "20261129-120001-slow-aaaa", ".20261129-120002-quick-hidd"} {
		dir := filepath.Join(out, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, dbFile), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sweep := filepath.Join(out, "sweep-quick")
	if err := os.Mkdir(sweep, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(sweep, SweepFile), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	const quick, slow = "nearest is 20261129-120000-quick-69b2", "nearest is 20261129-120001-slow-aaaa"
	for dir, want := range map[string]string{
		filepath.Join(out, "20261129-120000-quick-69b3"): "there is no run " + filepath.Join(out, "20261129-120000-quick-69b3") + "; " + quick,
		filepath.Join(out, "quick-69c2"):                 quick,
		filepath.Join(out, "slow"):                       slow,
		filepath.Join(out, "aaab"):                       slow,
		filepath.Join(out, "nothing-like-it"):            "nothing-like-it; verge runs",
		filepath.Join(t.TempDir(), "none", "nope"):       "nope; verge runs",
		out:                                  "it has no run.db",
		sweep:                                "the folder of a sweep, not a run; verge runs --out " + sweep,
		filepath.Join(sweep, SweepFile):      "is no run: a run is a folder",
		filepath.Join(sweep, SweepFile, "x"): "there is no run",
	} {
		_, errOpen := Open(dir)
		_, errReopen := Reopen(dir)
		for call, err := range map[string]error{"Open": errOpen, "Reopen": errReopen, "Annotate": Annotate(dir, nil, "")} {
			if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "cannot") {
				t.Errorf("%s(%s): %v, want %q", call, dir, err, want)
			}
		}
	}
}
