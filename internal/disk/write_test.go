package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAFileIsReplacedWholeOrKept(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a file")
	for _, text := range []string{"first", "second, which is longer", ""} {
		if err := WriteFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := content(t, path); got != text {
			t.Errorf("%q was written, %q is there", text, got)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o644 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := WriteFile(path, []byte("kept")); err != nil {
		t.Fatal(err)
	}
	err := Write(path, func(f *os.File) error {
		if _, err := f.WriteString("half of"); err != nil {
			return err
		}
		return syscall.ENOSPC
	})
	if !errors.Is(err, syscall.ENOSPC) || !Full(err) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "free some space") {
		t.Errorf("error %v, want the disk's, with the file's name and what to do", err)
	}
	if got := content(t, path); got != "kept" {
		t.Errorf("a failed write leaves %q", got)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestAFileThatCannotBeWrittenIsNamed(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{filepath.Join(dir, "nosuch", "file"), dir} {
		if err := WriteFile(path, nil); err == nil || !strings.Contains(err.Error(), path) || Full(err) {
			t.Errorf("error %v, want one that names %s", err, path)
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestFull(t *testing.T) {
	for _, err := range []error{syscall.ENOSPC, &fs.PathError{Op: "write", Path: "x", Err: syscall.EFBIG}, fmt.Errorf("quota: %w", syscall.EDQUOT)} {
		if !Full(err) {
			t.Errorf("%v is not taken for a full disk", err)
		}
	}
	for _, err := range []error{nil, syscall.EROFS, fs.ErrPermission} {
		if Full(err) {
			t.Errorf("%v is taken for a full disk", err)
		}
	}
}
