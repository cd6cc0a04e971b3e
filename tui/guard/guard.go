// Package guard runs the workbench's goroutines: one that panics leaves its stack in a file and ends the workbench in order, so that the
// terminal is put back.
package guard

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"
)

// Guard runs goroutines. Its zero value is ready.
type Guard struct {
	mu      sync.Mutex
	crashed func(error)
	first   error
}

// OnCrash sets what is told of the first panic, once; one that has happened already is told at once.
func (g *Guard) OnCrash(tell func(error)) {
	g.mu.Lock()
	g.crashed = tell
	first := g.first
	g.mu.Unlock()
	if first != nil {
		tell(first)
	}
}

// Go runs f in a goroutine. name says in words what it does.
func (g *Guard) Go(name string, f func()) {
	go func() {
		defer g.Recover(name)
		f()
	}()
}

// Recover, deferred, turns a panic into a file and an error.
func (g *Guard) Recover(name string) {
	if reason := recover(); reason != nil {
		g.Tell(fmt.Errorf("%s broke: %v; please report %s", name, reason, write(name, reason, debug.Stack())))
	}
}

// Tell passes on what broke.
func (g *Guard) Tell(err error) {
	g.mu.Lock()
	tell := g.crashed
	if g.first != nil {
		tell = nil
	} else {
		g.first = err
	}
	g.mu.Unlock()
	if tell != nil {
		tell(err)
	}
}

// write keeps a panic in a file and returns where, or in words why it could not.
func write(name string, reason any, stack []byte) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	dir = filepath.Join(dir, "verge")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Sprintf("this stack, which could not be written: %v\n%s", err, stack)
	}
	path := filepath.Join(dir, "crash-"+time.Now().UTC().Format("20060102-150405.000")+".txt")
	if err := os.WriteFile(path, fmt.Appendf(nil, "%s\n%v\n\n%s", name, reason, stack), 0o644); err != nil {
		return fmt.Sprintf("this stack, which could not be written: %v\n%s", err, stack)
	}
	return path
}
