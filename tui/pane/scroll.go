package pane

import (
	"fmt"

	"verge/tui/rows"
	"verge/tui/text"
	"verge/tui/theme"
)

// Scrolled is the lines of a text that are in sight; where there are more, a last one says which.
func Scrolled(c Context, s *rows.Scroll, lines []string, width, height int) []string {
	if len(lines) <= height {
		s.Sight(len(lines), height)
		return lines
	}
	from, to := s.Sight(len(lines), height-1)
	return append(lines[from:to:to], c.Paint(theme.Muted, text.Cut(fmt.Sprintf("lines %d to %d of %d", from+1, to, len(lines)), width)))
}
