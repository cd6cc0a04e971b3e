package pane_test

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/fixture"
	"verge/tui/keys"
	"verge/tui/pane"
	"verge/tui/runscreen"
)

// asked is what a person does in a pane: actions, and texts that are typed with Enter.
type asked struct {
	action keys.Action
	text   string
}

// Panes as they look after somebody has used them.
func TestGoldenLists(t *testing.T) {
	for _, test := range []struct {
		name, pane string
		asked      []asked
	}{
		{"gates-refused", "gates", []asked{{keys.Sort, ""}, {keys.PageUp, ""}}},
		{"log-filtered", "log", []asked{{keys.Filter, "update"}, {keys.Up, ""}}},
		{"tasks-searched", "tasks", []asked{{keys.Sort, ""}, {keys.Search, "sum"}, {keys.Down, ""}, {keys.Down, ""}}},
		{"tasks-opened", "tasks", []asked{{keys.Sort, ""}, {keys.Open, ""}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := context(t, fixture.PROPEL(), "propel")
			p := find(t, test.pane)
			p.View(c, 118, 36)
			for _, a := range test.asked {
				if cmd := p.Do(a.action, c); cmd != nil {
					p.Receive(cmd(), c)
				}
				if a.text != "" {
					p.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(a.text)}, c)
					p.Type(tea.KeyMsg{Type: tea.KeyEnter}, c)
				}
				p.View(c, 118, 36)
			}
			golden(t, test.name, p, c)
		})
	}
}

func find(t *testing.T, name string) pane.Pane {
	t.Helper()
	for _, p := range runscreen.Panes() {
		if p.Name() == name {
			return p
		}
	}
	t.Fatalf("there is no pane %s", name)
	return nil
}
