package compare

import (
	"math"

	"verge/runner/event"
	"verge/tui/figure"
)

// figureRow is a figure of both sides.
type figureRow struct {
	name       string
	unit       unit
	values     [2]*float64
	difference estimate // B − A; its interval is that of independent samples
}

// unit is how a figure is written.
type unit int

const (
	share unit = iota
	nats
	count
)

func (u unit) value(x *float64) string {
	switch u {
	case share:
		return figure.Percent(x)
	case nats:
		return figure.Number(x, 3)
	}
	if x == nil {
		return figure.Unknown
	}
	return figure.Count(int64(*x))
}

func (u unit) difference(e estimate) string {
	switch u {
	case share:
		s := figure.Points(e.value)
		if interval := figure.Interval(e.low, e.high); interval != "" {
			s += " " + interval
		}
		return s
	case nats:
		return figure.Signed(e.value, 3)
	}
	if e.value == nil {
		return figure.Unknown
	}
	sign := ""
	if *e.value >= 0 {
		sign = "+"
	}
	return sign + figure.Count(int64(*e.value))
}

// figureRows are the figures of the arms' evaluations, those first that matter most.
func figureRows(sides [2]side) []figureRow {
	var arms [2]*event.Arm
	for i, s := range sides {
		if arms[i] = s.board.Arm(s.arm); arms[i] == nil {
			return nil
		}
	}
	rate := func(name string, of func(*event.Tally) event.Rate) figureRow {
		row := figureRow{name: name, unit: share}
		var se [2]float64
		sure := true
		for i, a := range arms {
			r := of(a.Eval)
			row.values[i] = figure.Defined(r.Value())
			var ok bool
			se[i], ok = r.SE()
			// At 0 and at 1 the standard error is 0 and says nothing.
			sure = sure && ok && se[i] > 0
		}
		row.difference = minus(row.values)
		if row.difference.value != nil && sure {
			row.difference = around(*row.difference.value, z*math.Hypot(se[0], se[1]))
		}
		return row
	}
	plain := func(name string, u unit, of func(*event.Arm) (float64, bool)) figureRow {
		row := figureRow{name: name, unit: u}
		for i, a := range arms {
			row.values[i] = figure.Defined(of(a))
		}
		row.difference = minus(row.values)
		return row
	}
	counted := func(name string, of func(*event.Arm) int) figureRow {
		return plain(name, count, func(a *event.Arm) (float64, bool) { return float64(of(a)), true })
	}
	kl := plain("KL, nats a token", nats, func(a *event.Arm) (float64, bool) {
		if a.Measured == nil {
			return 0, false
		}
		return a.Measured.KL, true
	})
	perCue := func(a *event.Arm) bool { return a.Measured != nil && a.Measured.PerCue }
	switch {
	case perCue(arms[0]) && perCue(arms[1]):
		kl.name = "KL, nats a cue"
	case perCue(arms[0]) || perCue(arms[1]):
		kl.name, kl.difference = "KL, nats, unlike", estimate{} // a token on one side, a cue on the other
	}
	return []figureRow{
		rate("in band", (*event.Tally).InBandRate),
		rate("in band of valid", (*event.Tally).InBandGivenValid),
		rate("valid", (*event.Tally).ValidRate),
		plain("top type", share, func(a *event.Arm) (float64, bool) { return a.Eval.TopType() }),
		counted("proposed", func(a *event.Arm) int { return a.Eval.Proposed }),
		counted("ungraded", func(a *event.Arm) int { return a.Eval.Ungraded() }),
		counted("errors", func(a *event.Arm) int { return a.Eval.Errors }),
		kl,
		counted("updates", func(a *event.Arm) int { return len(a.Curve) }),
		plain("attempts, train", count, func(a *event.Arm) (float64, bool) {
			return float64(a.AttemptsTrain()), a.Evaluated != nil // until then without those of its corpus
		}),
		counted("attempts, eval", (*event.Arm).AttemptsEval),
	}
}

func minus(values [2]*float64) estimate {
	if values[0] == nil || values[1] == nil {
		return estimate{}
	}
	d := *values[1] - *values[0]
	return estimate{value: &d}
}
