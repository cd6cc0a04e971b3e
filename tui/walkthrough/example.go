package walkthrough

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"verge/domains"
	"verge/runner/event"
	"verge/tui/session"
	"verge/tui/text"
	"verge/tui/theme"
)

// example is a task of the run with all that is stored of it.
type example struct {
	of     session.Session
	key    event.Key
	detail session.Detail
	err    error
}

// lookUp is the command that reads the task that the page shows in full, where that is another one by now.
func (s *Screen) lookUp() tea.Cmd {
	if !s.page().example || s.looking {
		return nil
	}
	rows := attemptedRows(view{Snapshot: s.run.Board()}, 1)
	if len(rows) == 0 || s.example.of == s.run && s.example.key == rows[0].Key {
		return nil
	}
	s.looking = true
	run, key := s.run, rows[0].Key
	return func() tea.Msg {
		d, err := run.Detail(key)
		return example{run, key, d, err}
	}
}

// attempted lists tasks and how often each was right, and of the last one what every attempt answered and how that was graded.
func attempted(most int) func(v view, width, height int) []string {
	return func(v view, width, height int) []string {
		if v.Run == nil {
			return nil
		}
		const margin, narrow = 2, 30
		columns := max(1, min((width-margin)/narrow, v.Run.Attempts))
		cell := (width-margin)/columns - 1
		deep := (v.Run.Attempts + columns - 1) / columns
		rows := attemptedRows(v, max(1, min(most, height)-deep))
		if len(rows) == 0 {
			return []string{v.muted("the generator proposes its corpus, then the solver begins …")}
		}
		var lines []string
		for _, t := range rows {
			mark := " "
			if v.Band().Holds(t.Right, t.Graded()) {
				mark = v.Theme.Paint(theme.Band, theme.InBand)
			}
			lines = append(lines, statement(t, 2*width/5)+"  "+v.attempts(t)+" "+mark)
		}
		e := v.example
		switch {
		case e.err != nil:
			return append(lines, v.Theme.Paint(theme.Bad, text.Cut("its attempts could not be read: "+text.Safe(e.err.Error()), width)))
		case e.key != rows[len(rows)-1].Key:
			return append(lines, v.muted("  reading its attempts …"))
		}
		if known := e.detail.Validated; known != nil && known.Task.Oracle.Known {
			lines[len(lines)-1] += v.muted(" exact value ") + text.Safe(known.Task.Oracle.Text)
		}
		for row := range min(deep, height-len(lines)) {
			line := ""
			for i := row; i < len(e.detail.Attempts); i += deep {
				line += v.graded(e.detail.Attempts[i], cell) + " "
			}
			lines = append(lines, strings.Repeat(" ", margin)+line)
		}
		return lines
	}
}

// graded is one attempt in some cells: what was answered, and the verdict with its reason.
func (v view) graded(a event.AttemptGraded, width int) string {
	glyph, token := theme.Verdict(a.Grading.Verdict)
	answer := "no answer"
	if a.Grading.Answer.Known {
		answer = text.Safe(a.Grading.Answer.Text)
	}
	said := fmt.Sprintf("%d %s %s", a.Attempt+1, glyph, answer)
	why := string(a.Grading.Verdict)
	if a.Grading.Reason != "" && a.Grading.Verdict != domains.Right {
		why += ": " + text.Safe(a.Grading.Reason)
	}
	said = text.Cut(said, width)
	return v.Theme.Paint(token, said) + v.muted(text.Fit("  "+why, width-text.Width(said)))
}
