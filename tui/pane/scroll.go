package pane

import (
	"fmt"
	"math"

	"verge/tui/keys"
	"verge/tui/text"
	"verge/tui/theme"
)

// scroll is where a text that is longer than its box is scrolled to.
type scroll struct {
	top  int // the first line that is shown
	page int // lines that were shown last
}

// do scrolls by an action of keys.Scroll; view keeps to the lines that there are.
func (s *scroll) do(a keys.Action) {
	switch a {
	case keys.Up:
		s.top--
	case keys.Down:
		s.top++
	case keys.PageUp:
		s.top -= max(1, s.page-1)
	case keys.PageDown:
		s.top += max(1, s.page-1)
	case keys.Top:
		s.top = 0
	case keys.Bottom:
		s.top = math.MaxInt32
	}
}

// view is the lines that are shown; where there are more, a last one says which.
func (s *scroll) view(c Context, lines []string, width, height int) []string {
	if len(lines) <= height {
		s.top, s.page = 0, height
		return lines
	}
	s.page = max(0, height-1)
	s.top = max(0, min(s.top, len(lines)-s.page))
	shown := lines[s.top : s.top+s.page : s.top+s.page]
	return append(shown, c.Paint(theme.Muted, text.Cut(fmt.Sprintf("lines %d to %d of %d", s.top+1, s.top+s.page, len(lines)), width)))
}
