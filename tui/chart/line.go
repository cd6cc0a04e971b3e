package chart

import (
	"slices"

	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/canvas/graph"
	"github.com/NimbleMarkets/ntcharts/canvas/runes"

	"verge/tui/text"
	"verge/tui/theme"
)

// Stroke is how a line is drawn.
type Stroke int

// The strokes, in the order that series use them.
const (
	Solid Stroke = iota
	Dashed
	Dotted
)

// sample is a stroke in a legend.
func (s Stroke) sample() string { return [...]string{"⠒⠒", "⠒ ⠒", "⠂⠂"}[s] }

// draws says that the n-th dot of a line is set.
func (s Stroke) draws(n int) bool {
	switch s {
	case Dashed:
		return n%6 < 3
	case Dotted:
		return n%3 == 0
	}
	return true
}

// Series is one line of a chart. X and Y have one length; a point that is not finite is a gap.
type Series struct {
	Name   string
	Token  theme.Token
	Stroke Stroke
	X, Y   []float64
	// Low and High, where given, bound an interval of each point; they are drawn as whiskers.
	Low, High []float64
}

// Limit is a horizontal line that values are held to.
type Limit struct {
	Name  string
	Value float64
}

// Line is a chart of series over one x axis.
type Line struct {
	Series []Series
	X, Y   string // what the axes show, with units
	Limit  *Limit
	From   *float64 // a value that the y axis covers in any case
}

// The smallest drawing of a line: its plane, without labels.
const minPlaneWidth, minPlaneHeight = 8, 2

// Draw draws the chart into width × height cells. Below the plane come the x axis's labels, above it a legend; each is left out when the
// plane would be less than minPlane. Too small a box gets the last value of each series as text.
func (c Line) Draw(t *theme.Theme, width, height int) []string {
	if none(width, height) {
		return nil
	}
	series := c.whole()
	xs, ys := points(series)
	if c.Limit != nil && len(ys) > 0 {
		ys = append(ys, c.Limit.Value)
	}
	if c.From != nil {
		ys = append(ys, *c.From)
	}
	rows := height - 1 // less the legend
	if rows >= minPlaneHeight+1 {
		rows-- // less the x axis's labels
	}
	x, y := newAxis(xs, max(1, width/12), wholes(xs)), newAxis(ys, max(1, rows/3), false)
	labels := 0
	for _, v := range y.ticks {
		labels = max(labels, text.Width(Number(v)))
	}
	columns := width - labels - 1
	if columns < minPlaneWidth || rows < minPlaneHeight || len(xs) == 0 {
		return box(c.words(t, series), width, height)
	}
	lines := []string{text.Fit(text.Whole(c.legend(t, series), "  ", width), width)}
	s := newSurface(width, height-1)
	p := plane{s, labels + 1, columns, rows, x, y}
	p.axes(labels, c.X)
	if c.Limit != nil {
		p.limit(c.Limit.Value)
	}
	for _, one := range series {
		p.whiskers(one)
		p.line(one)
	}
	return append(lines, s.lines(t)...)
}

// whole are the series whose points have both coordinates, cut to the shorter of the two.
func (c Line) whole() []Series {
	out := slices.Clone(c.Series)
	for i, s := range out {
		n := min(len(s.X), len(s.Y))
		out[i].X, out[i].Y = s.X[:n], s.Y[:n]
		out[i].Low, out[i].High = s.Low[:min(n, len(s.Low))], s.High[:min(n, len(s.High))]
	}
	return out
}

// points are the finite points of all series by coordinate, and the bounds of their intervals among the ordinates.
func points(series []Series) (xs, ys []float64) {
	for _, s := range series {
		for i := range s.X {
			if finite(s.X[i]) && finite(s.Y[i]) {
				xs, ys = append(xs, s.X[i]), append(ys, s.Y[i])
				if i < len(s.Low) && i < len(s.High) {
					ys = append(ys, s.Low[i], s.High[i])
				}
			}
		}
	}
	return xs, ys
}

// legend names the y axis and the series.
func (c Line) legend(t *theme.Theme, series []Series) []string {
	names := []string{t.Paint(theme.Muted, text.Safe(c.Y))}
	for _, s := range series {
		if s.Name != "" {
			names = append(names, t.Paint(s.Token, s.Stroke.sample()+" "+text.Safe(s.Name)))
		}
	}
	if c.Limit != nil {
		names = append(names, t.Paint(theme.Warn, "╌╌ "+text.Safe(c.Limit.Name)))
	}
	return names
}

// words are the series' last values.
func (c Line) words(t *theme.Theme, series []Series) []string {
	line := t.Paint(theme.Muted, text.Safe(c.Y))
	for _, s := range series {
		last := Undefined
		for i := len(s.Y) - 1; i >= 0; i-- {
			if finite(s.Y[i]) {
				last = Number(s.Y[i])
				break
			}
		}
		name := text.Safe(s.Name)
		if name != "" {
			name += " "
		}
		line += " " + t.Paint(s.Token, name+last)
	}
	return []string{line}
}

// plane is the part of a surface that lines are drawn on, to the right of an axis at column left-1.
type plane struct {
	*surface
	left, columns, rows int
	x, y                axis
}

func (p plane) row(v float64) int {
	return int(float64(p.rows-1)*(1-unit(v, p.y.low, p.y.high)) + 0.5)
}

func (p plane) column(v float64) int {
	return p.left + int(float64(p.columns-1)*unit(v, p.x.low, p.x.high)+0.5)
}

// axes draws the y axis with its labels and, where there is a row for it, the labels of the x axis and its name.
func (p plane) axes(labels int, name string) {
	for y := range p.rows {
		p.set(p.left-1, y, '│', theme.Border)
	}
	taken := -1
	for _, v := range p.y.ticks {
		label, row := Number(v), p.row(v)
		if row == taken {
			continue
		}
		taken = row
		p.write(labels-text.Width(label), row, label, theme.Muted)
		p.set(p.left-1, row, '┤', theme.Border)
	}
	end := p.width // the first column that is not free for labels
	if n := text.Width(text.Safe(name)); n > 0 && n <= p.columns/2 {
		p.write(p.width-n, p.rows, name, theme.Muted)
		end -= n + 1
	}
	free := p.left - 1
	for _, v := range p.x.ticks {
		label := Number(v)
		n := text.Width(label)
		if x := min(p.column(v)-n/2, p.width-n); x >= free && x+n <= end {
			p.write(x, p.rows, label, theme.Muted)
			free = x + n + 1
		}
	}
}

func (p plane) limit(v float64) {
	if !finite(v) {
		return
	}
	for x := range p.columns {
		p.set(p.left+x, p.row(v), '╌', theme.Warn)
	}
}

// line draws a series in dots, eight a cell, and its points where it has gaps on both sides.
func (p plane) line(s Series) {
	grid := graph.NewBrailleGrid(p.columns, p.rows, 0, 1, 0, 1)
	n := 0
	var last *canvas.Point
	for i := range s.X {
		if !finite(s.X[i]) || !finite(s.Y[i]) {
			last = nil
			continue
		}
		at := grid.GridPoint(canvas.Float64Point{X: unit(s.X[i], p.x.low, p.x.high), Y: unit(s.Y[i], p.y.low, p.y.high)})
		if last == nil {
			grid.Set(at)
		} else {
			for _, dot := range graph.GetLinePoints(*last, at) {
				if s.Stroke.draws(n) {
					grid.Set(dot)
				}
				n++
			}
		}
		last = &at
	}
	for y, row := range grid.BraillePatterns() {
		for x, r := range row {
			if r == runes.BrailleBlockOffset {
				continue
			}
			if under := p.at(p.left+x, y).r; runes.IsBraillePattern(under) {
				r = runes.CombineBraillePatterns(under, r)
			}
			p.set(p.left+x, y, r, s.Token)
		}
	}
}

// whiskers draws the intervals of a series' points, below its line; where points are close, of every few.
func (p plane) whiskers(s Series) {
	free := p.left
	for i := range min(len(s.Low), len(s.High)) {
		if !finite(s.X[i]) || !finite(s.Y[i]) || !finite(s.Low[i]) || !finite(s.High[i]) {
			continue
		}
		x := p.column(s.X[i])
		if x < free {
			continue
		}
		free = x + 2
		top, bottom := p.row(s.High[i]), p.row(s.Low[i])
		for y := top; y <= bottom; y++ {
			p.set(x, y, '┊', s.Token)
		}
	}
}
