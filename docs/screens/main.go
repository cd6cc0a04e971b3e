// Screens makes the pictures of the README: it runs Verge in tmux, presses keys, and writes what the terminal shows as SVG.
//
//	go run ./docs/screens
//
// It needs tmux, and takes about two minutes. The pictures are of real runs, so that their figures are those of this version.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// shot is one picture: a command in a terminal of some size, and what is done until it shows what is wanted.
type shot struct {
	name          string
	width, height int
	command       string
	steps         []step
}

// step waits until the screen shows a text, then presses keys, as tmux names them.
type step struct {
	wait string
	keys []string
}

var shots = []shot{
	{"run", 120, 40, "run quick", []step{{"● done", nil}}},
	{"task", 100, 44, "replay runs/*", []step{{"replay", []string{">"}}, {"● evaluate", []string{"9", "f", "Down", "Enter"}}, {"Answers", nil}}},
	{"walkthrough", 80, 24, "walkthrough propel", walk(6)},
}

// walk turns to a page of the walkthrough, and to its question.
func walk(page int) []step {
	var steps []step
	for p := 1; p < page; p++ {
		steps = append(steps, step{fmt.Sprintf("page %d of", p), []string{"Right"}}, step{"Question:", []string{"Right"}}, step{"Answer:", []string{"Right"}})
	}
	return append(steps, step{"RVP 0", nil})
}

func main() {
	if err := makeAll(); err != nil {
		fmt.Fprintln(os.Stderr, "screens:", err)
		os.Exit(1)
	}
}

func makeAll() error {
	work, err := os.MkdirTemp("", "screens")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	verge := filepath.Join(work, "verge")
	if out, err := exec.Command("go", "build", "-o", verge, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("building verge: %w\n%s", err, out)
	}
	for _, s := range shots {
		screen, err := s.take(work, verge)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		path := filepath.Join("docs", "screens", s.name+".svg")
		if err := os.WriteFile(path, []byte(svg(screen, s.width, s.height)), 0o644); err != nil {
			return err
		}
		fmt.Println(path)
	}
	return nil
}

// patience is how long a step may wait.
const patience = 3 * time.Minute

// take runs the command in a terminal of its own and returns what it shows at last, with its colours.
func (s shot) take(work, verge string) (string, error) {
	socket := filepath.Join(work, s.name+".tmux")
	tmux := func(arguments ...string) (string, error) {
		out, err := exec.Command("tmux", append([]string{"-f", "/dev/null", "-S", socket}, arguments...)...).CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("tmux %s: %w\n%s", arguments[0], err, out)
		}
		return string(out), nil
	}
	_, err := tmux("new-session", "-d", "-x", strconv.Itoa(s.width), "-y", strconv.Itoa(s.height), "-c", work, "-e", "LC_ALL=C.UTF-8", "-e", "COLORTERM=truecolor", "-e", "VERGE_THEME=dark",
		verge+" "+s.command)
	if err != nil {
		return "", err
	}
	defer tmux("kill-server")
	for _, step := range s.steps {
		deadline := time.Now().Add(patience)
		for {
			screen, err := tmux("capture-pane", "-p")
			if err != nil {
				return "", err
			}
			if strings.Contains(screen, step.wait) {
				break
			}
			if time.Now().After(deadline) {
				return "", fmt.Errorf("%q does not come:\n%s", step.wait, screen)
			}
			time.Sleep(100 * time.Millisecond)
		}
		for _, key := range step.keys {
			if _, err := tmux("send-keys", key); err != nil {
				return "", err
			}
			time.Sleep(300 * time.Millisecond)
		}
	}
	time.Sleep(time.Second) // the last frame
	screen, err := tmux("capture-pane", "-p", "-e")
	if err != nil {
		return "", err
	}
	_, err = tmux("send-keys", "q", "y") // a run that goes on is kept, for the next picture
	time.Sleep(time.Second)
	return screen, err
}
