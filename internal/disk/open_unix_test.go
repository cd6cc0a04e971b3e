//go:build unix

package disk

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Nobody writes to the pipe: a test that opens it does not end.
func TestAPipeIsNotOpened(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(pipe); err == nil || !strings.Contains(err.Error(), "pipe, not a file") {
		t.Errorf("error %v", err)
	}
}
