package charts

import (
	"strings"

	"verge/tui/text"
	"verge/tui/theme"

	"verge/tui/pane"
)

// The cells of a station in a box and of the shortest arrow between two.
const (
	boxWidth   = 13
	arrowWidth = 9
)

// boxes draws a stage as boxes with arrows between them, in five lines; nil where the width is short.
func boxes(c pane.Context, s stage, width int) []string {
	if width < len(s.nodes)*(boxWidth+arrowWidth)-arrowWidth+2 {
		return nil
	}
	_, token := pane.Mark(s.state)
	line := func(put func(node) (arrow, box string)) string {
		var b strings.Builder
		b.WriteString("  ")
		for i, n := range s.nodes {
			arrow, box := put(n)
			if i > 0 {
				b.WriteString(arrow)
			}
			b.WriteString(box)
		}
		return b.String()
	}
	blank := strings.Repeat(" ", arrowWidth)
	rule := strings.Repeat("─", boxWidth-2)
	edge := func(s string) string { return c.Paint(token, s) }
	lines := []string{
		s.title(c, width),
		line(func(n node) (string, string) {
			return c.Paint(theme.Muted, centre(n.share, arrowWidth)), edge("╭" + rule + "╮")
		}),
		line(func(n node) (string, string) {
			return edge(strings.Repeat("─", arrowWidth-1) + "▶"), edge("│") + centre(n.name, boxWidth-2) + edge("│")
		}),
		line(func(n node) (string, string) {
			return blank, edge("│") + c.Paint(theme.Strong, centre(n.count, boxWidth-2)) + edge("│")
		}),
		line(func(n node) (string, string) { return blank, edge("╰" + rule + "╯") }),
	}
	for i, drop := range s.drops[:min(len(s.drops), len(lines)-1)] {
		lines[i+1] += "  " + note(c, drop)
	}
	return lines
}

// flow draws a stage as its title, its stations in a row and their counts below; nil where the width is short.
func flow(c pane.Context, s stage, width int) []string {
	var names, counts []string
	for i, n := range s.nodes {
		name, count := n.name, n.count
		if n.share != "" {
			count += " (" + n.share + ")"
		}
		w := max(text.Width(name), text.Width(count))
		names, counts = append(names, text.Fit(name, w)), append(counts, c.Paint(theme.Strong, text.Fit(count, w)))
		if i < len(s.nodes)-1 {
			names[i] += c.Paint(theme.Muted, " ─▶ ")
			counts[i] += "    "
		}
	}
	lines := []string{s.title(c, width), "  " + strings.Join(names, ""), "  " + strings.Join(counts, "")}
	if text.Width(lines[1]) > width {
		return nil
	}
	return lines
}

// brief draws a stage in one line: its mark, its name and what came through its stations, as roomily as the width allows.
func brief(c pane.Context, s stage, width int) string {
	glyph, token := pane.Mark(s.state)
	head := c.Paint(token, glyph+" ") + c.Paint(theme.Strong, text.Fit(s.short, 8)) + " "
	stations := func(arrow string, units bool) string {
		var b strings.Builder
		for i, n := range s.nodes {
			if i > 0 {
				b.WriteString(c.Paint(theme.Muted, arrow))
			}
			b.WriteString(n.count)
			if i > 0 && units {
				b.WriteString(c.Paint(theme.Muted, " "+n.unit))
			}
		}
		return b.String()
	}
	line := head + stations(" → ", true)
	if text.Width(line) > width {
		line = head + stations("→", true)
	}
	if text.Width(line) > width {
		line = head + stations("→", false)
	}
	return text.Cut(line, width)
}

// centre is a line of width cells with s in the middle.
func centre(s string, width int) string {
	s = text.Cut(s, width)
	return text.Fit(strings.Repeat(" ", (width-text.Width(s))/2)+s, width)
}
