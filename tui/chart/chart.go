// Package chart draws figures in cells of a terminal. A drawing is exactly the lines and cells it was asked for, whatever the values:
// those that are not finite are gaps, and a box too small for a drawing gets its figures as text. A box of no width or no height is no
// lines at all.
//
// Dots, line points and blocks come from ntcharts. Its chart models are not used: NaN keeps their lines drawing for ever and makes their
// bars panic, a size of nothing panics, and they keep and render a style a cell, which takes a screen of 200 × 60 past 5 ms. Here cells
// hold a rune and a token, and a row is rendered by runs of one token.
//
// Every series has a line style, a mark or a filling besides its colour, so that a drawing reads without any.
package chart

import (
	"math"
	"strings"

	"verge/tui/text"
	"verge/tui/theme"
)

// Undefined stands where there is no value.
const Undefined = "–"

// The fillings of bars: of the first series, and of the one it is compared with.
const (
	full  = '█'
	shade = '▒'
)

// cell is a character one cell wide and what it means. No character is a blank.
type cell struct {
	r rune
	k theme.Token
}

// surface is what a drawing is made on; (0, 0) is the top left.
type surface struct {
	width, height int
	cells         []cell
}

func newSurface(width, height int) *surface {
	return &surface{width, height, make([]cell, width*height)}
}

// set changes one cell; what is outside is left out.
func (s *surface) set(x, y int, r rune, k theme.Token) {
	if x >= 0 && x < s.width && y >= 0 && y < s.height {
		s.cells[y*s.width+x] = cell{r, k}
	}
}

// at is a cell; what is outside is blank.
func (s *surface) at(x, y int) cell {
	if x < 0 || x >= s.width || y < 0 || y >= s.height {
		return cell{}
	}
	return s.cells[y*s.width+x]
}

// write puts characters from (x, y) to the right, a cell each: those that take more or less are replaced.
func (s *surface) write(x, y int, line string, k theme.Token) {
	for _, r := range text.Safe(line) {
		if r > '~' && text.Width(string(r)) != 1 {
			r = '\uFFFD'
		}
		s.set(x, y, r, k)
		x++
	}
}

// lines renders the surface, a run of one token at a time.
func (s *surface) lines(t *theme.Theme) []string {
	lines := make([]string, s.height)
	pens := pens{theme: t}
	var row strings.Builder
	for y := range lines {
		row.Reset()
		cells := s.cells[y*s.width : (y+1)*s.width]
		for x := 0; x < len(cells); {
			if cells[x].r == 0 {
				row.WriteByte(' ')
				x++
				continue
			}
			k := cells[x].k
			pen := pens.of(k)
			row.WriteString(pen.before)
			for x < len(cells) && cells[x].r != 0 && cells[x].k == k {
				row.WriteRune(cells[x].r)
				x++
			}
			row.WriteString(pen.after)
		}
		lines[y] = row.String()
	}
	return lines
}

// pen is what a token's style writes around a run of cells.
type pen struct {
	before, after string
	known         bool
}

// pens are those of a theme, each found once a drawing: rendering every run by its style would take most of the time of a drawing.
type pens struct {
	theme *theme.Theme
	made  []pen
}

func (p *pens) of(k theme.Token) pen {
	for len(p.made) <= int(k) {
		p.made = append(p.made, pen{})
	}
	if !p.made[k].known {
		before, after, _ := strings.Cut(p.theme.Paint(k, "x"), "x")
		p.made[k] = pen{before, after, true}
	}
	return p.made[k]
}

// box cuts and fills lines to height lines of width cells.
func box(lines []string, width, height int) []string {
	out := make([]string, height)
	for i := range out {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		out[i] = text.Fit(line, width)
	}
	return out
}

// none says that a box holds no cells.
func none(width, height int) bool { return width <= 0 || height <= 0 }

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// unit is where x lies between low and high, as a number in 0 … 1; in a range without width, the middle. The halves keep the width of
// the widest range finite.
func unit(x, low, high float64) float64 {
	width := high/2 - low/2
	if !(width > 0) || !finite(width) {
		return 0.5
	}
	return min(1, max(0, (x/2-low/2)/width))
}
