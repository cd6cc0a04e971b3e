//go:build unix

package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Elsewhere a link takes a privilege.
func TestALinkToARunIsNotRemoved(t *testing.T) {
	dir := finished(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if err := Remove(link); err == nil || !strings.Contains(err.Error(), "the run's own") || len(files(t, dir)) != 2 {
		t.Errorf("a link to a run: %v; what is left of it: %q", err, files(t, dir))
	}
}

// Elsewhere no folder with open files is moved.
func TestARunThatIsMovedWhileItIsWrittenIsToldFromOneThatCannotBe(t *testing.T) {
	w := create(t, t.TempDir())
	appendAll(t, w, opening()...)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(w.Dir(), w.Dir()+"-moved"); err != nil {
		t.Fatal(err)
	}
	appendAll(t, w, proposal(0, 2)...)
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "moved or deleted") {
		t.Errorf("error %v", err)
	}
}
