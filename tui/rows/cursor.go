// Package rows draws lists that a person moves in: a cursor, and columns that share a width.
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
	switch a {
	case keys.Up:
		c.At--
	case keys.Down:
		c.At++
	case keys.PageUp:
		c.At -= max(1, c.height-1)
	case keys.PageDown:
		c.At += max(1, c.height-1)
	case keys.Top:
		c.At = 0
	case keys.Bottom:
		c.At = n - 1
	default:
		return false
	}
	c.At = max(0, min(c.At, n-1))
	return true
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
