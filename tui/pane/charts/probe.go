package charts

import (
	"math"
	"strings"

	"verge/runner/event"
	"verge/tui/board"
	"verge/tui/chart"
	"verge/tui/figure"
	"verge/tui/pane"
	"verge/tui/text"
	"verge/tui/theme"
)

// probePane shows the rewards that a probe gives: where the arm's are against the base's, how they moved, and how well the probe ranks and
// predicts what attempts found.
type probePane struct{ pane.Still }

func newProbe() probePane { return probePane{} }

func (probePane) Name() string { return "probe" }

func (probePane) Title(c pane.Context) string {
	if a := looked(c); a != nil {
		if p := shownProbe(c, a); p != nil {
			return "probe rewards · " + text.Safe(p.Probe)
		}
	}
	return "probe rewards"
}

func (probePane) View(c pane.Context, width, height int) []string {
	a := looked(c)
	var p *event.ProbeTrained
	if a != nil {
		p = shownProbe(c, a)
	}
	if p == nil {
		return pane.Nothing(c, width, "The rewards that a probe gives to the arm's tasks, in logits, against those of the untrained generator's; how they move from update to update; and how well "+
			"the probe ranks and predicts: AUROC, calibration, the share in band by decile.",
			"PROPEL has it, in the arms that a probe pays: propel, propel-wco, propel-coevolve, cold-transfer, best-of-n and text-probe. It comes after the corpus is collected.")
	}
	mine, theirs := distributions(c, a, p)
	return arrange(width, height, 3,
		block{rank: 0, min: 1, max: 1, draw: func(width, _ int) []string { return []string{rewardLine(c, mine, theirs, width)} }},
		rewardBlock(c, mine, theirs, height),
		trendBlock(c, a, theirs, height),
		block{rank: 2, min: 2, max: 1 + len(c.Probes), draw: func(width, _ int) []string { return qualityTable(c, p, width) }},
		decileBlock(c, p),
		calibrationBlock(c, p, height),
		monitorBlock(c, a, height),
	)
}

// shownProbe is the probe that pays the arm, or of an arm that none pays the one that was trained first; nil before any was.
func shownProbe(c pane.Context, a *event.Arm) *event.ProbeTrained {
	if p := armProbe(c, a); p != nil {
		return p
	}
	if len(c.Probes) == 0 {
		return nil
	}
	return &c.Probes[0]
}

// distributions are the scores of the arm's tasks, those it was trained on or chosen from, and of the untrained generator's; nil where
// there are none.
func distributions(c pane.Context, a *event.Arm, p *event.ProbeTrained) (mine, theirs *board.Scores) {
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
func rewardLine(c pane.Context, mine, theirs *board.Scores, width int) string {
	words := func(s *board.Scores, counted bool) string {
		if s == nil {
			return figure.Unknown
		}
		said := figure.Signed(&s.Mean, 2) + " ± " + chart.Number(s.SD())
		if counted {
			said += " (" + figure.Count(s.N) + ")"
		}
		return said
	}
	parts := func(counted bool) []string {
		parts := []string{c.Paint(theme.Base, baseArm+" "+words(theirs, counted)), note(c, "this arm "+figure.Unknown)}
		if mine != nil {
			parts = []string{c.Paint(theme.SeriesA, text.Safe(c.Arm)+" "+words(mine, counted)), parts[0]}
		}
		parts[0] = note(c, "logit, mean ± SD: ") + parts[0]
		return parts
	}
	if line := strings.Join(parts(true), note(c, ", ")); text.Width(line) <= width {
		return line
	}
	return text.Whole(parts(false), note(c, ", "), width)
}

// rewardBlock draws both distributions over the range that either has values in, each in percent of its own number.
func rewardBlock(c pane.Context, mine, theirs *board.Scores, height int) block {
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
	if last < 0 {
		return block{}
	}
	return block{rank: 1, min: 4, max: height, draw: func(width, height int) []string {
		h := chart.Histogram{Y: "% of valid tasks by logit"}
		if width < 60 {
			h.Y = "% by logit"
		}
		each := max(1, (last-first+1)*cellsPerBin/width)
		for i := first; i <= last; i += each {
			h.Labels = append(h.Labels, chart.Number(board.MinLogit+board.BinWidth*float(i)))
		}
		switch {
		case mine == nil:
			h.Name, h.Values = baseArm, binShares(theirs, first, last, each)
		case theirs == nil:
			h.Name, h.Values = c.Arm, binShares(mine, first, last, each)
		default:
			h.Name, h.Values = c.Arm, binShares(mine, first, last, each)
			h.BaseName, h.Base = baseArm, binShares(theirs, first, last, each)
		}
		return h.Draw(c.Theme, width, height)
	}}
}

// cellsPerBin is the width that a bin of logits should have at the least, so that labels have room.
const cellsPerBin = 5

// binShares are the percentages of a distribution in its bins from first to last, so many at a time.
func binShares(s *board.Scores, first, last, each int) []float64 {
	var out []float64
	for i := first; i <= last; i += each {
		n := 0
		for _, k := range s.Bins[i:min(i+each, len(s.Bins))] {
			n += k
		}
		out = append(out, ratio(n, s.N))
	}
	return out
}

// trendBlock draws the mean logit of each update's valid tasks, with a standard deviation to both sides, beside the base's mean; and of an
// ensemble how far its members are apart.
func trendBlock(c pane.Context, a *event.Arm, theirs *board.Scores, height int) block {
	steps := c.Steps[a.Name]
	mean := chart.Series{Name: "mean logit ± SD", Token: theme.SeriesA}
	spread := chart.Series{Name: "SD over members", Token: theme.SeriesB, Stroke: chart.Dashed}
	scored := 0
	for _, s := range steps {
		x, y, sd, over := float(s.Step+1), math.NaN(), math.NaN(), math.NaN()
		if s.Reward.N > 0 {
			y, sd = s.Reward.Mean, s.Reward.SD()
			scored++
		}
		if s.Spread.N > 0 {
			over = s.Spread.Mean
		}
		mean.X, mean.Y, mean.Low, mean.High = append(mean.X, x), append(mean.Y, y), append(mean.Low, y-sd), append(mean.High, y+sd)
		spread.X, spread.Y = append(spread.X, x), append(spread.Y, over)
	}
	if scored < 2 {
		return block{}
	}
	line := chart.Line{Series: []chart.Series{mean}, X: "update"}
	if steps[len(steps)-1].Spread.N > 0 {
		line.Series = append(line.Series, spread)
	}
	if theirs != nil {
		line.Limit = &chart.Limit{Name: baseArm, Value: theirs.Mean}
	}
	return block{rank: 3, min: 6, max: height, draw: func(width, height int) []string { return line.Draw(c.Theme, width, height) }}
}
