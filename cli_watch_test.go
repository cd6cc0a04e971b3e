//go:build ollama

package main

import "testing"

// TestAServedRunIsWatchedLive watches propel-math-small in a terminal while a real server plays its roles.
func TestAServedRunIsWatchedLive(t *testing.T) {
	x := newTerminal(t, 120, 40, "OLLAMA_HOST="+setting(t, "VERGE_OLLAMA"))
	x.run("$VERGE run propel-math-small")
	x.wait("pipeline", "running", "proposals")
	x.keys("9")
	x.wait("▸9 tasks", "corpus/corpus/0/2")
	x.keys("8")
	whole(t, x.wait("▸8 roles", "smollm2:135m", "loads", "1024"), 120, 40)
	x.keys("Space")
	x.wait("paused")
	x.keys("Space")
	x.wait("running")
	x.keys("x")
	x.wait("Stop the run")
	x.keys("y")
	x.wait("interrupted")
	x.leave()
	x.run("clear; $VERGE runs --json | tr ',' '\\n' | grep state")
	x.wait(`"state":"interrupted"`)
}
