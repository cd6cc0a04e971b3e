package runscreen

import "strings"

// canvas is rows of boxes beside each other. Boxes have to cover it from left to right.
type canvas struct{ rows []strings.Builder }

func newCanvas(height int) *canvas { return &canvas{make([]strings.Builder, height)} }

// put adds a box, from row y on, to the right of what is there.
func (c *canvas) put(y int, lines []string) {
	for i, line := range lines {
		if y+i < len(c.rows) {
			c.rows[y+i].WriteString(line)
		}
	}
}

func (c *canvas) lines() []string {
	out := make([]string, len(c.rows))
	for i := range c.rows {
		out[i] = c.rows[i].String()
	}
	return out
}
