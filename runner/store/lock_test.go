package store

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestALockIsHeldByOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sweep.lock")
	first, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(path); !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), path) {
		t.Errorf("a second lock: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}
