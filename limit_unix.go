//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// ignoreFileLimit makes a write beyond the limit on the size of files (ulimit -f) an error like that of a full disk, which says what to do,
// where the system would end the process.
func ignoreFileLimit() { signal.Ignore(syscall.SIGXFSZ) }
