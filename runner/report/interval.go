package report

import (
	"math"

	"verge/runner/event"
)

// z is the normal quantile of 95 % intervals.
const z = 1.959963984540054

// interval is a rate's 95 % interval: ± z standard errors, within [0, 1].
//
// Where the standard error says nothing (no hit, nothing but hits, or proposals of one task only) it is Wilson's, with
// as many trials as there are different tasks, so that no interval is empty and repetition narrows none.
func interval(r event.Rate) (low, high float64, ok bool) {
	p, ok := r.Value()
	if !ok || r.Clusters() == 0 {
		return 0, 0, false
	}
	se, ok := r.SE()
	if !ok || r.Hits == 0 || r.Hits == r.Trials {
		low, high = wilson(p, float64(r.Clusters()))
		return low, high, true
	}
	return max(p-z*se, 0), min(p+z*se, 1), true
}

// wilson is Wilson's score interval of a share p of n trials.
func wilson(p, n float64) (low, high float64) {
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(middle-half, 0), min(middle+half, 1)
}

// ratio is how many times the base's rate an arm's is, and its 95 % interval by the delta method on the logarithm: the
// variance of log(p/q) is (se_p/p)² + (se_q/q)², the two arms being sampled independently of each other. A ratio to
// nothing is undefined; so is the interval where either rate has no standard error or, at 0 or 1, one of zero.
func ratio(r, base event.Rate) (value float64, low, high *float64, ok bool) {
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
