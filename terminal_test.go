//go:build terminal

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const smallRun = ` --set corpus.proposals=1024 --set evaluation.proposals=200 --set policy.steps=6`

func TestARunIsWatchedSteeredLeftAndReplayed(t *testing.T) {
	x := newTerminal(t, 120, 40)
	x.run("$VERGE run quick" + smallRun)
	x.wait("pipeline", "running")
	x.keys("Space")
	x.wait("paused")
	x.keys("?")
	x.wait("Everywhere", "Pause the run")
	x.keys("Escape")
	x.wait("▸1 pipeline")
	x.keys("s")
	x.keys("9")
	x.wait("▸9 tasks")
	x.keys("Space")
	x.wait("running")
	x.keys("f")
	x.keys("f")
	for _, digit := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "0"} {
		x.keys(digit)
		x.wait("▸" + digit)
	}
	whole(t, x.screen(), 120, 40)
	x.keys("x")
	x.wait("Stop the run")
	x.keys("y")
	x.wait("interrupted")
	x.leave()
	x.run("clear; $VERGE run --headless --resume runs/* 2>&1 | tail -2; $VERGE runs --json | tr ',' '\\n' | grep state")
	x.wait(`"state":"done"`)

	x.run("clear; $VERGE replay runs/*")
	x.wait("replay", "events/s")
	x.keys(">")
	x.wait("● evaluate")
	for _, size := range [][2]int{{60, 20}, {80, 24}, {200, 60}, {40, 10}} {
		x.resize(size[0], size[1])
		if size[0] < 60 {
			x.wait("40 × 10")
			continue
		}
		x.until("the screen has followed whole", func(s string) bool { return fault(s, size[0], size[1]) == "" })
	}
	x.resize(200, 60)
	x.wait("● evaluate")
	whole(t, x.screen(), 200, 60)
	x.leave()
}

func TestAWalkthroughThatWasKilledGoesOnWhereItWas(t *testing.T) {
	x := newTerminal(t, 80, 24)
	x.run("$VERGE walkthrough propel")
	x.wait("page 1 of")
	for page := 2; page <= 5; page++ {
		x.keys("Right")
		x.wait("Question:")
		x.keys("Right")
		x.wait("Answer:")
		x.keys("Right")
		x.wait(fmt.Sprintf("page %d of", page))
		whole(t, x.screen(), 80, 24)
	}
	x.run("") // Enter goes on too
	x.wait("Question:")
	x.signal("KILL")
	x.wait("Killed")
	x.run("reset; $VERGE walkthrough propel")
	x.wait("page 5 of")
	for page := 6; ; page++ {
		x.keys("Right")
		x.wait("Question:")
		x.keys("Right")
		screen := x.wait("Answer:")
		if strings.Contains(screen, "page 12 of 12") {
			break
		}
		x.keys("Right")
		x.wait(fmt.Sprintf("page %d of", page))
	}
	x.leave()
}

func TestWithoutAScreenThereIsASentenceOrAResult(t *testing.T) {
	x := newTerminal(t, 100, 30)
	for _, c := range []struct{ command, shows string }{
		{"TERM=dumb $VERGE; echo code $?", "code 2"},
		{"TERM=dumb $VERGE", "PROFILE --headless"},
		{"VERGE_THEME=pink $VERGE; echo code $?", "code 2"},
		{"VERGE_THEME=pink $VERGE", "high-contrast"},
		{"touch file; $VERGE walkthrough --out file; echo code $?", "code 2"},
		{"$VERGE walkthrough --out file", "folder with --out"},
		{"$VERGE --out file; echo code $?", "code 2"},
		{"$VERGE </dev/null; echo code $?", "code 2"},
		{"clear; $VERGE | cat", "PROFILE --headless"},
		{"$VERGE walkthrough </dev/null", "shows the same loop"},
		{"TERM=dumb $VERGE run quick" + smallRun + " 2>/dev/null", "stored in runs/"},
		{"$VERGE run quick" + smallRun + " 2>/dev/null | grep -q ^propel; echo found $?", "found 0"},
	} {
		x.run("clear; " + c.command)
		x.wait(c.shows, prompt)
	}
}

func TestWithoutColourEverythingCanBeTold(t *testing.T) {
	x := newTerminal(t, 120, 40, "NO_COLOR=1")
	x.run("$VERGE run quick" + smallRun)
	x.wait("● done")
	if screen := x.tmux("capture-pane", "-p", "-e"); strings.Contains(screen, "\x1b[3") || strings.Contains(screen, "\x1b[9") {
		t.Errorf("there is colour in spite of NO_COLOR:\n%q", screen)
	}
	x.wait("▸1 pipeline")
	x.leave()
}

func TestAnInterruptedWorkbenchLeavesTheTerminalSane(t *testing.T) {
	for _, signal := range []string{"TERM", "HUP", "INT"} {
		x := newTerminal(t, 100, 30)
		x.run("$VERGE run quick")
		x.wait("running")
		x.signal(signal)
		x.wait("verge run --resume", prompt)
		x.run("echo still $((40+2))")
		x.wait("still 42")
	}
}

func TestLeavingWhileASweepGoesOnAsksFirst(t *testing.T) {
	x := newTerminal(t, 100, 30)
	profile := "extends = 'quick'\n[corpus]\nproposals = 1024\n[sweep]\nseeds = 9\n"
	if err := os.WriteFile(filepath.Join(x.dir, "repeats.toml"), []byte(profile), 0o644); err != nil {
		t.Fatal(err)
	}
	x.run("$VERGE")
	x.wait("repeats.toml")
	x.keys("End", "S")
	x.wait("9 runs: 9 seeds")
	x.keys("Enter")
	x.wait("goes on", "1 running")
	x.keys("q")
	x.wait("runs/sweep-repeats", "y  leave")
	x.keys("n")
	x.wait("goes on")
	x.leave()
	x.wait("runs/sweep-repeats: the workbench goes on with it")
	x.run("clear; $VERGE")
	x.wait("sweeps 1")
	x.keys("Tab", "Tab", "Enter")
	x.wait("1 interrupted")
	x.leave()
}

func TestARunGoesOnWithoutItsTerminalWhereItsProfileSaysSo(t *testing.T) {
	for want, says := range map[string]string{"done": "continue", "interrupted": "stop"} {
		x := newTerminal(t, 100, 30)
		x.run("$VERGE run quick" + smallRun + " --set run.on_hangup='\"" + says + "\"'")
		x.wait("running")
		x.keys("Space") // nobody can let it go on after that
		x.wait("paused")
		x.tmux("kill-server")
		deadline := time.Now().Add(patience)
		for {
			c := command0(x.dir, "runs", "--json")
			out, err := c.Output()
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(out), `"state":"`+want+`"`) {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("run.on_hangup = %s: %s", says, out)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
}

func TestSuspendedAndTakenUpAgain(t *testing.T) {
	x := newTerminal(t, 100, 30)
	x.run("$VERGE run quick" + smallRun)
	x.wait("running")
	for _, suspend := range []func(){func() { x.keys("C-z") }, func() { x.signal("TSTP") }} {
		suspend()
		x.wait("Stopped", prompt)
		x.run("clear; stty -a | grep -o -w -e '-echo' -e '-icanon'; echo still $((40+2))")
		if screen := x.wait("still 42"); strings.Contains(screen, "\n-echo") || strings.Contains(screen, "\n-icanon") {
			t.Errorf("the shell's terminal is not as it was:\n%s", screen)
		}
		x.run("fg")
		x.wait("▸1 pipeline")
		x.mouse()
	}
	x.signal("STOP") // which leaves the terminal as it is, so that what is typed is not seen
	x.wait("Stopped", prompt)
	x.run("reset; fg")
	x.wait("● done")
	x.mouse()
	whole(t, x.screen(), 100, 30)
	x.leave()
}

func TestADumpOfItsGoroutinesLeavesTheTerminalSane(t *testing.T) {
	x := newTerminal(t, 100, 30)
	x.run("$VERGE")
	x.wait("quick")
	x.signal("QUIT")
	x.until("the dump has ended", func(s string) bool { return strings.HasSuffix(strings.TrimSpace(s), prompt) })
	x.run("clear; stty -a | grep -o -w -e '-echo' -e '-icanon'; echo still $((40+2))")
	if screen := x.wait("still 42"); strings.Contains(screen, "\n-echo") || strings.Contains(screen, "\n-icanon") {
		t.Errorf("the shell's terminal is not as it was:\n%s", screen)
	}
}

// Without a shell nobody could go on with a process that was stopped.
func TestATerminalOfItsOwnIsNotSuspended(t *testing.T) {
	x := newTerminal(t, 100, 30)
	x.run("exec $VERGE")
	x.wait("quick")
	x.keys("C-z")
	x.wait("there is no shell to go back to")
	x.keys("?")
	x.wait("Open the selected run")
}
