// Package rows draws lists that a person moves in: a cursor, columns that share a width, paragraphs.
package rows

import "verge/tui/keys"

// Cursor is the selected row of a list, and which rows are in sight.
type Cursor struct {
	At     int
	top    int
	height int // as last drawn
}

// Move carries out an action of scope keys.Scroll on a list of n rows; false of any other action.
func (c *Cursor) Move(a keys.Action, n int) bool {
	at, ok := moved(a, c.At, n-1, c.height)
	c.At = at
	return ok
}

// Sight is which rows of n are in sight, from … to-1, in height lines. The selected one is among them.
func (c *Cursor) Sight(n, height int) (from, to int) {
	c.height = max(0, height)
	c.At = max(0, min(c.At, n-1))
	if c.height == 0 || n == 0 {
		c.top = 0
		return 0, 0
	}
	c.top = max(0, min(c.top, c.At, n-c.height))
	c.top = max(c.top, c.At-c.height+1)
	return c.top, min(n, c.top+c.height)
}

// Scroll is which lines of a text are in sight, where none is selected.
type Scroll struct{ top, lines, height int }

// Move carries out an action of scope keys.Scroll; false of any other action.
func (s *Scroll) Move(a keys.Action) bool {
	top, ok := moved(a, s.top, s.lines-s.height, s.height)
	s.top = top
	return ok
}

// Sight is which lines of a text of n are in sight, from … to-1, in height lines.
func (s *Scroll) Sight(n, height int) (from, to int) {
	s.lines, s.height = n, max(0, height)
	s.top = max(0, min(s.top, n-s.height))
	return s.top, min(n, s.top+s.height)
}

// moved is where an action leads to from a place in 0 … last, a page being of some height.
func moved(a keys.Action, at, last, height int) (int, bool) {
	switch a {
	case keys.Up:
		at--
	case keys.Down:
		at++
	case keys.PageUp:
		at -= max(1, height-1)
	case keys.PageDown:
		at += max(1, height-1)
	case keys.Top:
		at = 0
	case keys.Bottom:
		at = last
	default:
		return at, false
	}
	return max(0, min(at, last)), true
}
