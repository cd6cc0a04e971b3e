package chart

import (
	"verge/tui/text"
	"verge/tui/theme"
)

// Forecast is a group of predictions: their mean probability and how often what they predicted came about.
type Forecast struct {
	Predicted, Observed float64
	Low, High           float64 // an interval of Observed; not finite where there is none
	Count               int
}

// Reliability is a reliability diagram: observed over predicted, beside the diagonal of a calibrated forecast.
type Reliability struct {
	Forecasts []Forecast
	Token     theme.Token
}

// Draw draws the diagram into width × height cells. Both axes go from 0 to the largest value, so that the rare is not in a corner. Too
// small a box gets the groups as text.
func (c Reliability) Draw(t *theme.Theme, width, height int) []string {
	if none(width, height) {
		return nil
	}
	values := []float64{0}
	for _, f := range c.Forecasts {
		if finite(f.Predicted) && finite(f.Observed) {
			values = append(values, f.Predicted, f.Observed)
			if finite(f.High) {
				values = append(values, f.High)
			}
		}
	}
	rows := height - 2
	x, y := newAxis(values, max(1, width/12), false), newAxis(values, max(1, rows/3), false)
	x.low, x.high = y.low, y.high
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
	diagonal := Series{X: []float64{y.low, y.high}, Y: []float64{y.low, y.high}, Stroke: Dotted, Token: theme.Muted}
	p.line(diagonal)
	for _, f := range c.Forecasts {
		if !finite(f.Predicted) || !finite(f.Observed) {
			continue
		}
		column := p.column(f.Predicted)
		if finite(f.Low) && finite(f.High) {
			for row := p.row(f.High); row <= p.row(f.Low); row++ {
				p.set(column, row, '│', c.Token)
			}
		}
		p.set(column, p.row(f.Observed), '●', c.Token)
	}
	head := t.Paint(theme.Muted, "observed") + "  " + t.Paint(c.Token, "● group") + "  " + t.Paint(theme.Muted, Dotted.sample()+" calibrated")
	return append([]string{text.Fit(head, width)}, s.lines(t)...)
}

func (c Reliability) words(t *theme.Theme) string {
	line := t.Paint(theme.Muted, "predicted → observed")
	for _, f := range c.Forecasts {
		line += "  " + t.Paint(c.Token, Number(f.Predicted)+" → "+Number(f.Observed))
	}
	return line
}
