// Package disk writes files whole, and knows a full disk when it meets one.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// WriteFile is Write of content that is at hand.
func WriteFile(path string, content []byte) error {
	return Write(path, func(f *os.File) error {
		_, err := f.Write(content)
		return err
	})
}

// Write makes a file, or replaces it, in one step: at any instant, also after a power cut, path is the old file or the whole new one, and
// once Write has returned nil it is the new one. write gets an empty file, which may be read back. On an error, which says what to do
// where that is known, nothing is left behind. Everybody can read the file.
func Write(path string, write func(*os.File) error) error {
	err := replace(path, write)
	switch {
	case err == nil:
		return nil
	case Full(err):
		return fmt.Errorf("writing %s: %w: free some space", path, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("writing %s: %w: make its folder one that can be written", path, err)
	}
	return fmt.Errorf("writing %s: %w", path, err)
}

func replace(path string, write func(*os.File) error) error {
	// A device would be replaced by a file, which as root could be /dev/null.
	if err := Regular(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// In the same folder: a file is renamed in one step only within its file system.
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = errors.Join(f.Chmod(0o644), f.Sync()) // CreateTemp lets its owner alone read it
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes a rename in a folder outlive a power cut. Windows has no such call, and some network file systems refuse it.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, d.Close())
}

// Full says whether an error comes of a disk without room for more: it is full, or the user's quota or a limit on the size of files
// (ulimit -f) is reached.
func Full(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
