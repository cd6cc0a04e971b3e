package compare

import (
	"fmt"
	"strconv"
	"strings"

	"verge/tui/board"
	"verge/tui/chart"
	"verge/tui/figure"
	"verge/tui/rows"
	"verge/tui/session"
	"verge/tui/text"
	"verge/tui/theme"
)

// The sides' names and styles.
var (
	names  = [2]string{"A", "B"}
	tokens = [2]theme.Token{theme.SeriesA, theme.SeriesB}
)

// View implements screen.Screen.
func (s *Screen) View(width, height int) []string {
	lines := []string{s.sideLine(0, width), s.sideLine(1, width)}
	if s.opened != nil {
		return append(lines, s.task(width, height-len(lines))...)
	}
	if waits := s.pending(width); len(waits) > 0 {
		return append(append(lines, ""), waits...)
	}
	shown := len(s.result.figures)
	switch {
	case height < 20:
		shown = min(shown, 3)
	case height < 30:
		shown = min(shown, 5)
	}
	lines = append(lines, s.figures(shown, width)...)
	lines = append(lines, s.shared(width)...)
	lines = append(lines, s.tabs(width))
	room := height - len(lines)
	if s.settings {
		return append(lines, s.settingsTable(width, room)...)
	}
	return append(lines, s.tasksTable(width, room)...)
}

// pending says what is waited for, and how far that is; nothing when there is something to show.
func (s *Screen) pending(width int) []string {
	look := s.env.Theme
	sessions, whats := s.sessions[:], []string{"run A", "run B"}
	if s.sessions[0] == s.sessions[1] {
		sessions, whats = s.sessions[:1], []string{"the run"}
	}
	var lines []string
	ready := true
	for i, run := range sessions {
		switch st := run.Status(); {
		case st.State == session.Loading:
			ready = false
			lines = append(lines, fmt.Sprintf("%s reading %s  %s %3.0f %%", look.Paint(theme.Accent, theme.Running), whats[i], chart.Gauge(look, st.Loaded, min(30, width/3)), 100*st.Loaded))
		case run.Board().Run == nil && st.Error != "":
			ready = false
			lines = append(lines, rows.Paragraphs(look, []rows.Cell{{Text: theme.Broken + " " + whats[i] + ": " + st.Error, Token: theme.Bad}}, width, 4)...)
		case run.Board().Run == nil:
			ready = false
			lines = append(lines, look.Paint(theme.Muted, theme.Waiting+" "+whats[i]+" has not begun: there is nothing to compare yet"))
		default:
			lines = append(lines, look.Paint(theme.Good, theme.Done)+" "+whats[i]+" is read")
		}
	}
	switch {
	case !ready:
		return lines
	case s.result != nil && s.result.of == s.chosen():
		return nil
	}
	return append(lines, look.Paint(theme.Accent, theme.Running)+" comparing")
}

// sideLine says what a side is.
func (s *Screen) sideLine(i, width int) string {
	look, status := s.env.Theme, s.sessions[i].Status()
	line := look.Paint(tokens[i], names[i]+" ") + look.Paint(theme.Strong, text.Safe(s.arms[i]))
	what := status.Run
	if run := s.sessions[i].Board().Run; run != nil {
		what = fmt.Sprintf("  %s, seed %d, %s  %s", run.Profile, run.Seed, status.State, status.Run)
	}
	return text.Fit(line+look.Paint(theme.Muted, text.Safe(what)), width)
}

var figureColumns = []rows.Column{{Min: 16, Max: 20}, {Head: "A", Min: 7, Max: 12, Right: true}, {Head: "B", Min: 7, Max: 12, Right: true}, {Head: "B − A, 95 % unpaired", Min: 20, Max: 24}}

// figures is the first n figures side by side.
func (s *Screen) figures(n, width int) []string {
	table := rows.Share(figureColumns, width)
	lines := []string{table.Head(s.env.Theme)}
	for _, f := range s.result.figures[:n] {
		lines = append(lines, table.Line(s.env.Theme, false, []rows.Cell{
			{Text: f.name, Token: theme.Muted}, {Text: f.unit.value(f.values[0]), Token: tokens[0]}, {Text: f.unit.value(f.values[1]), Token: tokens[1]},
			{Text: f.unit.difference(f.difference), Token: leaning(f.difference)},
		}))
	}
	return lines
}

// leaning is the style of a difference: plain where its interval holds 0.
func leaning(e estimate) theme.Token {
	if e.low != nil && (*e.low > 0 || *e.high < 0) {
		return theme.Strong
	}
	return theme.Text
}

// shared says what the tasks that both evaluated come to.
func (s *Screen) shared(width int) []string {
	r := s.result
	cells := []rows.Cell{{Text: "No task is in both evaluations: nothing can be paired.", Token: theme.Muted}}
	if r.pairs > 0 {
		cells = []rows.Cell{
			{Text: fmt.Sprintf("%d shared tasks, paired by statement: in band in both %d, in A only %d, in B only %d. Left out: %d that repeat one or are longer than %d bytes.",
				r.pairs, r.inBand[1][1], r.inBand[1][0], r.inBand[0][1], r.left, longest)},
			{Text: fmt.Sprintf("Over them, in points, B − A: in band %s, solve rate %s.", share.difference(r.inBandBy), share.difference(r.ratesBy)), Token: theme.Strong},
		}
	}
	if r.bands[0] != r.bands[1] {
		cells = append(cells, rows.Cell{Text: fmt.Sprintf("%s The bands differ: %s and %s.", theme.Broken, bandOf(r, 0), bandOf(r, 1)), Token: theme.Warn})
	}
	return rows.Paragraphs(s.env.Theme, cells, width, 2)
}

func bandOf(r *result, i int) string {
	return fmt.Sprintf("%s %.3g to %.3g", names[i], r.bands[i].Low, r.bands[i].High)
}

// tabs names the two lists.
func (s *Screen) tabs(width int) string {
	look := s.env.Theme
	tab := func(on bool, name string) string {
		if on {
			return look.Paint(theme.Focus, theme.Selected+" "+name)
		}
		return look.Paint(theme.Muted, "  "+name)
	}
	line := tab(!s.settings, fmt.Sprintf("flipped tasks %d", len(s.result.flipped))) + "  " + tab(s.settings, fmt.Sprintf("settings that differ %d", len(s.result.settings)))
	line = look.Paint(theme.Border, "── ") + line + " "
	return line + look.Paint(theme.Border, strings.Repeat("─", max(0, width-text.Width(line))))
}

var taskColumns = []rows.Column{{Head: "task", Min: 20, Max: 120}, {Head: "type", Min: 8, Max: 14, Rank: 1}, {Head: "A right", Min: 8, Right: true}, {Head: "B right", Min: 8, Right: true}}

// tasksTable is the tasks that are in band on one side alone.
func (s *Screen) tasksTable(width, height int) []string {
	look, flipped := s.env.Theme, s.result.flipped
	if len(flipped) == 0 {
		return []string{look.Paint(theme.Muted, text.Cut("No task is in band on one side alone.", width))}
	}
	table := rows.Share(taskColumns, width)
	lines := []string{table.Head(look)}
	from, to := s.tasks.Sight(len(flipped), height-1)
	for i := from; i < to; i++ {
		p := flipped[i]
		lines = append(lines, table.Line(look, i == s.tasks.At, []rows.Cell{
			{Text: p.tasks[0].Statement}, {Text: p.tasks[0].Type, Token: theme.Muted},
			{Text: rightOf(p.tasks[0], p.inBand[0]), Token: tokens[0]}, {Text: rightOf(p.tasks[1], p.inBand[1]), Token: tokens[1]},
		}))
	}
	return lines
}

// rightOf is a task's right attempts of all, with a star when it is in band.
func rightOf(t board.Task, inBand bool) string {
	star := " "
	if inBand {
		star = theme.InBand
	}
	return star + " " + strconv.Itoa(t.Right) + "/" + strconv.Itoa(t.Graded())
}

var settingColumns = []rows.Column{{Head: "key", Min: 18, Max: 34}, {Head: "A", Min: 16, Max: 70}, {Head: "B", Min: 16, Max: 70}}

// settingsTable is the settings that differ.
func (s *Screen) settingsTable(width, height int) []string {
	look, settings := s.env.Theme, s.result.settings
	if len(settings) == 0 {
		return []string{look.Paint(theme.Muted, text.Cut("Both sides were made with the same settings, models and version.", width))}
	}
	table := rows.Share(settingColumns, width)
	lines := []string{table.Head(look)}
	from, to := s.scroll.Sight(len(settings), height-1)
	for _, d := range settings[from:to] {
		lines = append(lines, table.Line(look, false, []rows.Cell{{Text: d.key}, valueCell(d.values[0], tokens[0]), valueCell(d.values[1], tokens[1])}))
	}
	return lines
}

func valueCell(value string, token theme.Token) rows.Cell {
	if value == "" {
		return rows.Cell{Text: figure.Unknown, Token: theme.Muted}
	}
	return rows.Cell{Text: value, Token: token}
}
