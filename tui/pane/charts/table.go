package charts

import (
	"strings"

	"verge/tui/text"
	"verge/tui/theme"

	"verge/tui/pane"
)

// row is a line of a table: its cells, safe to draw, and how they are painted.
type row struct {
	cells []string
	token theme.Token
}

// table draws rows below a heading: the first column to the left, the others to the right. Columns that have no room are left out from the
// last on; the first is cut before that, to no less than minFirst.
func table(c pane.Context, width int, head []string, rows []row) []string {
	widths := make([]int, len(head))
	for i, h := range head {
		widths[i] = text.Width(h)
		for _, r := range rows {
			if i < len(r.cells) {
				widths[i] = max(widths[i], text.Width(r.cells[i]))
			}
		}
	}
	shown, taken := 1, min(widths[0], max(minFirst, width/4))
	for shown < len(widths) && taken+columnGap+widths[shown] <= width {
		taken += columnGap + widths[shown]
		shown++
	}
	widths[0] = min(widths[0], min(widths[0], max(minFirst, width/4))+width-taken)
	line := func(cells []string, k theme.Token) string {
		var b strings.Builder
		b.WriteString(text.Fit(cells[0], widths[0]))
		for i := 1; i < min(shown, len(cells)); i++ {
			b.WriteString(strings.Repeat(" ", columnGap) + text.Right(cells[i], widths[i]))
		}
		return c.Paint(k, b.String())
	}
	out := []string{line(head, theme.Muted)}
	for _, r := range rows {
		out = append(out, line(r.cells, r.token))
	}
	return out
}

const (
	columnGap = 2
	minFirst  = 8
)
