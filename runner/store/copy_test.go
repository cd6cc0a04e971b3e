package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// interrupted is the folder of a run whose writer was killed: what it stored last is in the log alone.
func interrupted(t *testing.T) string {
	t.Helper()
	w := create(t, t.TempDir())
	appendAll(t, w, append(opening(), proposal(0, 2)...)...)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), w.Run())
	if err := os.CopyFS(dir, os.DirFS(w.Dir())); err != nil {
		t.Fatal(err)
	}
	return dir
}

// noIndex keeps SQLite from making the index of a log, as a folder does that cannot be written: root can write every other.
func noIndex(t *testing.T, dir string) {
	t.Helper()
	index := filepath.Join(dir, dbFile+"-shm")
	if err := os.RemoveAll(index); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(index, 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestAnInterruptedRunIsReadWhereNothingCanBeWritten(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for name, logged := range map[string]bool{"with its log": true, "without a log": false} {
		dir := interrupted(t)
		want := stored(t, reader(t, dir))
		if !logged {
			w, err := Reopen(dir) // which takes what is in the log into the database
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			spoil(t, dir, `PRAGMA journal_mode = WAL; UPDATE meta SET value = 'running' WHERE key = 'state'`)
		}
		noIndex(t, dir)
		before := files(t, dir)
		r, err := Open(dir)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, stored(t, r)); diff != "" {
			t.Errorf("%s: events (-want +got):\n%s", name, diff)
		}
		if info, err := r.Info(); err != nil || info.State != Interrupted || info.Dir != dir {
			t.Errorf("%s: info %+v, %v", name, info, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if after := files(t, dir); !cmp.Equal(before, after) {
			t.Errorf("%s: the folder had %q and has %q", name, before, after)
		}
		if left := files(t, os.Getenv("TMPDIR")); len(left) != 0 {
			t.Errorf("%s: %q are left", name, left)
		}
	}
}

func TestACopyThatHoldsNoRunIsDeleted(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir := interrupted(t)
	spoil(t, dir, `DROP TABLE timings`)
	noIndex(t, dir)
	if r, err := Open(dir); err == nil {
		r.Close()
		t.Error("it was opened")
	}
	if left := files(t, os.Getenv("TMPDIR")); len(left) != 0 {
		t.Errorf("%q are left", left)
	}
}
