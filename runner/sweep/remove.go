package sweep

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"verge/runner"
	"verge/runner/store"
)

// Remove deletes a sweep, by its folder, with all its runs and all else that is in it. One that is being run is left as it is, and so is one of
// which any run is being written.
func Remove(dir string) error {
	info, err := os.Lstat(filepath.Join(dir, store.SweepFile))
	if err != nil || !info.Mode().IsRegular() {
		return &runner.RequestError{Text: fmt.Sprintf("%s holds no sweep: nothing is deleted", dir)}
	}
	lock, err := store.Lock(filepath.Join(dir, lockFile))
	if errors.Is(err, store.ErrInUse) {
		return inUse(dir)
	}
	if err != nil {
		return err
	}
	if err := removeIn(dir); err != nil {
		return errors.Join(err, lock.Close())
	}
	// Without its record it is no sweep any more, so that nobody takes the lock that is given up here: some systems delete no open file.
	if err := lock.Close(); err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

// removeIn deletes the runs and then the record: whatever stops it before that leaves a sweep.
func removeIn(dir string) error {
	runs, _, err := store.List(dir)
	if err != nil {
		return err
	}
	for _, r := range runs {
		if r.State == store.Running {
			return inUse(dir)
		}
	}
	for _, r := range runs {
		if err := store.Remove(r.Dir); err != nil {
			return err
		}
	}
	return os.Remove(filepath.Join(dir, store.SweepFile))
}

func inUse(dir string) error {
	return &runner.RequestError{Text: fmt.Sprintf("sweep %s is being run: stop it first, or wait until it ends", dir)}
}
