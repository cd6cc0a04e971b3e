package store

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verge/runner/event"
)

func annotation(t *testing.T, dir string) Annotation {
	t.Helper()
	a, err := reader(t, dir).Annotation()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAFinishedRunIsAnnotated(t *testing.T) {
	for name, dir := range map[string]string{"of this layout": finished(t), "of the first layout": earlier(t, "v1")} {
		for _, want := range []Annotation{{[]string{"kl", "größer"}, "two lines\nof note, with \"quotes\""}, {[]string{}, ""}} {
			if err := Annotate(dir, want.Tags, want.Note); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, annotation(t, dir)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
		if got := info(t, dir).State; got != Done && got != Failed {
			t.Errorf("%s: an annotation made it %s", name, got)
		}
		if got := layout(t, dir); strings.Contains(name, "first") != (got == "1") {
			t.Errorf("%s: an annotation made its layout %s", name, got)
		}
	}
}

func finished(t *testing.T) string {
	t.Helper()
	w := create(t, t.TempDir())
	appendAll(t, w, append(opening(), event.RunEnded{})...)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.Dir()
}

func TestARunIsAnnotatedWhileItIsWritten(t *testing.T) {
	w := create(t, t.TempDir())
	appendAll(t, w, opening()...)
	if err := Annotate(w.Dir(), []string{"watched"}, ""); err != nil {
		t.Fatal(err)
	}
	appendAll(t, w, event.RunEnded{})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got := info(t, w.Dir())
	if got.State != Done || !cmp.Equal(got.Tags, []string{"watched"}) {
		t.Errorf("info %+v", got)
	}
	if payload, err := json.Marshal(got); err != nil || strings.Contains(string(payload), "watched") {
		t.Errorf("verge runs --json would print %s, %v", payload, err)
	}
}

func TestWrongAnnotationsAreRefused(t *testing.T) {
	dir := finished(t)
	for _, tags := range [][]string{{""}, {"two words"}, {"a,b"}, {"a", "b", "a"}, {"\x1b[1m"}, {"\xff"}} {
		if err := Annotate(dir, tags, ""); err == nil || !strings.Contains(err.Error(), "tag") {
			t.Errorf("tags %q: error %v", tags, err)
		}
	}
	if err := Annotate(dir, nil, "\xff"); err == nil {
		t.Error("a note that is not UTF-8 was taken")
	}
	if err := Annotate(t.TempDir(), nil, "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder without a run: %v", err)
	}
	if a := annotation(t, dir); len(a.Tags) != 0 || a.Note != "" {
		t.Errorf("what was refused is stored: %+v", a)
	}
}

func TestRemove(t *testing.T) {
	dir := finished(t)
	if err := os.MkdirAll(filepath.Join(dir, "checkpoints", "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Remove(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestRemoveLeavesOtherFoldersAlone(t *testing.T) {
	foreign := t.TempDir()
	hollow := t.TempDir()
	for _, file := range []string{filepath.Join(foreign, "thesis.tex"), filepath.Join(hollow, dbFile)} {
		if err := os.WriteFile(file, []byte("text"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w := create(t, t.TempDir())
	for _, dir := range []string{foreign, hollow, w.Dir(), filepath.Join(foreign, "nosuch")} {
		before, _ := os.ReadDir(dir)
		err := Remove(dir)
		if err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("error %v, want one that names %s", err, dir)
		}
		if after, _ := os.ReadDir(dir); len(after) != len(before) {
			t.Errorf("%d files of %d are left in %s", len(after), len(before), dir)
		}
		if dir == w.Dir() && !errors.Is(err, ErrInUse) {
			t.Errorf("a run that is being written: %v, want %v", err, ErrInUse)
		}
	}
	appendAll(t, w, event.RunEnded{})
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}
