//go:build terminal || ollama

// Tests use the workbench in a real terminal, tmux's, and fail where tmux is missing: .ci/run installs it.

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

// resize makes the terminal another size, which the screen follows in its own time.
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
