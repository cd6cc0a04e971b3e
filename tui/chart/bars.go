package chart

import (
	"math"
	"strings"

	"github.com/NimbleMarkets/ntcharts/canvas/runes"

	"verge/tui/text"
	"verge/tui/theme"
)

// Bar is a row of a bar chart.
type Bar struct {
	Label     string
	Value     float64
	Low, High float64 // an interval of the value; not finite where there is none
	Note      string  // after the figures, such as a count
	Token     theme.Token
}

// Bars is a chart of horizontal bars, a row each.
type Bars struct {
	Rows []Bar
	Max  float64          // the value of a bar of full length; 0: that of the largest value or bound
	Text func(Bar) string // the figures of a row; nil: the value by Number
	Head []string         // headings of label, bar, figures and note; none without
}

// minBar is the least length of a full bar; without it there is none.
const minBar = 5

// Draw draws as many rows as height has room for, each as its label, the bar, the figures and the note; a last line counts those left out. Where
// the width is short the note goes first, then the bar.
//
// A bar is solid up to the low bound, shaded from there to the value, and a line goes on to the high bound.
func (c Bars) Draw(t *theme.Theme, width, height int) []string {
	if none(width, height) {
		return nil
	}
	labels, figures, notes := c.column(0), c.column(2), c.column(3)
	for _, b := range c.Rows {
		labels, figures, notes = max(labels, text.Width(text.Safe(b.Label))), max(figures, text.Width(c.figure(b))), max(notes, text.Width(text.Safe(b.Note)))
	}
	labels = min(labels, max(4, width/3))
	bar := width - labels - 1 - figures - 1
	if notes > 0 && bar-notes-2 >= minBar {
		bar -= notes + 2
	} else {
		notes = 0
	}
	if bar < minBar {
		bar = 0
	}
	top := c.Max
	if !(top > 0) {
		for _, b := range c.Rows {
			top = max(top, size(b.Value), size(b.High))
		}
	}
	var lines []string
	between := func(drawn, figure string) string {
		figure = text.Right(figure, figures)
		if bar > 0 {
			return drawn + " " + figure
		}
		return figure
	}
	line := func(label, middle, note string) {
		s := text.Fit(label, labels) + " " + middle
		if notes > 0 {
			s += "  " + text.Right(note, notes)
		}
		lines = append(lines, s)
	}
	if len(c.Head) == 4 && height > 1 {
		h := make([]string, 4)
		for i, s := range c.Head {
			h[i] = t.Paint(theme.Muted, text.Safe(s))
		}
		middle := between(text.Fit(h[1], bar), h[2])
		if bar > 0 && c.Head[2] == "" { // the bar's heading stands over the figures too
			middle = text.Fit(h[1], bar+1+figures)
		}
		line(h[0], middle, h[3])
	}
	rows := len(c.Rows)
	if room := height - len(lines); rows > room {
		rows = room - 1
	}
	for _, b := range c.Rows[:rows] {
		line(text.Safe(b.Label), between(b.draw(t, bar, top), c.figure(b)), t.Paint(theme.Muted, text.Safe(b.Note)))
	}
	if more := len(c.Rows) - rows; more > 0 {
		lines = append(lines, moreLine(t, more))
	}
	return box(lines, width, height)
}

// moreLine counts rows that have no room.
func moreLine(t *theme.Theme, n int) string {
	return t.Paint(theme.Muted, "+"+Number(float64(n))+" more")
}

// column is the width of a heading.
func (c Bars) column(i int) int {
	if len(c.Head) != 4 {
		return 0
	}
	return text.Width(text.Safe(c.Head[i]))
}

func (c Bars) figure(b Bar) string {
	if c.Text == nil {
		return Number(b.Value)
	}
	return c.Text(b)
}

// draw draws a bar of which top is width cells long.
func (b Bar) draw(t *theme.Theme, width int, top float64) string {
	if !finite(b.Value) || width <= 0 || !(top > 0) {
		return strings.Repeat(" ", max(0, width))
	}
	cells := func(v float64) float64 { return unit(size(v), 0, top) * float64(width) }
	value := cells(b.Value)
	low, high := value, value
	if finite(b.Low) && finite(b.High) {
		low, high = min(value, cells(b.Low)), max(value, cells(b.High))
	}
	row := make([]rune, width)
	for x := range row {
		at := float64(x)
		switch {
		case at+1 <= low || low == value && at+1 <= value:
			row[x] = full
		case low == value && at < value:
			row[x] = ' '
			if r := runes.LeftBlockElementFromFloat64(value - at); r != runes.Null {
				row[x] = r
			}
		case at+0.5 <= value:
			row[x] = '▓'
		case at+0.5 <= high:
			row[x] = '─'
		default:
			row[x] = ' '
		}
	}
	if end := int(math.Ceil(high)) - 1; high > value && end >= 0 && end < width && row[end] != '▓' {
		row[end] = '┤'
	}
	return t.Paint(b.Token, string(row))
}
