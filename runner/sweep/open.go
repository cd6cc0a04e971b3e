package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"verge/internal/disk"
	"verge/profiles"
	"verge/runner"
	"verge/runner/store"
)

// Open is the sweep that a folder holds, as it was asked for last, to be looked at: whether its cells can be run is for Check. created is when
// it was asked for first.
func Open(dir string) (s *Sweep, created time.Time, err error) {
	path := filepath.Join(dir, store.SweepFile)
	text, err := disk.ReadFile(path)
	if err != nil {
		return nil, created, &runner.RequestError{Text: fmt.Sprintf("%s holds no sweep: %v", dir, err)}
	}
	var r struct {
		Sweep, Grid string
		Created     time.Time
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, created, &runner.RequestError{Text: fmt.Sprintf("%s: not written by verge: %v", path, err)}
	}
	if r.Grid == "" {
		return nil, created, &runner.RequestError{Text: fmt.Sprintf("%s was written by a verge that did not keep the grid; run verge sweep %s again, which adds it", path, r.Sweep)}
	}
	p, err := profiles.Parse(r.Sweep, r.Grid, nil)
	if err != nil {
		return nil, created, fmt.Errorf("%s: %w", path, err)
	}
	s, err = newSweep(filepath.Dir(dir), p)
	if err != nil {
		return nil, created, err
	}
	s.Dir = dir
	return s, r.Created, nil
}

// List finds the folders of sweeps in out, the one that was asked for last first. An out that does not exist yet holds none.
func List(out string) ([]string, error) {
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var dirs []string
	times := map[string]time.Time{}
	for _, e := range entries {
		dir := filepath.Join(out, e.Name())
		if info, err := os.Stat(filepath.Join(dir, store.SweepFile)); err == nil && e.IsDir() {
			dirs = append(dirs, dir)
			times[dir] = info.ModTime()
		}
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return times[b].Compare(times[a]) })
	return dirs, nil
}
