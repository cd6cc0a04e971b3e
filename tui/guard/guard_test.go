package guard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verge/tui/guard"
)

func TestAPanicBecomesAFileAndAnError(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	var g guard.Guard
	told := make(chan error, 2)
	g.OnCrash(func(err error) { told <- err })
	g.Go("the test", func() { panic("on purpose") })
	err := <-told
	if !strings.Contains(err.Error(), "on purpose") || !strings.Contains(err.Error(), "the test") {
		t.Errorf("it is told as %v", err)
	}
	at := strings.LastIndex(err.Error(), "report ")
	stack, readErr := os.ReadFile(err.Error()[at+len("report "):])
	if readErr != nil || !strings.Contains(string(stack), "guard_test.go") {
		t.Errorf("the stack is not where it is said to be: %v\n%s", readErr, stack)
	}
	// Whoever asks later is told too; a second panic is not told again.
	g.Tell(os.ErrClosed)
	g.OnCrash(func(err error) { told <- err })
	if again := <-told; again != err {
		t.Errorf("told of %v, then of %v", err, again)
	}
}

func TestAPanicIsToldWhereItsFileCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", file)
	t.Setenv("HOME", file)
	var g guard.Guard
	told := make(chan error, 1)
	g.OnCrash(func(err error) { told <- err })
	g.Go("the test", func() { panic("on purpose") })
	if err := <-told; !strings.Contains(err.Error(), "could not be written") {
		t.Errorf("it is told as %v", err)
	}
}
