// Package layout decides where panes go: pure functions from a size to rectangles.
package layout

// Rect is a rectangle of cells, its border included.
type Rect struct{ X, Y, W, H int }

// Holds says that a cell is in the rectangle.
func (r Rect) Holds(x, y int) bool { return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H }

// The smallest screen that is drawn at all, and the sizes from which there are two columns and three.
const (
	MinWidth, MinHeight = 60, 20
	twoColumns          = 100
	threeColumns        = 160
)

// minPane is the least height of a pane beside others in a column.
const minPane = 8

// Columns is how many columns of panes a width has room for.
func Columns(width int) int {
	switch {
	case width >= threeColumns:
		return 3
	case width >= twoColumns:
		return 2
	}
	return 1
}

// Grid places up to count panes in columns over an area, and says how many of them have room: those at the start of the list. The
// rectangles cover the area without overlap; a column's last pane and the last column take what division leaves over.
func Grid(area Rect, count int) []Rect {
	columns := Columns(area.W)
	rows := max(1, area.H/minPane)
	count = min(count, columns*rows)
	columns = min(columns, count)
	var out []Rect
	x := area.X
	for c := range columns {
		w := (area.X + area.W - x) / (columns - c)
		n := count / columns
		if c < count%columns {
			n++
		}
		y := area.Y
		for r := range n {
			h := (area.Y + area.H - y) / (n - r)
			out = append(out, Rect{x, y, w, h})
			y += h
		}
		x += w
	}
	return out
}
