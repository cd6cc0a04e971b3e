package charts

import (
	"fmt"

	"verge/runner/event"
	"verge/tui/figure"
	"verge/tui/pane"
	"verge/tui/text"
	"verge/tui/theme"
)

// The names of rates, everywhere the same.
const (
	namedInBand      = "in band"
	namedValid       = "valid"
	namedInBandValid = "in band of valid"
)

// baseArm is the arm that the others are compared with.
const baseArm = "base"

// percent is a share as it is read.
func percent(n, of int) string { return figure.Percent(figure.Share(n, of)) }

// number is a rate in percent, without its unit.
func number(r event.Rate) string {
	v, ok := r.Value()
	return figure.Number(figure.Defined(100*v, ok), 1)
}

// times is how many times the base's rate one is, with its interval.
func times(r, base event.Rate) string {
	v, low, high, ok := r.Times(base)
	if !ok {
		return figure.Unknown
	}
	s := fmt.Sprintf("%.2f", v)
	if low != nil && high != nil {
		s += fmt.Sprintf(" [%.2f, %.2f]", *low, *high)
	}
	return s
}

// looked is the arm that is looked at; nil before the run has started.
func looked(c pane.Context) *event.Arm {
	if c.Run == nil {
		return nil
	}
	return c.Snapshot.Arm(c.Arm)
}

// base is the arm that the looked-at one is compared with; nil when it is the base itself or there is none.
func base(c pane.Context) *event.Arm {
	if c.Run == nil || c.Arm == baseArm {
		return nil
	}
	return c.Snapshot.Arm(baseArm)
}

// compared is the tally that an arm's evaluation is compared with, and its name: of its own untrained generator, where that is not the
// run's, or of the base. nil where there is none.
func compared(c pane.Context, a *event.Arm) (*event.Tally, string) {
	if a.Start.Proposed > 0 {
		return a.Start, "its start"
	}
	if b := base(c); b != nil {
		return b.Eval, baseArm
	}
	return nil, ""
}

// note is what can be overlooked.
func note(c pane.Context, s string) string { return c.Paint(theme.Muted, text.Safe(s)) }

// curve is one figure of an arm's updates, by step.
func curve(a *event.Arm, of func(event.PolicyUpdated) float64) (steps, values []float64) {
	for _, u := range a.Curve {
		steps, values = append(steps, float64(u.Step)), append(values, of(u))
	}
	return steps, values
}

func float(n int) float64 { return float64(n) }

// armProbe is the probe that scored an arm last, or else the one that it is paid by, or is going to be; nil where none is, or none yet.
func armProbe(c pane.Context, a *event.Arm) *event.ProbeTrained {
	for i := len(c.Probes) - 1; i >= 0; i-- {
		name := c.Probes[i].Probe
		if a.Train.Scores[name].N+a.Choice.Scores[name].N > 0 {
			return &c.Probes[i]
		}
	}
	if a.Evaluated != nil {
		return c.Snapshot.Probe(a.Evaluated.Probe)
	}
	return c.Snapshot.Probe(propelArms[a.Name].probe)
}
