package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"

	"verge/tui/keys"
	"verge/tui/prompt"
	"verge/tui/text"
	"verge/tui/theme"
)

// palette finds an action by its name or explanation, and carries it out.
type palette struct {
	line     *prompt.Line
	bindings []keys.Binding
	found    []keys.Binding
	at       int
}

func newPalette(a *app) *palette {
	p := &palette{line: prompt.New("  :", ""), bindings: keys.Bindings.Of(append(a.top().Scopes(), keys.App)...)}
	p.find()
	return p
}

// Len and String make the bindings a source for package fuzzy.
func (p *palette) Len() int            { return len(p.bindings) }
func (p *palette) String(i int) string { return p.bindings[i].Short + " " + p.bindings[i].Help }

func (p *palette) find() {
	p.found, p.at = nil, 0
	if p.line.Value() == "" {
		p.found = p.bindings
		return
	}
	for _, m := range fuzzy.FindFrom(p.line.Value(), p) {
		p.found = append(p.found, p.bindings[m.Index])
	}
}

func (p *palette) key(a *app, k tea.KeyMsg) (bool, tea.Cmd) {
	switch k.String() {
	case "esc", "ctrl+c":
		return true, nil
	case "up", "ctrl+p":
		p.at = max(0, p.at-1)
	case "down", "ctrl+n":
		p.at = max(0, min(len(p.found)-1, p.at+1))
	case "enter":
		if len(p.found) == 0 {
			return false, nil
		}
		// Closed first: the action may open something of its own.
		a.over = nil
		return false, a.do(p.found[p.at].Action)
	default:
		before := p.line.Value()
		p.line.Type(k)
		if p.line.Value() != before {
			p.find()
		}
	}
	return false, nil
}

func (p *palette) lines(a *app, width, height int) []string {
	t := a.env.Theme
	out := []string{"", p.line.View(t, width), ""}
	first := max(0, p.at-max(1, height-5)+1)
	for i := first; i < len(p.found); i++ {
		b := p.found[i]
		mark, token := "  ", theme.Text
		if i == p.at {
			mark, token = theme.Selected+" ", theme.Select
		}
		line := fmt.Sprintf("%s %s %s", text.Fit(keys.Name(b.Keys[0]), 6), text.Fit(b.Short, 16), b.Help)
		out = append(out, "  "+t.Paint(token, text.Cut(mark+line, width-3)))
	}
	if len(p.found) == 0 {
		out = append(out, t.Paint(theme.Muted, "  nothing here is called that"))
	}
	return out
}
