package charts

import (
	"fmt"
	"math"
	"slices"

	"github.com/BurntSushi/toml"

	"verge/runner/event"
	"verge/tui/chart"
	"verge/tui/figure"
	"verge/tui/pane"
	"verge/tui/text"
	"verge/tui/theme"
)

// policyPane shows how an arm's policy is trained, by update: reward, distance from the base, entropy, groups without anything to learn,
// length, gradient.
type policyPane struct {
	pane.Still
	run   *event.RunStarted // that limit is of
	limit *float64
}

func newPolicy() *policyPane { return &policyPane{} }

func (*policyPane) Name() string { return "policy" }

func (*policyPane) Title(c pane.Context) string {
	if a := looked(c); a != nil && len(a.Curve) > 0 {
		last := a.Curve[len(a.Curve)-1]
		if a.Train.Total >= last.Step {
			return fmt.Sprintf("policy · update %d of %d", last.Step, a.Train.Total)
		}
		return fmt.Sprintf("policy · update %d", last.Step)
	}
	return "policy"
}

func (p *policyPane) View(c pane.Context, width, height int) []string {
	a := looked(c)
	if a == nil || len(a.Curve) == 0 {
		when := "It comes with the first update of an arm that is trained: every arm of PROPEL but base and best-of-n."
		return pane.Nothing(c, width, "How the policy is trained, by update: mean reward, KL to the frozen base with its limit, entropy, groups that had nothing to teach, length, gradient, learning rate.", when)
	}
	if p.run != c.Run {
		p.run, p.limit = c.Run, maxKL(c.Run)
	}
	figures := policyFigures(a, p.limit)
	learned := len(a.Contexts) > 0
	if height < len(figures)+minCurve*2 && !learned {
		return sparks(c, a, figures, width)
	}
	var blocks []block
	if learned {
		last := a.Contexts[len(a.Contexts)-1]
		blocks = append(blocks, block{rank: 0, min: len(last.Factors) + 1, max: height, draw: func(width, height int) []string { return asksFor(c, last, width, height) }})
	}
	blocks = append(blocks, block{rank: 0, min: len(figures) + 1, max: len(figures) + 1, draw: func(width, _ int) []string { return sparks(c, a, figures, width) }})
	for i, f := range figures {
		if f.flat(a) {
			continue
		}
		blocks = append(blocks, block{rank: i + 1, min: minCurve, max: height, draw: func(width, height int) []string { return f.draw(c, a, width, height) }})
	}
	return arrange(width, height, 3, blocks...)
}

// minCurve is the least height of a figure that is drawn as a curve.
const minCurve = 6

// policyFigure is one figure of an update.
type policyFigure struct {
	name, unit string
	decimals   int
	of         func(event.PolicyUpdated) float64
	spread     func(event.PolicyUpdated) float64 // half of an interval around it; nil without one
	limit      *chart.Limit
}

// policyFigures are the figures in the order that they matter. Of an update without scorable proposals there is no reward.
func policyFigures(a *event.Arm, limit *float64) []policyFigure {
	per := "nats/token"
	if perCue(a) {
		per = "nats/cue"
	}
	figures := []policyFigure{
		{name: "reward", unit: "mean ± SD", decimals: 3, of: func(u event.PolicyUpdated) float64 {
			if u.Proposals > 0 && u.Unscorable >= u.Proposals {
				return math.NaN()
			}
			return u.Reward
		}, spread: func(u event.PolicyUpdated) float64 { return u.RewardSD }},
		{name: "KL to base", unit: per, decimals: 3, of: func(u event.PolicyUpdated) float64 { return u.KL }},
		{name: "entropy", unit: per, decimals: 3, of: func(u event.PolicyUpdated) float64 { return u.Entropy }},
		{name: "dead groups", unit: "% of groups", decimals: 1, of: func(u event.PolicyUpdated) float64 { return ratio(u.Dead, u.Groups) }},
		{name: "length", unit: "tokens/task", decimals: 1, of: func(u event.PolicyUpdated) float64 { return u.Length }},
		{name: "gradient", unit: "norm", decimals: 3, of: func(u event.PolicyUpdated) float64 { return u.GradNorm }},
		{name: "valid", unit: "% of proposed", decimals: 1, of: func(u event.PolicyUpdated) float64 { return ratio(u.Valid, u.Proposals) }},
		{name: "unscorable", unit: "% of proposed", decimals: 1, of: func(u event.PolicyUpdated) float64 { return ratio(u.Unscorable, u.Proposals) }},
		{name: "learning rate", unit: "", decimals: 5, of: func(u event.PolicyUpdated) float64 { return u.Rate }},
	}
	if slices.ContainsFunc(a.Curve, func(u event.PolicyUpdated) bool { return u.Gap != nil }) {
		figures = slices.Insert(figures, 2, policyFigure{name: "server vs engine", unit: "nats a token", decimals: 4, of: func(u event.PolicyUpdated) float64 {
			if u.Gap == nil {
				return math.NaN()
			}
			return *u.Gap
		}})
	}
	if limit != nil {
		figures[1].limit = &chart.Limit{Name: fmt.Sprintf("limit %.3g", *limit), Value: *limit}
	}
	return figures
}

// perCue says that the arm's policy is one on context, whose KL and entropy are of its cues.
func perCue(a *event.Arm) bool { return len(a.Curve) > 0 && a.Curve[len(a.Curve)-1].PerCue }

// ratio is a part in percent; not a number of nothing.
func ratio(n, of int) float64 {
	if of == 0 {
		return math.NaN()
	}
	return 100 * float(n) / float(of)
}

// maxKL is the KL at which the profile ends training; nil where it never does, or where the run does not tell.
func maxKL(run *event.RunStarted) *float64 {
	var p struct {
		Policy struct {
			MaxKL float64 `toml:"max_kl"`
		} `toml:"policy"`
	}
	if _, err := toml.Decode(run.Resolved, &p); err != nil || p.Policy.MaxKL == 0 {
		return nil
	}
	return &p.Policy.MaxKL
}

// flat says that a figure never moved, so that its row says all.
func (f policyFigure) flat(a *event.Arm) bool {
	_, values := curve(a, f.of)
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}

func (f policyFigure) draw(c pane.Context, a *event.Arm, width, height int) []string {
	s := chart.Series{Name: f.name, Token: theme.SeriesA}
	s.X, s.Y = curve(a, f.of)
	if f.spread != nil {
		for i, u := range a.Curve {
			d := f.spread(u)
			s.Low, s.High = append(s.Low, s.Y[i]-d), append(s.High, s.Y[i]+d)
		}
	}
	return chart.Line{Series: []chart.Series{s}, X: "update", Y: f.unit, Limit: f.limit}.Draw(c.Theme, width, height)
}

// sparks has a row for each figure: its last value and how it moved.
func sparks(c pane.Context, a *event.Arm, figures []policyFigure, width int) []string {
	head := []string{"", "now", "first", "unit"}
	room := width - 52
	if room >= 8 {
		head = append(head, "by update")
	}
	var rows []row
	for _, f := range figures {
		_, values := curve(a, f.of)
		last := values[len(values)-1]
		cells := []string{f.name, figure.Number(&last, f.decimals), figure.Number(&values[0], f.decimals), f.unit}
		k := theme.Text
		if f.limit != nil {
			cells[3] += ", " + f.limit.Name
			if last > f.limit.Value {
				cells[1], k = theme.Broken+" "+cells[1], theme.Warn
			}
		}
		if room >= 8 {
			cells = append(cells, text.Fit(chart.Spark(values, min(room, len(values))), min(room, len(values))))
		}
		rows = append(rows, row{cells, k})
	}
	return table(c, width, head, rows)
}
