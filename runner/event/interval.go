package event

import (
	"math"

	"verge/probes/metric"
)

// z is the normal quantile of 95 % intervals.
const z = 1.959963984540054

// Interval is the rate's 95 % interval: ± z standard errors, within [0, 1]. It is undefined, and Interval false, where the rate is.
//
// With no hit, or nothing but hits, the standard error is zero and says nothing: the interval is then Wilson's, with as
// many trials as there are different tasks, so that it is never empty and repetition does not narrow it. A rate between
// those, of one task alone, says nothing of other tasks: its interval is all of [0, 1].
func (r Rate) Interval() (low, high float64, ok bool) {
	p, ok := r.Value()
	if !ok {
		return 0, 0, false
	}
	switch se, ok := r.SE(); {
	case r.Hits == 0:
		low, high = metric.Wilson(0, r.Clusters())
	case r.Hits == r.Trials:
		low, high = metric.Wilson(r.Clusters(), r.Clusters())
	case !ok:
		low, high = 0, 1
	default:
		low, high = max(p-z*se, 0), min(p+z*se, 1)
	}
	return low, high, true
}

// Times is how many times the base's rate this one is, and its 95 % interval by the delta method on the logarithm: the
// variance of log(p/q) is (se_p/p)² + (se_q/q)², the two being sampled independently of each other. A ratio to
// nothing is undefined; so is the interval, and its bounds nil, where either rate has no standard error or, at 0 or 1, one of zero.
func (r Rate) Times(base Rate) (value float64, low, high *float64, ok bool) {
	p, okP := r.Value()
	q, okQ := base.Value()
	if !okP || !okQ || q == 0 {
		return 0, nil, nil, false
	}
	value = p / q
	seP, okP := r.SE()
	seQ, okQ := base.SE()
	if !okP || !okQ || seP == 0 || seQ == 0 {
		return value, nil, nil, true
	}
	se := math.Hypot(seP/p, seQ/q)
	lo, hi := value*math.Exp(-z*se), value*math.Exp(z*se)
	return value, &lo, &hi, true
}
