//go:build terminal

// These tests use the workbench in a real terminal, tmux's. They fail where tmux is missing: .ci/run installs it.

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// terminal is a shell in a terminal of its own.
type terminal struct {
	t      *testing.T
	socket string
	dir    string // its working directory
}

const prompt = "shell>"

// newTerminal opens a shell in which verge is the binary under test.
func newTerminal(t *testing.T, width, height int, env ...string) *terminal {
	t.Helper()
	dir := t.TempDir()
	x := &terminal{t: t, socket: filepath.Join(dir, "tmux"), dir: filepath.Join(dir, "work")}
	if err := os.Mkdir(x.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	arguments := []string{"new-session", "-d", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height), "-c", x.dir}
	rc := filepath.Join(dir, "rc")
	if err := os.WriteFile(rc, []byte("PS1='"+prompt+" '\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, e := range append([]string{"LC_ALL=C.UTF-8", "VERGE=" + binary(t), "VERGE_AS_COMMAND=1"}, env...) {
		arguments = append(arguments, "-e", e)
	}
	x.tmux(append(arguments, "bash --rcfile "+rc)...)
	t.Cleanup(func() { exec.Command("tmux", "-S", x.socket, "kill-server").Run() })
	x.wait(prompt)
	return x
}

// binary is the binary under test, which stands in for verge.
func binary(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func (x *terminal) tmux(arguments ...string) string {
	x.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-f", "/dev/null", "-S", x.socket}, arguments...)...).CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %v: %v\n%s", arguments, err, out)
	}
	return string(out)
}

// screen is what the terminal shows.
func (x *terminal) screen() string { return x.tmux("capture-pane", "-p") }

// keys sends keys, as tmux names them.
func (x *terminal) keys(names ...string) {
	x.t.Helper()
	x.tmux(append([]string{"send-keys"}, names...)...)
}

// run types a command at the prompt.
func (x *terminal) run(command string) {
	x.t.Helper()
	x.tmux("send-keys", "-l", command)
	x.keys("Enter")
}

// patience is how long a test waits for what has to come: long, since machines that test are busy.
const patience = time.Minute

// wait waits until the screen shows all of some texts.
func (x *terminal) wait(texts ...string) string {
	x.t.Helper()
	return x.until(fmt.Sprintf("the screen shows %q", texts), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

func (x *terminal) until(what string, is func(screen string) bool) string {
	x.t.Helper()
	for deadline := time.Now().Add(patience); ; {
		screen := x.screen()
		if is(screen) {
			return screen
		}
		if time.Now().After(deadline) {
			x.t.Fatalf("it does not come to it that %s:\n%s", what, screen)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// resize makes the terminal another size and waits until the screen has followed.
func (x *terminal) resize(width, height int) {
	x.t.Helper()
	x.tmux("resize-window", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height))
}

// leave leaves the workbench, and checks that the shell is as it was.
func (x *terminal) leave() {
	x.t.Helper()
	x.keys("q")
	screen := x.until("the workbench asks or is left", func(s string) bool {
		return strings.Contains(s, "y  leave") || strings.HasSuffix(strings.TrimSpace(s), prompt)
	})
	if strings.Contains(screen, "y  leave") {
		x.keys("y")
	}
	x.until("the shell is back", func(s string) bool { return strings.HasSuffix(strings.TrimSpace(s), prompt) })
	x.run("stty -a | grep -o -- '-\\?\\becho\\b' | head -1; echo sane")
	if screen := x.wait("\nsane"); strings.Contains(screen, "\n-echo\n") {
		x.t.Errorf("the terminal is left without echo:\n%s", screen)
	}
}

// whole fails unless the screen's boxes fit.
func whole(t *testing.T, screen string, width, height int) {
	t.Helper()
	if why := fault(screen, width, height); why != "" {
		t.Errorf("%s:\n%s", why, screen)
	}
}

// fault is how a screen's boxes do not fit: other lines than the terminal has, one that breaks a border. "" where they do.
func fault(screen string, width, height int) string {
	lines := strings.Split(strings.TrimSuffix(screen, "\n"), "\n")
	if len(lines) != height {
		return fmt.Sprintf("%d lines in a terminal of %d", len(lines), height)
	}
	if !strings.Contains(lines[0], "verge") {
		return "the header is gone"
	}
	for _, pair := range []string{"╔╗", "╭╮", "╚╝", "╰╯"} {
		first, size := utf8.DecodeRuneInString(pair)
		last, _ := utf8.DecodeRuneInString(pair[size:])
		if a, b := strings.Count(screen, string(first)), strings.Count(screen, string(last)); a != b {
			return fmt.Sprintf("%d times %c and %d times %c", a, first, b, last)
		}
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > width {
			return fmt.Sprintf("line %d takes %d cells of %d", i, n, width)
		}
	}
	return ""
}

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
	if out, err := exec.Command("pkill", "-KILL", "-f", "^"+binary(t)+" walkthrough").CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
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
		if out, err := exec.Command("pkill", "-"+signal, "-f", "^"+binary(t)+" run quick$").CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
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

// signal sends a signal to what the shell has started.
func (x *terminal) signal(name string) {
	x.t.Helper()
	shell := strings.TrimSpace(x.tmux("display-message", "-p", "#{pane_pid}"))
	if out, err := exec.Command("pkill", "-"+name, "-P", shell).CombinedOutput(); err != nil {
		x.t.Fatalf("%v %s", err, out)
	}
}

// mouse waits until the mouse is reported to what runs.
func (x *terminal) mouse() {
	x.t.Helper()
	x.until("the mouse is reported", func(string) bool {
		return strings.TrimSpace(x.tmux("display-message", "-p", "#{mouse_any_flag}")) == "1"
	})
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
