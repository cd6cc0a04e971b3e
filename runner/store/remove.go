package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Remove deletes a run, by its folder, with all that is in it. A folder that holds no run that this Verge can read is left alone, and so
// is one that is being written: ErrInUse.
func Remove(dir string) error {
	return explain("remove the run", dir, remove(dir))
}

func remove(dir string) error {
	dir, err := filepath.Abs(dir) // "." is no name that can be deleted
	if err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() { // a link would be removed, and the run kept
		return errors.New("it is no folder itself; name the run's own")
	}
	r, err := Open(dir)
	if err != nil {
		return err
	}
	if err := r.Close(); err != nil {
		return err
	}
	l, err := acquire(filepath.Join(dir, lockFile))
	if err != nil {
		return err
	}
	if err := removeIn(dir); err != nil {
		return errors.Join(err, l.release())
	}
	// Without its database it is no run any more, so that nobody takes the lock that is given up here: some systems delete no open file.
	if err := l.release(); err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

// removeIn deletes what a run's folder holds beside its database and its lock, and then the database: whatever stops it before that
// leaves a run.
func removeIn(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		// The database's log has its name with an ending.
		if name := e.Name(); !strings.HasPrefix(name, dbFile) && !strings.HasPrefix(name, lockFile) {
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	return os.Remove(filepath.Join(dir, dbFile))
}
