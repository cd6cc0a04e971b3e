package chart

import (
	"verge/tui/text"
	"verge/tui/theme"
)

// Forecast is one way of predicting, by groups of predictions.
type Forecast struct {
	Name   string
	Token  theme.Token
	Mark   rune // of a group, one cell wide
	Groups []Group
}

// Group is some predictions: their mean probability and how often what they predicted came about.
type Group struct {
	Predicted, Observed float64
}

// Reliability is a reliability diagram: observed over predicted, beside the diagonal of a calibrated forecast.
type Reliability struct {
	Forecasts []Forecast
}

// Draw draws the diagram into width × height cells. Both axes cover the same values, so that the rare is not in a corner. Too small a box
// gets the groups of the last forecast as text.
func (c Reliability) Draw(t *theme.Theme, width, height int) []string {
	if none(width, height) {
		return nil
	}
	values := []float64{0}
	for _, f := range c.Forecasts {
		for _, g := range f.Groups {
			if finite(g.Predicted) && finite(g.Observed) {
				values = append(values, g.Predicted, g.Observed)
			}
		}
	}
	rows := height - 2
	x, y := newAxis(values, max(1, width/12), false), newAxis(values, max(1, rows/3), false)
	labels := 0
	for _, v := range y.ticks {
		labels = max(labels, text.Width(Number(v)))
	}
	columns := width - labels - 1
	if columns < minPlaneWidth || rows < minPlaneHeight || len(values) == 1 {
		return box([]string{c.words(t)}, width, height)
	}
	s := newSurface(width, height-1)
	p := plane{s, labels + 1, columns, rows, x, y}
	p.axes(labels, "predicted")
	p.line(Series{X: []float64{y.low, y.high}, Y: []float64{y.low, y.high}, Stroke: Dotted, Token: theme.Muted})
	head := t.Paint(theme.Muted, "observed  "+Dotted.sample()+" calibrated")
	for _, f := range c.Forecasts {
		p.groups(f)
		head += "  " + t.Paint(f.Token, string(f.Mark)+" "+text.Safe(f.Name))
	}
	return append([]string{text.Fit(head, width)}, s.lines(t)...)
}

// groups marks the groups of a forecast.
func (p plane) groups(f Forecast) {
	for _, g := range f.Groups {
		if !finite(g.Predicted) || !finite(g.Observed) {
			continue
		}
		p.set(p.column(g.Predicted), p.row(g.Observed), f.Mark, f.Token)
	}
}

func (c Reliability) words(t *theme.Theme) string {
	line := t.Paint(theme.Muted, "predicted → observed")
	if n := len(c.Forecasts); n > 0 {
		f := c.Forecasts[n-1]
		for _, g := range f.Groups {
			line += "  " + t.Paint(f.Token, Number(g.Predicted)+" → "+Number(g.Observed))
		}
	}
	return line
}
