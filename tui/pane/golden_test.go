package pane_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"verge/runner/event"
	"verge/tui/board"
	"verge/tui/fixture"
	"verge/tui/pane"
	"verge/tui/session"
	"verge/tui/text"
	"verge/tui/theme"
)

var update = flag.Bool("update", false, "write the golden drawings instead of comparing with them")

// drawings are the screens that panes are drawn for, by name, and the cells that are left for a pane inside its border: alone on a screen,
// between header and footer; and as one of ten on a screen of 120 × 40.
var drawings = []struct {
	name          string
	width, height int
}{
	{"60x20", 58, 16}, {"80x24", 78, 20}, {"120x40", 118, 36}, {"200x60", 198, 56}, {"tile", 58, 6},
}

// A pane's drawing is what it was when somebody last looked at it. go test ./tui/pane -run TestGolden/NAME -update writes the drawings of
// one pane anew.
func TestGolden(t *testing.T) {
	c := context(t, fixture.PROPEL(), "propel")
	for _, p := range pane.All() {
		t.Run(p.Name(), func(t *testing.T) {
			golden(t, p.Name(), p, c)
		})
	}
}

// golden compares what a pane draws at each size with the drawings of a name, or writes them.
func golden(t *testing.T, name string, p pane.Pane, c pane.Context) {
	t.Helper()
	for _, d := range drawings {
		got := text.Box(p.View(c, d.width, d.height), d.width, d.height)
		checkBox(t, got, d.width, d.height)
		path := filepath.Join("testdata", "golden", name+"-"+d.name+".txt")
		if *update {
			if err := os.WriteFile(path, []byte(got+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("%v; write it with -update", err)
		}
		if got+"\n" != string(want) {
			t.Errorf("%s differs from\n%s\ngot\n%s", path, want, got)
		}
	}
}

// Whatever models and profiles wrote, and however small the box, a drawing stays in it and steers nothing.
func TestHostileTextStaysInTheBox(t *testing.T) {
	hostile := fixture.Hostile()
	for _, stream := range [][]event.Event{nil, hostile[:1], hostile} {
		arm := ""
		if len(stream) > 0 {
			arm = stream[0].(event.RunStarted).Arms[1]
		}
		c := context(t, stream, arm)
		for _, p := range pane.All() {
			t.Run(fmt.Sprintf("%s/%d events", p.Name(), len(stream)), func(t *testing.T) {
				if title := p.Title(c); title != text.Safe(title) {
					t.Errorf("title %q is not safe", title)
				}
				for _, width := range []int{1, 2, 5, 10, 19, 20, 33, 58, 80, 118, 198} {
					for _, height := range []int{1, 2, 3, 4, 6, 10, 16, 22, 36, 58} {
						checkBox(t, text.Box(p.View(c, width, height), width, height), width, height)
					}
				}
			})
		}
	}
}

// Before anything has happened, and while it happens, every pane has something to say, in every theme.
func TestEveryPaneSaysSomethingAtAnyTime(t *testing.T) {
	events := fixture.PROPEL()
	for n := 0; n < len(events); n += 199 {
		arm := ""
		if n > 0 {
			arm = "propel"
		}
		c := context(t, events[:n], arm)
		for _, p := range pane.All() {
			lines := p.View(c, 58, 16)
			if strings.TrimSpace(strings.Join(lines, "")) == "" {
				t.Errorf("%s is empty after %d events", p.Name(), n)
			}
		}
	}
}

// BenchmarkView draws every pane alone on a large screen, in colours.
func BenchmarkView(b *testing.B) {
	lipgloss.SetColorProfile(termenv.TrueColor)
	defer lipgloss.SetColorProfile(termenv.Ascii)
	c := context(b, fixture.PROPEL(), "propel")
	for _, p := range pane.All() {
		b.Run(p.Name(), func(b *testing.B) {
			for b.Loop() {
				p.View(c, 198, 56)
			}
		})
	}
}

func context(t testing.TB, events []event.Event, arm string) pane.Context {
	t.Helper()
	look, err := theme.New("dark")
	if err != nil {
		t.Fatal(err)
	}
	s := fixture.NewSession(events)
	return pane.Context{
		Snapshot: s.Board(), Status: s.Status(), Theme: look, Arm: arm, Focused: true,
		Detail: func(task board.Task) (session.Detail, error) { return s.Detail(task.Key) },
	}
}

// checkBox fails unless a drawing is height lines of width cells without anything that a terminal would obey. The test's theme writes no
// escape sequences: it draws for no terminal.
func checkBox(t *testing.T, drawing string, width, height int) {
	t.Helper()
	lines := strings.Split(drawing, "\n")
	if len(lines) != height {
		t.Fatalf("%d × %d: %d lines", width, height, len(lines))
	}
	for i, line := range lines {
		if got := text.Width(line); got != width {
			t.Fatalf("%d × %d: line %d is %d cells wide: %q", width, height, i, got, line)
		}
		if line != text.Safe(line) {
			t.Fatalf("%d × %d: line %d holds control characters: %q", width, height, i, line)
		}
	}
}
