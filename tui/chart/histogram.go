package chart

import (
	"strings"

	"github.com/NimbleMarkets/ntcharts/canvas/runes"

	"verge/tui/text"
	"verge/tui/theme"
)

// Histogram is a chart of vertical bars by category, of one series or of two side by side.
type Histogram struct {
	Labels []string // of the categories
	Marked []bool   // the categories that matter: their labels carry a mark and their own colour
	Name   string
	Values []float64 // 0 or more, by category
	// Base, where given, is the series that Values are compared with: its bars are shaded and stand to the left of the others.
	Base     []float64
	BaseName string
	Y        string // what the bars show, with units
}

// bin is what one group of bars shows: a category, or several where there is no room for each.
type bin struct {
	label       string
	marked      bool
	value, base float64
}

// Draw draws the histogram into width × height cells: a legend, the bars, their labels. Where categories have no room for a cell each,
// neighbours are added up. Too small a box gets the values as text.
func (h Histogram) Draw(t *theme.Theme, width, height int) []string {
	if none(width, height) {
		return nil
	}
	bars := 1
	if h.Base != nil {
		bars = 2
	}
	count := len(h.Values)
	if count == 0 || height < 3 || width < 2*bars {
		return box([]string{h.words(t)}, width, height)
	}
	bins := h.bins((count*bars + width - 1) / width)
	pitch := width / len(bins)
	gap := 0
	if pitch > bars {
		gap = 1
	}
	thick := min(8, (pitch-gap)/bars)
	pitch = thick*bars + gap
	rows := height - 2
	top := 0.0
	for _, b := range bins {
		top = max(top, b.value, b.base)
	}
	s := newSurface(width, height-1)
	for i, b := range bins {
		x := i * pitch
		if h.Base != nil {
			s.column(x, rows, thick, b.base, top, shade, theme.Base)
		}
		k := theme.SeriesA
		if b.marked {
			k = theme.Band
		}
		s.column(x+(bars-1)*thick, rows, thick, b.value, top, full, k)
	}
	s.labels(bins, pitch, rows)
	return append([]string{text.Fit(text.Whole(h.legend(t, top), "  ", width), width)}, s.lines(t)...)
}

// bins adds up each so many neighbours. Values that are not finite, or negative, count as nothing.
func (h Histogram) bins(each int) []bin {
	var out []bin
	for i := range h.Values {
		if i%each == 0 {
			out = append(out, bin{})
		}
		b := &out[len(out)-1]
		if i%each == 0 && i < len(h.Labels) {
			b.label = h.Labels[i]
		}
		b.marked = b.marked || i < len(h.Marked) && h.Marked[i]
		b.value += size(h.Values[i])
		if i < len(h.Base) {
			b.base += size(h.Base[i])
		}
	}
	return out
}

// size is a value as the length of a bar.
func size(x float64) float64 {
	if !finite(x) || x < 0 {
		return 0
	}
	return min(x, 1e300)
}

// column draws a bar of value/top of the rows above row, and at least a line for what is more than nothing.
func (s *surface) column(x, row, thick int, value, top float64, fill rune, k theme.Token) {
	if value <= 0 {
		for dx := range thick {
			s.set(x+dx, row-1, '▁', theme.Border)
		}
		return
	}
	length := max(1.0/8, value/top*float64(row))
	whole := int(length)
	for dx := range thick {
		for dy := range whole {
			s.set(x+dx, row-1-dy, fill, k)
		}
		if r := runes.LowerBlockElementFromFloat64(length - float64(whole)); fill == full && r != runes.Null {
			s.set(x+dx, row-1-whole, r, k)
		} else if fill != full && length-float64(whole) >= 0.5 || whole == 0 {
			s.set(x+dx, row-1-whole, '▂', k)
		}
	}
}

// labels writes the bins' labels below their bars, as many as have room, those of marked bins first.
func (s *surface) labels(bins []bin, pitch, row int) {
	for _, marked := range []bool{true, false} {
		for i, b := range bins {
			if b.marked != marked {
				continue
			}
			label, k := b.label, theme.Muted
			if marked {
				k = theme.Band
				if pitch > text.Width(label)+1 {
					label += theme.InBand
				}
			}
			s.place(i*pitch, row, label, k)
		}
	}
}

// place writes a label unless it would touch another.
func (s *surface) place(x, y int, label string, k theme.Token) {
	n := text.Width(label)
	if x+n > s.width {
		return
	}
	for dx := -1; dx <= n; dx++ {
		if s.at(x+dx, y).r != 0 {
			return
		}
	}
	s.write(x, y, label, k)
}

// legend names the bars and the top of their scale.
func (h Histogram) legend(t *theme.Theme, top float64) []string {
	parts := []string{t.Paint(theme.Muted, text.Safe(h.Y)+", top "+Number(top))}
	if h.Base != nil {
		parts = append(parts, t.Paint(theme.Base, string(shade)+" "+text.Safe(h.BaseName)))
	}
	if h.Name != "" {
		parts = append(parts, t.Paint(theme.SeriesA, string(full)+" "+text.Safe(h.Name)))
	}
	return parts
}

func (h Histogram) words(t *theme.Theme) string {
	var b strings.Builder
	b.WriteString(t.Paint(theme.Muted, text.Safe(h.Y)))
	for i, v := range h.Values {
		label := ""
		if i < len(h.Labels) {
			label = text.Safe(h.Labels[i])
		}
		b.WriteString(" " + t.Paint(theme.Muted, label+":") + Number(v))
	}
	return b.String()
}
