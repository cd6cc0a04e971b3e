package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/text"
	"verge/tui/theme"
)

// question asks for one of some answers, each a key.
type question struct {
	text    string
	answers []answer
}

type answer struct {
	key, name string
	do        tea.Cmd
}

func (q *question) key(_ *app, k tea.KeyMsg) (bool, tea.Cmd) {
	name := k.String()
	if name == "esc" || name == "ctrl+c" {
		return true, nil
	}
	for _, answer := range q.answers {
		if name == answer.key {
			return true, answer.do
		}
	}
	return false, nil
}

func (q *question) lines(a *app, width, _ int) []string {
	t := a.env.Theme
	out := []string{""}
	for _, line := range text.Wrap(q.text, width-4) {
		out = append(out, "  "+line)
	}
	out = append(out, "")
	for _, answer := range q.answers {
		out = append(out, "  "+t.Paint(theme.Accent, answer.key)+"  "+answer.name)
	}
	return out
}
