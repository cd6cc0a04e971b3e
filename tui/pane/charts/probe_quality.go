package charts

import (
	"fmt"
	"math"

	"verge/runner/event"
	"verge/tui/chart"
	"verge/tui/figure"
	"verge/tui/pane"
	"verge/tui/text"
	"verge/tui/theme"
)

// qualityTable has a row for each probe of the run, the shown one first: figures of its held-out scores.
func qualityTable(c pane.Context, shown *event.ProbeTrained, width int) []string {
	line := func(p *event.ProbeTrained, k theme.Token) row {
		q := p.Quality
		what := text.Safe(p.Kind)
		if p.Members > 1 {
			what += fmt.Sprintf(" ×%d", p.Members)
		}
		return row{[]string{text.Safe(p.Probe), figure.Number(q.AUROC, 3), span(q.AUROCLow, q.AUROCHigh), figure.Number(q.BalancedAccuracy, 3), figure.Number(q.RVP, 3),
			figure.Count(p.InBand) + "/" + figure.Count(p.Tasks), what, fmt.Sprint(p.Layer), text.Safe(p.Pooling)}, k}
	}
	rows := []row{line(shown, theme.Select)}
	for i := range c.Probes {
		if p := &c.Probes[i]; p != shown {
			rows = append(rows, line(p, theme.Text))
		}
	}
	return table(c, width, []string{"probe", "AUROC", "95 %", "bal. acc.", "RVP", "in band", "kind", "layer", "pooling"}, rows)
}

// span is an interval of a figure; "" where there is none.
func span(low, high *float64) string {
	if low == nil || high == nil {
		return ""
	}
	return fmt.Sprintf("[%.3f, %.3f]", *low, *high)
}

// decileBlock draws the share in band of each tenth of the corpus by held-out score, the highest first. Near-duplicates are among its tasks, so
// that counts stand beside the shares, and no interval that would take them to be independent.
func decileBlock(c pane.Context, p *event.ProbeTrained) block {
	n := len(p.Deciles)
	if n == 0 {
		return block{}
	}
	bars := chart.Bars{Max: 100, Head: []string{"score from … to", "in band", "%", "in band of tasks"}, Text: func(b chart.Bar) string { return figure.Number(&b.Value, 1) }}
	for i := n - 1; i >= 0; i-- {
		d := p.Deciles[i]
		bars.Rows = append(bars.Rows, chart.Bar{Label: fmt.Sprintf("%s … %s", figure.Signed(&d.Low, 1), figure.Signed(&d.High, 1)),
			Value: ratio(d.InBand, d.Tasks), Low: math.NaN(), High: math.NaN(), Note: fmt.Sprintf("%d of %d", d.InBand, d.Tasks), Token: theme.Band})
	}
	return block{rank: 4, min: min(n, 5) + 1, max: n + 1, draw: func(width, height int) []string { return bars.Draw(c.Theme, width, height) }}
}

// calibrationBlock draws the reliability of the probe's probabilities as they are and calibrated, below how well each predicts.
func calibrationBlock(c pane.Context, p *event.ProbeTrained, height int) block {
	looks := map[string]chart.Forecast{
		event.Uncalibrated: {Name: "as it is", Mark: '○', Token: theme.Base},
		event.Isotonic:     {Name: "isotonic", Mark: '▲', Token: theme.SeriesB},
		event.Platt:        {Name: "Platt", Mark: '●', Token: theme.SeriesA},
	}
	var diagram chart.Reliability
	var rows []row
	for _, calibration := range p.Quality.Calibrations {
		f := looks[calibration.Method]
		for _, bin := range calibration.Bins {
			f.Groups = append(f.Groups, chart.Group{Predicted: bin.Predicted, Observed: ratio(bin.InBand, bin.Tasks) / 100})
		}
		diagram.Forecasts = append(diagram.Forecasts, f)
		rows = append(rows, row{[]string{string(f.Mark) + " " + f.Name, figure.Number(calibration.Brier, 3), figure.Number(calibration.ECE, 3)}, f.Token})
	}
	if len(rows) == 0 {
		return block{}
	}
	return block{rank: 5, min: 1 + len(rows), max: height, draw: func(width, height int) []string {
		lines := table(c, width, []string{"calibration", "Brier", "ECE"}, rows)
		return append(lines, diagram.Draw(c.Theme, width, height-len(lines))...)
	}}
}

// monitorBlock draws how well the probe still ranks the tasks of the policy that it pays.
func monitorBlock(c pane.Context, a *event.Arm, height int) block {
	n := len(a.Monitored)
	if n == 0 {
		return block{}
	}
	area := chart.Series{Name: "AUROC, 95 %", Token: theme.SeriesA}
	for _, m := range a.Monitored {
		area.X, area.Y = append(area.X, float(m.Step)), append(area.Y, orNaN(m.AUROC))
		area.Low, area.High = append(area.Low, orNaN(m.AUROCLow)), append(area.High, orNaN(m.AUROCHigh))
	}
	last := a.Monitored[n-1]
	words := []string{fmt.Sprintf("on its policy's tasks: AUROC %s %s", figure.Number(last.AUROC, 3), span(last.AUROCLow, last.AUROCHigh)), fmt.Sprintf("of %d tasks", last.Recent), fmt.Sprintf("%d in band", last.InBand)}
	line := chart.Line{Series: []chart.Series{area}, X: "update", Limit: &chart.Limit{Name: "by chance", Value: 0.5}}
	return block{rank: 6, min: 1, max: height, draw: func(width, height int) []string {
		return append([]string{note(c, text.Whole(words, ", ", width))}, line.Draw(c.Theme, width, height-1)...)
	}}
}

// orNaN is a figure, or not a number where it is undefined.
func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}
