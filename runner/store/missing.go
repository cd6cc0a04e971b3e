package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"verge/internal/disk"
	"verge/internal/typo"
)

// missingError is the error of a folder that holds no run; errors.Is finds fs.ErrNotExist in it.
type missingError struct {
	text   string
	advice string // what to do, where the run was asked for by name
}

func (e *missingError) Error() string { return e.text + e.advice }
func (e *missingError) Unwrap() error { return fs.ErrNotExist }

// database is the path of a run's database, by the run's folder. Its error is that of a folder without one.
func database(dir string) (string, error) {
	path := filepath.Join(dir, dbFile)
	err := disk.Regular(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return "", missing(dir)
	}
	return path, err
}

// missing says what is there in a run's stead, and which run may have been meant.
func missing(dir string) error {
	e := &missingError{text: "there is no run " + dir}
	info, err := os.Stat(dir)
	switch {
	case err == nil && !info.IsDir():
		e.text = dir + " is no run: a run is a folder, given by its path or its name"
	case err == nil && isSweep(dir):
		return &missingError{dir + " is the folder of a sweep, not a run", "; verge runs --out " + dir + " lists its runs"}
	case err == nil:
		e.text = fmt.Sprintf("%s is no run: it has no %s", dir, dbFile)
	}
	if run := nearestRun(filepath.Dir(dir), filepath.Base(dir)); run != "" {
		e.advice = "; nearest is " + run
	}
	e.advice += "; verge runs lists the runs there are"
	return e
}

// nearestRun is the run in out whose name is most like another: the whole of it, what follows the time it was begun, or its last digits.
func nearestRun(out, name string) string {
	entries, err := os.ReadDir(out)
	if err != nil {
		return ""
	}
	runs := map[string]string{}
	var forms []string
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(out, e.Name(), dbFile)); err != nil || strings.HasPrefix(e.Name(), hidden) {
			continue
		}
		for form := e.Name(); ; {
			runs[form] = e.Name() // the newest of those that end alike
			forms = append(forms, form)
			_, rest, more := strings.Cut(form, "-")
			if !more {
				break
			}
			form = rest
		}
	}
	return runs[typo.Nearest(name, forms)]
}
