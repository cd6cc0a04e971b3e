package pane

import (
	"fmt"
	"math"

	"verge/runner/event"
	"verge/tui/board"
	"verge/tui/chart"
	"verge/tui/figure"
	"verge/tui/text"
	"verge/tui/theme"
)

// probePane shows the rewards that a probe gives: where the arm's are against the base's, how they moved, and how well the probe ranks and
// predicts what attempts found.
type probePane struct{ still }

func newProbe() probePane { return probePane{} }

func (probePane) Name() string { return "probe" }

func (probePane) Title(c Context) string {
	if a := looked(c); a != nil {
		if p := shownProbe(c, a); p != nil {
			return "probe rewards · " + text.Safe(p.Probe)
		}
	}
	return "probe rewards"
}

func (probePane) View(c Context, width, height int) []string {
	a := looked(c)
	var p *event.ProbeTrained
	if a != nil {
		p = shownProbe(c, a)
	}
	if p == nil {
		return nothing(c, width, "The rewards that a probe gives to the arm's tasks, in logits, against those of the untrained generator's; how they move from update to update; and how well "+
			"the probe ranks and predicts: AUROC, calibration, the share in band by decile.",
			"PROPEL has it, in the arms that a probe pays: propel, propel-wco, propel-coevolve, cold-transfer, best-of-n and text-probe. It comes after the corpus is collected.")
	}
	mine, theirs := distributions(c, a, p)
	blocks := []block{{rank: 0, min: 1, max: 1, draw: func(width, _ int) []string { return []string{rewardLine(c, mine, theirs, width)} }}}
	if mine != nil || theirs != nil {
		blocks = append(blocks, block{rank: 1, min: 4, max: height, draw: func(width, height int) []string { return rewardHistogram(c, mine, theirs, width, height) }})
	}
	if steps := c.Steps[a.Name]; len(steps) > 1 {
		blocks = append(blocks, block{rank: 3, min: 6, max: height, draw: func(width, height int) []string { return rewardTrend(c, steps, theirs, width, height) }})
	}
	blocks = append(blocks, block{rank: 2, min: 2, max: 1 + len(c.Probes), draw: func(width, _ int) []string { return qualityTable(c, p, width) }})
	if n := len(p.Deciles); n > 0 {
		blocks = append(blocks, block{rank: 4, min: min(n, 5) + 1, max: n + 1, draw: func(width, height int) []string { return decileBars(c, p, width, height) }})
	}
	return arrange(width, height, 2, blocks...)
}

// shownProbe is the probe that pays the arm, or of an arm that none pays the one that was trained last; nil before any was.
func shownProbe(c Context, a *event.Arm) *event.ProbeTrained {
	if p := armProbe(c, a); p != nil {
		return p
	}
	if len(c.Probes) == 0 {
		return nil
	}
	return &c.Probes[len(c.Probes)-1]
}

// distributions are the scores of the arm's tasks, those it was trained on or chosen from, and of the untrained generator's; nil where
// there are none.
func distributions(c Context, a *event.Arm, p *event.ProbeTrained) (mine, theirs *board.Scores) {
	for i, s := range c.Scores {
		switch {
		case s.Probe != p.Probe:
		case s.Stage == event.Probe:
			theirs = &c.Scores[i]
		case s.Arm == a.Name && (s.Stage == event.Train || s.Stage == event.Choice):
			mine = &c.Scores[i]
		}
	}
	return mine, theirs
}

// rewardLine is mean and standard deviation of the two distributions.
func rewardLine(c Context, mine, theirs *board.Scores, width int) string {
	words := func(s *board.Scores) string {
		if s == nil {
			return figure.Unknown
		}
		return fmt.Sprintf("%s ± %s (%s)", figure.Signed(&s.Mean, 2), chart.Number(s.SD()), figure.Count(s.N))
	}
	line := c.Paint(theme.SeriesA, text.Safe(c.Arm)+" "+words(mine)) + note(c, ", ") + c.Paint(theme.Base, baseArm+" "+words(theirs))
	return text.Cut(note(c, "logit, mean ± SD: ")+line, width)
}

// rewardHistogram draws both distributions over the range that either has values in, each in percent of its own number.
func rewardHistogram(c Context, mine, theirs *board.Scores, width, height int) []string {
	first, last := board.Bins, -1
	for _, s := range []*board.Scores{mine, theirs} {
		if s == nil {
			continue
		}
		for i, n := range s.Bins {
			if n > 0 {
				first, last = min(first, i), max(last, i)
			}
		}
	}
	h := chart.Histogram{Name: text.Safe(c.Arm), Y: "% of valid tasks by logit"}
	if width < 60 {
		h.Y = "% by logit"
	}
	if theirs != nil {
		h.Base, h.BaseName = []float64{}, baseArm
	}
	each := max(1, (last-first+1)*cellsPerBin/width)
	for i := first; i <= last; i += each {
		h.Labels = append(h.Labels, chart.Number(board.MinLogit+board.BinWidth*float(i)))
		h.Values = append(h.Values, binShare(mine, i, each))
		if theirs != nil {
			h.Base = append(h.Base, binShare(theirs, i, each))
		}
	}
	return h.Draw(c.Theme, width, height)
}

// cellsPerBin is the width that a bin of logits should have at the least, so that labels have room.
const cellsPerBin = 5

// binShare is the percentage of a distribution in some bins from one on.
func binShare(s *board.Scores, from, count int) float64 {
	if s == nil || s.N == 0 {
		return 0
	}
	n := 0
	for _, k := range s.Bins[from:min(from+count, len(s.Bins))] {
		n += k
	}
	return 100 * float(n) / float(s.N)
}

// rewardTrend draws the mean logit of each update's valid tasks, with a standard deviation to both sides, beside the base's mean.
func rewardTrend(c Context, steps []board.Step, theirs *board.Scores, width, height int) []string {
	s := chart.Series{Name: "mean logit of an update ± SD", Token: theme.SeriesA}
	for _, step := range steps {
		mean, sd := math.NaN(), math.NaN()
		if step.Reward.N > 0 {
			mean, sd = step.Reward.Mean, step.Reward.SD()
		}
		s.X, s.Y, s.Low, s.High = append(s.X, float(step.Step+1)), append(s.Y, mean), append(s.Low, mean-sd), append(s.High, mean+sd)
	}
	line := chart.Line{Series: []chart.Series{s}, X: "update", Y: ""}
	if theirs != nil {
		line.Limit = &chart.Limit{Name: "base", Value: theirs.Mean}
	}
	return line.Draw(c.Theme, width, height)
}

// qualityTable has a row for each probe of the run, the shown one first: figures of its held-out scores.
func qualityTable(c Context, shown *event.ProbeTrained, width int) []string {
	line := func(p *event.ProbeTrained, k theme.Token) row {
		q := p.Quality
		what := text.Safe(p.Kind)
		if p.Members > 1 {
			what += fmt.Sprintf(" ×%d", p.Members)
		}
		return row{[]string{text.Safe(p.Probe), figure.Number(q.AUROC, 3), figure.Number(q.BalancedAccuracy, 3), figure.Number(q.Brier, 3), figure.Number(q.ECE, 3),
			figure.Number(q.RVP, 3), fmt.Sprintf("%d/%d", p.InBand, p.Tasks), what, fmt.Sprint(p.Layer), text.Safe(p.Pooling)}, k}
	}
	rows := []row{line(shown, theme.Select)}
	for i := range c.Probes {
		if p := &c.Probes[i]; p != shown {
			rows = append(rows, line(p, theme.Text))
		}
	}
	return table(c, width, []string{"probe", "AUROC", "bal. acc.", "Brier", "ECE", "RVP", "in band", "kind", "layer", "pooling"}, rows)
}

// decileBars draws the share in band of each tenth of the corpus by score, the highest first.
func decileBars(c Context, p *event.ProbeTrained, width, height int) []string {
	bars := chart.Bars{Max: 0, Head: []string{"score from … to", "in band, 95 %", "%", "in band of tasks"}}
	bars.Text = func(b chart.Bar) string { return figure.Number(&b.Value, 1) }
	for i := len(p.Deciles) - 1; i >= 0; i-- {
		d := p.Deciles[i]
		rate := event.RateOf(d.InBand, d.Tasks)
		b := chart.Bar{Label: fmt.Sprintf("%s … %s", figure.Signed(&d.Low, 1), figure.Signed(&d.High, 1)), Value: math.NaN(), Low: math.NaN(), High: math.NaN(),
			Note: fmt.Sprintf("%d of %d", d.InBand, d.Tasks), Token: theme.Band}
		if v := value(rate); v != nil {
			low, high, _ := rate.Interval()
			b.Value, b.Low, b.High = 100**v, 100*low, 100*high
		}
		bars.Rows = append(bars.Rows, b)
	}
	return bars.Draw(c.Theme, width, height)
}
