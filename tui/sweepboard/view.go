package sweepboard

import (
	"fmt"
	"strconv"
	"strings"

	"verge/tui/figure"
	"verge/tui/rows"
	"verge/tui/screen"
	"verge/tui/text"
	"verge/tui/theme"
)

// The states of a cell.
const (
	done        = "done"
	running     = "running"
	failed      = "failed"
	interrupted = "interrupted"
	missing     = "missing"
)

var states = []string{done, running, failed, interrupted, missing}

// mark is a state's glyph and style.
func mark(state string) (string, theme.Token) {
	switch state {
	case done:
		return theme.Done, theme.Good
	case running:
		return theme.Running, theme.Accent
	case failed:
		return theme.Fail, theme.Bad
	case interrupted:
		return theme.Stopped, theme.Warn
	}
	return theme.Waiting, theme.Muted
}

// The cells that a seed takes as a dot, and with its figure; with the brackets of the selected one.
const (
	dotWidth  = 3
	cellWidth = 11
)

// View implements screen.Screen.
func (s *Screen) View(width, height int) []string {
	look := s.env.Theme
	if s.board == nil {
		if s.failure != "" {
			return rows.Paragraphs(look, []rows.Cell{{Text: theme.Broken + " " + s.failure, Token: theme.Bad}}, width, height)
		}
		return []string{look.Paint(theme.Muted, "Reading the sweep"+text.Ellipsis)}
	}
	bottom := s.describe(width)
	lines := s.head(width)
	s.places.Draw(width)
	for range lines {
		s.places.Add(rows.None)
	}
	room := height - len(lines) - len(bottom)
	lines = append(lines, s.grid(width, room)...)
	return append(rows.Fill(lines, height-len(bottom)), bottom...)
}

// head says how the sweep stands as a whole, and what the figures are.
func (s *Screen) head(width int) []string {
	look, b := s.env.Theme, s.board
	counts := map[string]int{}
	for _, c := range b.state.Cells {
		counts[c.State]++
	}
	state := look.Paint(theme.Muted, "at rest")
	if b.state.Running {
		state = look.Paint(theme.Accent, theme.Running+" goes on")
	}
	long, short := state, state
	for _, name := range states {
		if n := counts[name]; n > 0 {
			glyph, token := mark(name)
			short += "  " + look.Paint(token, fmt.Sprintf("%s %d", glyph, n))
			long += "  " + look.Paint(token, fmt.Sprintf("%s %d %s", glyph, n, name))
		}
	}
	if text.Width(long) > width {
		long = short
	}
	figure, compared := figures[s.figure].name, "; − base in points, paired by seed, 95 %"
	if caveat := " (few seeds: too narrow)"; text.Width(figure+compared+caveat) <= width {
		compared += caveat
	}
	const most = 5
	lines := []string{text.Fit(long, width)}
	if why := b.state.Stopped; why != "" {
		lines = append(lines, rows.Paragraphs(look, []rows.Cell{{Text: theme.Broken + " " + why, Token: theme.Bad}}, width, most)...)
	}
	return append(lines, text.Fit(look.Paint(theme.Strong, figure)+look.Paint(theme.Muted, compared), width))
}

// grid is the rows of the board that are in sight, below the names of the columns.
func (s *Screen) grid(width, height int) []string {
	look, b := s.env.Theme, s.board
	// All seeds with their figures where they have room, else as dots, of which a part may be in sight.
	seedWidth, wide := cellWidth, true
	table := share(columns(true), width-len(b.seeds)*cellWidth-1)
	if !table.Fits() {
		seedWidth, wide = dotWidth, false
		left := max(width-len(b.seeds)*dotWidth-1, width*7/10)
		if table = share(columns(true), left); !table.Fits() {
			table = share(columns(false), left)
		}
	}
	from, to := s.seeds.Sight(len(b.seeds), (width-table.Width()-1)/seedWidth)
	lines := []string{table.Head(look) + " " + s.seedsHead(from, to, wide)}
	s.places.Add(rows.None)

	begins := func(i int) bool { return i == 0 || b.rows[i].group != b.rows[i-1].group }
	for _, l := range s.rows.Lines(len(b.rows), height-1, begins) {
		r := b.rows[l.Row]
		if l.Heading {
			s.places.Add(rows.None)
			lines = append(lines, s.settings(b.groups[r.group], width))
			continue
		}
		s.places.Add(l.Row)
		selected := l.Row == s.rows.At
		line := table.Line(look, selected, r.cells(s.figure)) + " "
		for n := from; n < to; n++ {
			line += s.seed(r, b.seeds[n], selected && n == s.seeds.At, wide)
		}
		lines = append(lines, line)
	}
	return lines
}

// share gives columns a width, or what they can use of it.
func share(columns []rows.Column, width int) rows.Table {
	return rows.Share(columns, min(width, rows.Most(columns)))
}

func columns(errors bool) []rows.Column {
	mean := rows.Column{Head: "mean", Min: 7, Right: true}
	if errors {
		mean = rows.Column{Head: "mean ± s.e.", Min: 13, Right: true}
	}
	return []rows.Column{{Head: "arm", Min: 10, Max: 24}, mean, {Head: "− base", Min: 20, Max: 21, Rank: 1}}
}

// cells is a row's arm and what its seeds come to.
func (r row) cells(f int) []rows.Cell {
	s := r.figures[f]
	mean := rows.Cell{Text: figure.Percent(s.mean), Short: figure.Percent(s.mean), Token: theme.Strong}
	if s.se != nil {
		mean.Text += fmt.Sprintf(" ± %.1f", 100**s.se)
	}
	difference := rows.Cell{Token: theme.Muted}
	if r.arm != base && s.difference.Value != nil {
		difference = rows.Cell{Text: figure.Points(s.difference.Value) + " " + figure.Interval(s.difference.Low, s.difference.High), Token: verdict(s.difference.Low, s.difference.High)}
	}
	return []rows.Cell{{Text: r.arm}, mean, difference}
}

// verdict is the style of a difference whose interval leaves 0 out.
func verdict(low, high *float64) theme.Token {
	switch {
	case low != nil && *low > 0:
		return theme.Good
	case high != nil && *high < 0:
		return theme.Bad
	}
	return theme.Text
}

// seedsHead is the numbers of the seeds in sight.
func (s *Screen) seedsHead(from, to int, wide bool) string {
	b, look := s.board, s.env.Theme
	if wide {
		var line string
		for n := from; n < to; n++ {
			line += text.Fit(" seed "+strconv.FormatUint(b.seeds[n], 10), cellWidth)
		}
		return look.Paint(theme.Muted, line)
	}
	if to-from == len(b.seeds) {
		return look.Paint(theme.Muted, " seeds")
	}
	return look.Paint(theme.Muted, fmt.Sprintf(" %d-%d/%d", from+1, to, len(b.seeds)))
}

// settings is the line above the arms of a group.
func (s *Screen) settings(g group, width int) string {
	name := "the profile's settings"
	if len(g.values) > 0 {
		name = describeValues(s.board.state.Axes, g.values)
	}
	look := s.env.Theme
	return text.Fit(look.Paint(theme.Strong, text.Safe(name))+look.Paint(theme.Muted, fmt.Sprintf("  %d of %d done", g.done, len(g.cells))), width)
}

func describeValues(axes, values []string) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = v
		if i < len(axes) {
			parts[i] = axes[i] + " = " + v
		}
	}
	return strings.Join(parts, ", ")
}

// seed is one cell: its state, and in wide columns the row's figure.
func (s *Screen) seed(r row, seed uint64, selected, wide bool) string {
	cell, ok := s.board.groups[r.group].cells[seed]
	glyph, token := mark(cell.State)
	if !ok {
		glyph, token = " ", theme.Muted
	}
	content := glyph
	if wide {
		if cell.State == done {
			content += " " + figure.Percent(figures[s.figure].of(cell.Figures[r.arm]))
		}
		content = text.Fit(content, cellWidth-3)
	}
	edges := [2]string{" ", " "}
	if selected {
		edges = [2]string{"[", "]"}
	}
	look := s.env.Theme
	line := look.Paint(theme.Select, edges[0]) + look.Paint(token, content) + look.Paint(theme.Select, edges[1])
	if wide {
		line += " "
	}
	return line
}

// describe says all about the selected cell.
func (s *Screen) describe(width int) []string {
	look := s.env.Theme
	lines := []string{look.Paint(theme.Border, strings.Repeat("─", max(0, width)))}
	if r, cell, ok := s.selected(); ok {
		lines = append(lines, rows.Paragraphs(look, s.cellInWords(r, cell), width, 2)...)
	}
	if doing := s.one.Doing(); doing != "" {
		lines = append(lines, look.Paint(theme.Accent, text.Safe(doing)+text.Ellipsis))
	}
	if s.failure != "" {
		lines = append(lines, rows.Paragraphs(look, []rows.Cell{{Text: theme.Broken + " " + s.failure, Token: theme.Bad}}, width, 2)...)
	}
	return lines
}

func (s *Screen) cellInWords(r row, cell screen.SweepCell) []rows.Cell {
	glyph, token := mark(cell.State)
	what := fmt.Sprintf("%s %s: seed %d", glyph, cell.State, cell.Seed)
	if len(cell.Values) > 0 {
		what += ", " + describeValues(s.board.state.Axes, cell.Values)
	}
	if cell.State == done {
		f := cell.Figures[r.arm]
		what += fmt.Sprintf("; %s: in band %s, of valid %s, valid %s", r.arm, figure.Percent(f.InBand), figure.Percent(f.InBandGivenValid), figure.Percent(f.Valid))
	}
	out := []rows.Cell{{Text: what, Token: token}}
	if cell.Error != "" {
		out = append(out, rows.Cell{Text: cell.Error, Token: theme.Bad})
	}
	if cell.Run != "" {
		out = append(out, rows.Cell{Text: cell.Run, Token: theme.Muted})
	}
	return out
}
