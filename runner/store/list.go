package store

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// List finds the runs in out, newest first. A folder that holds no run, or one that cannot be read, does not hide the others: its error is
// among problems, in the order of their names; that of a sweep's runs is not one of them. An out that does not exist yet holds no runs; any
// other reason why it cannot be listed is the error.
func List(out string) (runs []RunInfo, problems []error, err error) {
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, explain("list the runs in", out, err)
	}
	for _, entry := range entries {
		if !entry.IsDir() || strings.HasPrefix(entry.Name(), hidden) || isSweep(filepath.Join(out, entry.Name())) {
			continue
		}
		info, err := inspect(filepath.Join(out, entry.Name()))
		var missing *missingError
		if errors.As(err, &missing) {
			err = &missingError{text: missing.text}
		}
		if err != nil {
			problems = append(problems, err)
			continue
		}
		runs = append(runs, info)
	}
	slices.SortFunc(runs, func(a, b RunInfo) int {
		return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(b.Run, a.Run))
	})
	return runs, problems, nil
}

// hidden begins the names of folders that hold no run yet.
const hidden = "."

// SweepFile is the file by which a folder is known to hold the runs of a sweep.
const SweepFile = "sweep.json"

func isSweep(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, SweepFile))
	return err == nil
}

func inspect(dir string) (RunInfo, error) {
	r, err := Open(dir)
	if err != nil {
		return RunInfo{}, err
	}
	info, err := r.Info()
	return info, errors.Join(err, r.Close())
}
