package charts

import (
	"fmt"
	"math"
	"strconv"

	"verge/runner/event"
	"verge/tui/board"
	"verge/tui/chart"
	"verge/tui/figure"
	"verge/tui/pane"
	"verge/tui/text"
	"verge/tui/theme"
)

// frontierPane shows how hard the arm's tasks are for the solver: pass counts against the base's, the rates that are read off them, and how
// these moved while the arm was trained.
type frontierPane struct{ pane.Still }

func newFrontier() frontierPane { return frontierPane{} }

func (frontierPane) Name() string { return "frontier" }

func (frontierPane) Title(c pane.Context) string {
	if c.Run == nil {
		return "frontier"
	}
	return fmt.Sprintf("frontier · band %s of %d right", bandCounts(c), c.Run.Attempts)
}

// bandCounts are the numbers of right attempts that are in the band.
func bandCounts(c pane.Context) string {
	b := c.Band()
	if b.Fewest == b.Most {
		return strconv.Itoa(b.Most)
	}
	return fmt.Sprintf("%d to %d", b.Fewest, b.Most)
}

func (frontierPane) View(c pane.Context, width, height int) []string {
	a := looked(c)
	if a == nil || a.Eval.Proposed+a.Train.Proposed+a.Start.Proposed+c.Corpus.Proposed == 0 {
		return pane.Nothing(c, width, "How often the solver is right at the arm's tasks, 0 to K times of K attempts, against the base's; and the share that is in the wanted band.",
			"Every recipe fills this as soon as tasks are attempted.")
	}
	shown, name := graded(c, a)
	least := 1
	if height >= 12 {
		least = 4
	}
	blocks := []block{
		{rank: 0, min: least, max: 4, draw: func(width, height int) []string { return frontierFigures(c, a, shown, name, width, height) }},
		{rank: 1, min: 4, max: height, draw: func(width, height int) []string { return passCounts(c, a, shown, name, width, height) }},
	}
	if steps := c.Steps[a.Name]; len(steps) > 0 {
		blocks = append(blocks, block{rank: 2, min: 6, max: height, draw: func(width, height int) []string { return rateCurves(c, a, steps, width, height) }})
	}
	if n := len(c.Arms) + 1; n > 2 {
		blocks = append(blocks, block{rank: 3, min: n, max: n, draw: func(width, height int) []string { return allRates(c, width) }})
	}
	return arrange(width, height, 2, blocks...)
}

// graded is the tally whose pass counts stand for an arm by now, and its name.
func graded(c pane.Context, a *event.Arm) (*event.Tally, string) {
	switch {
	case a.Eval.Proposed > 0:
		return a.Eval, a.Name
	case a.Train.Graded > 0 && propelArms[a.Name].probe == "": // a probe's arm has only a few attempted, to monitor it
		return a.Train, a.Name + ", training"
	}
	return c.Corpus, "corpus"
}

// frontierFigures are the rates with their intervals: the product first, then its factors, then how many times the base's it is.
func frontierFigures(c pane.Context, a *event.Arm, t *event.Tally, name string, width, height int) []string {
	if !t.Settled() {
		return underWay(c, t, name, width)
	}
	inBand, valid, given := t.InBandRate(), t.ValidRate(), t.InBandGivenValid()
	line := c.Paint(theme.Band, theme.InBand+" "+namedInBand+" "+figure.Percent(figure.Defined(inBand.Value())))
	with, whom := compared(c, a)
	if t != a.Eval || with == nil || with.Proposed == 0 {
		with = nil
	}
	if height == 1 || width < 44 {
		line += " = " + figure.Percent(figure.Defined(valid.Value())) + " × " + figure.Percent(figure.Defined(given.Value()))
		if with == nil {
			return []string{line}
		}
		if v, _, _, ok := inBand.Times(with.InBandRate()); ok {
			line += note(c, ", ") + c.Paint(theme.Strong, fmt.Sprintf("%.2f", v)) + note(c, " × "+whom)
		}
		return []string{line}
	}
	head := []string{name, "%", "95 %"}
	rates := []struct {
		name  string
		r     event.Rate
		base  event.Rate
		token theme.Token
	}{{theme.InBand + " " + namedInBand, inBand, event.Rate{}, theme.Band}, {"= " + namedValid, valid, event.Rate{}, theme.Text}, {"× " + namedInBandValid, given, event.Rate{}, theme.Text}}
	if with != nil {
		head = append(head, "× "+whom, whom+" %")
		rates[0].base, rates[1].base, rates[2].base = with.InBandRate(), with.ValidRate(), with.InBandGivenValid()
	}
	var rows []row
	for _, r := range rates {
		cells := []string{r.name, number(r.r), figure.Bounds(r.r)}
		if with != nil {
			cells = append(cells, times(r.r, r.base), number(r.base))
		}
		rows = append(rows, row{cells, r.token})
	}
	head[0] = text.Safe(head[0])
	return table(c, width, head, rows)
}

// underWay says how far the attempts are. Of all tasks nothing can be said yet, but those that were attempted are as good as the first ones
// of any sample: their share in the band estimates one factor.
func underWay(c pane.Context, t *event.Tally, name string, width int) []string {
	lines := []string{
		fmt.Sprintf("%s: %s of %s valid tasks attempted", text.Safe(name), figure.Count(t.Tried), figure.Count(t.Valid)),
		note(c, namedValid+" ") + figure.Rate(t.ValidRate()),
	}
	if t.Tried > 0 {
		lines = append(lines, c.Paint(theme.Band, theme.InBand+" in band of those attempted so far "+percent(t.InBand, t.Tried)))
	}
	for i, line := range lines {
		lines[i] = text.Cut(line, width)
	}
	return lines
}

// allRates are the rates of all arms' evaluations beside each other.
func allRates(c pane.Context, width int) []string {
	var rows []row
	for _, a := range c.Arms {
		inBand, against := a.Eval.InBandRate(), ""
		if with, whom := compared(pane.Context{Snapshot: c.Snapshot, Arm: a.Name}, a); with != nil {
			against = times(inBand, with.InBandRate())
			if whom != baseArm {
				against += " " + whom
			}
		}
		r := row{[]string{text.Safe(a.Name), number(inBand), figure.Bounds(inBand), number(a.Eval.ValidRate()), number(a.Eval.InBandGivenValid()), against}, theme.Text}
		if a.Name == c.Arm {
			r.token, r.cells[0] = theme.Select, theme.Selected+r.cells[0]
		}
		rows = append(rows, r)
	}
	return table(c, width, []string{"arm", namedInBand + " %", "95 %", "= " + namedValid, "× " + namedInBandValid, "× base"}, rows)
}

// passCounts draws the graded tasks by number of right attempts, in percent of them.
func passCounts(c pane.Context, a *event.Arm, t *event.Tally, name string, width, height int) []string {
	h := chart.Histogram{Name: fmt.Sprintf("%s (%s)", name, figure.Count(t.Graded)), Values: percents(t), Y: "% of graded tasks by right"}
	if width < 70 {
		h.Y = "% by right"
	}
	for n := range t.Histogram {
		h.Labels = append(h.Labels, strconv.Itoa(n))
		h.Marked = append(h.Marked, c.Band().Holds(n, c.Run.Attempts))
	}
	if with, whom := compared(c, a); with != nil && with.Graded > 0 && with != t {
		h.Base, h.BaseName = percents(with), fmt.Sprintf("%s (%s)", whom, figure.Count(with.Graded))
	}
	return h.Draw(c.Theme, width, height)
}

func percents(t *event.Tally) []float64 {
	out := make([]float64, len(t.Histogram))
	for i, n := range t.Histogram {
		if t.Graded > 0 {
			out[i] = 100 * float(n) / float(t.Graded)
		}
	}
	return out
}

// rateCurves draws the rates of an arm's updates. In band is known of a step all of whose valid tasks were attempted in training. Where it is
// known of none, what was attempted to monitor a probe stands in: the first valid tasks of an update, whatever their score.
func rateCurves(c pane.Context, a *event.Arm, steps []board.Step, width, height int) []string {
	valid := chart.Series{Name: namedValid, Token: theme.SeriesB, Stroke: chart.Dashed}
	given := chart.Series{Name: namedInBandValid, Token: theme.SeriesC, Stroke: chart.Dotted}
	inBand := chart.Series{Name: namedInBand, Token: theme.Band}
	known := false
	for _, s := range steps {
		x := float(s.Step + 1)
		share, rate := math.NaN(), event.Rate{}
		if s.Graded > 0 && s.Graded == s.Valid {
			known, share, rate = true, ratio(s.InBand, s.Valid), s.Rate
		}
		add(&valid, x, ratio(s.Valid, s.Proposed))
		add(&given, x, share)
		addRate(&inBand, x, rate)
	}
	zero := 0.0
	line := chart.Line{Series: []chart.Series{inBand, valid, given}, X: "update", Y: "%", From: &zero}
	if known {
		return line.Draw(c.Theme, width, height)
	}
	why := "In band by update is not known: of no update were all tasks attempted."
	line.Series = []chart.Series{valid}
	if len(a.Monitored) > 0 {
		monitored := chart.Series{Name: namedInBandValid + ", monitored", Token: theme.Band}
		for _, m := range a.Monitored {
			add(&monitored, float(m.Step), ratio(m.InBand, m.Recent))
		}
		line.Series = []chart.Series{monitored, valid}
		why = "Monitored: of the few tasks attempted to see how the probe ranks, the last few times together."
	}
	if height < 8 {
		return line.Draw(c.Theme, width, height)
	}
	return append(line.Draw(c.Theme, width, height-1), text.Cut(note(c, why), width))
}

// add is a point of a series.
func add(s *chart.Series, x, y float64) { s.X, s.Y = append(s.X, x), append(s.Y, y) }

// addRate is a point of a series of rates in percent, with its interval.
func addRate(s *chart.Series, x float64, r event.Rate) {
	y, low, high := math.NaN(), math.NaN(), math.NaN()
	if v, ok := r.Value(); ok {
		y = 100 * v
	}
	if l, h, ok := r.Interval(); ok {
		low, high = 100*l, 100*h
	}
	add(s, x, y)
	s.Low, s.High = append(s.Low, low), append(s.High, high)
}
