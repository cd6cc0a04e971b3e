package home

import (
	"io/fs"
	"os"
	"path/filepath"

	"verge/runner/store"
)

// Runs is the runs that are stored, as home lists and changes them. Its methods read files: they are called from commands.
type Runs interface {
	// List finds the runs, newest first. What keeps single folders from being read is among problems.
	List() (runs []store.RunInfo, problems []error, err error)
	// Size is how much a run's folder holds.
	Size(dir string) (events, bytes int64, err error)
	// SweepSize is how much a sweep's folder holds.
	SweepSize(dir string) (runs int, bytes int64, err error)
	// Annotate replaces a run's tags and note.
	Annotate(dir string, tags []string, note string) error
	// Remove deletes a run.
	Remove(dir string) error
}

// Folder is the runs in a folder.
func Folder(out string) Runs { return folder(out) }

type folder string

func (f folder) List() ([]store.RunInfo, []error, error) { return store.List(string(f)) }

func (f folder) Size(dir string) (events, bytes int64, err error) {
	r, err := store.Open(dir)
	if err != nil {
		return 0, 0, err
	}
	defer r.Close()
	if events, err = r.Count(); err != nil {
		return 0, 0, err
	}
	bytes, err = held(dir)
	return events, bytes, err
}

func (f folder) SweepSize(dir string) (runs int, bytes int64, err error) {
	list, problems, err := store.List(dir)
	if err != nil {
		return 0, 0, err
	}
	bytes, err = held(dir)
	return len(list) + len(problems), bytes, err
}

// held is the bytes of all files in a folder.
func held(dir string) (bytes int64, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := os.Stat(path)
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	return bytes, err
}

func (f folder) Annotate(dir string, tags []string, note string) error {
	return store.Annotate(dir, tags, note)
}

func (f folder) Remove(dir string) error { return store.Remove(dir) }
