package tui

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/fixture"
	"verge/tui/guard"
	"verge/tui/keys"
	"verge/tui/screen"
	"verge/tui/screentest"
)

// faulty is a screen that panics where it is told to.
type faulty struct {
	screen.Screen
	in string
}

func (f faulty) View(width, height int) []string {
	if f.in == "view" {
		panic("in the view")
	}
	return nil
}

func (f faulty) Receive(tea.Msg) tea.Cmd {
	switch f.in {
	case "update":
		panic("in the update")
	case "command":
		return func() tea.Msg { panic("in the command") }
	case "batch":
		return tea.Batch(func() tea.Msg { panic("in the batch") }, func() tea.Msg { return nil })
	}
	return nil
}

func (faulty) Title() string              { return "faulty" }
func (faulty) Scopes() []keys.Scope       { return nil }
func (faulty) Refusal(keys.Action) string { return "" }
func (faulty) Reading() bool              { return false }

func TestAPanicEndsTheScreenInOrderWithAnError(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, in := range []string{"view", "update", "command", "batch"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		a := &app{env: screentest.Env(t, &fixture.Launcher{}), stack: []screen.Screen{faulty{in: in}}, goesOn: func() []string { return nil }, width: 80, height: 24}
		g := &guard.Guard{}
		var out bytes.Buffer
		err := show(ctx, a, g, tea.WithInput(nil), tea.WithOutput(&out))
		cancel()
		if err == nil || !strings.Contains(err.Error(), "in the "+in) {
			t.Errorf("a panic in the %s ends the screen with %v", in, err)
		}
		if errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a panic in the %s does not end the screen", in)
		}
		// The cursor is shown again.
		if !strings.Contains(out.String(), "\x1b[?25h") {
			t.Errorf("a panic in the %s leaves the terminal as it was: %q", in, out.String())
		}
	}
}
