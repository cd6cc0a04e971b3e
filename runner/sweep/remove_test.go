package sweep

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verge/runner"
	"verge/runner/event"
	"verge/runner/store"
)

// kept is a sweep on disk with a run that is done and one that was interrupted.
func kept(t *testing.T) *Sweep {
	t.Helper()
	s := expand(t, t.TempDir(), nil, []string{"policy.kl=0,0.1"})
	if err := s.Keep(); err != nil {
		t.Fatal(err)
	}
	stored(t, s, s.Cells[0], 2*time.Hour, event.RunEnded{})
	stored(t, s, s.Cells[1], time.Hour)
	return s
}

func TestRemove(t *testing.T) {
	s := kept(t)
	if err := Remove(s.Dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(s.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
	if dirs, err := List(filepath.Dir(s.Dir)); err != nil || len(dirs) > 0 {
		t.Errorf("listed: %q, %v", dirs, err)
	}
}

func TestRemoveLeavesAsItIsWhatIsInUseOrNoSweep(t *testing.T) {
	running := kept(t)
	lock, err := store.Lock(filepath.Join(running.Dir, lockFile))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	written := kept(t)
	w, err := store.Create(written.Dir, store.Header{Profile: "quick", Started: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "thesis.tex"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{running.Dir: "is being run", written.Dir: "is being run", folder: "holds no sweep"} {
		before, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var request *runner.RequestError
		if err := Remove(dir); !errors.As(err, &request) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if after, err := os.ReadDir(dir); err != nil || len(after) < len(before) {
			t.Errorf("%s had %v and has %v, %v", dir, before, after, err)
		}
	}
}
