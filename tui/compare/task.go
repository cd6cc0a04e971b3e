package compare

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/layout"
	"verge/tui/rows"
	"verge/tui/session"
	"verge/tui/text"
	"verge/tui/theme"
)

// opened is the task that is looked at.
type opened struct {
	pair    pair
	details details
	scroll  rows.Scroll
}

// details brings what is stored of a task on both sides.
type details struct {
	screen  *Screen
	pair    pair
	details [2]session.Detail
	errs    [2]error
	read    bool
}

// open looks up the selected task.
func (s *Screen) open() tea.Cmd {
	p := s.result.flipped[s.tasks.At]
	s.opened = &opened{pair: p, details: details{screen: s, pair: p}}
	sessions := s.sessions
	return func() tea.Msg {
		d := details{screen: s, pair: p, read: true}
		for i, session := range sessions {
			d.details[i], d.errs[i] = session.Detail(p.tasks[i].Key)
		}
		return d
	}
}

// task draws the opened task: its statement, then the attempts of both sides, beside each other where there is room.
func (s *Screen) task(width, height int) []string {
	look, o := s.env.Theme, s.opened
	lines := rows.Paragraphs(look, []rows.Cell{{Text: o.pair.tasks[0].Statement, Token: theme.Strong}, {}}, width, 8)
	if !o.details.read {
		lines = append(lines, look.Paint(theme.Muted, "Reading"+text.Ellipsis))
	} else if layout.Columns(width) > 1 {
		half := (width - 3) / 2
		a, b := s.attempts(0, half), s.attempts(1, half)
		n := max(len(a), len(b))
		lines = append(lines, strings.Split(text.Beside(look.Paint(theme.Border, " │ "), text.Box(a, half, n), text.Box(b, half, n)), "\n")...)
	} else {
		lines = append(append(append(lines, s.attempts(0, width)...), ""), s.attempts(1, width)...)
	}
	from, to := o.scroll.Sight(len(lines), height)
	return lines[from:to]
}

// attempts is one side's attempts at the opened task.
func (s *Screen) attempts(i, width int) []string {
	t := s.opened.pair.tasks[i]
	cells := []rows.Cell{{Text: fmt.Sprintf("%s  %s  %s", names[i], rightOf(t, s.opened.pair.inBand[i]), t.Key), Token: tokens[i]}}
	if err := s.opened.details.errs[i]; err != nil {
		cells = append(cells, rows.Cell{Text: theme.Broken + " " + err.Error(), Token: theme.Bad})
	}
	for _, a := range s.opened.details.details[i].Attempts {
		glyph, token := theme.Verdict(a.Grading.Verdict)
		answer := "no answer"
		if a.Grading.Answer.Known {
			answer = a.Grading.Answer.Text
		}
		line := fmt.Sprintf("%s %d  %s", glyph, a.Attempt+1, answer)
		if a.Grading.Reason != "" {
			line += "  (" + a.Grading.Reason + ")"
		}
		cells = append(cells, rows.Cell{Text: line, Token: token})
	}
	return rows.Paragraphs(s.env.Theme, cells, width, 3)
}
