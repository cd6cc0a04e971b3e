package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOnlyFilesAreReadAndReplaced(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := WriteFile(file, []byte("text")); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadFile(file); err != nil || string(got) != "text" {
		t.Errorf("ReadFile = %q, %v", got, err)
	}
	for path, want := range map[string]string{dir: "folder", os.DevNull: "device"} {
		_, errOpen := Open(path)
		_, errRead := ReadFile(path)
		for call, err := range map[string]error{"Open": errOpen, "ReadFile": errRead, "Regular": Regular(path), "WriteFile": WriteFile(path, nil)} {
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s(%s): error %v, want one that says %s", call, path, err, want)
			}
		}
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is a file now", os.DevNull)
	}
	if err := Regular(filepath.Join(dir, "nosuch")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: error %v", err)
	}
}
