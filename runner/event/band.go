package event

import "math"

// Band is the interval of solve rates that is wanted, both ends included (the utility of PROPEL, arXiv 2606.18284), as the numbers of right
// attempts that it stands for: a count is in it or not, without rounding.
type Band struct {
	Low, High    float64 // the solve rates, for people
	Attempts     int     // K
	Fewest, Most int     // right ones of K
}

// Holds says whether right of graded attempts is a solve rate in the band. A task with fewer than K graded attempts is in none.
func (b Band) Holds(right, graded int) bool {
	return graded == b.Attempts && b.Fewest <= right && right <= b.Most
}

// Band is the band of the run.
func (e RunStarted) Band() Band {
	b := Band{Low: e.Low, High: e.High, Attempts: e.Attempts}
	if e.Fewest != nil && e.Most != nil {
		b.Fewest, b.Most = *e.Fewest, *e.Most
		return b
	}
	// A run of before the counts were recorded: a bound written in decimals, such as 0.333333333, includes the count it stands for.
	const slack = 1e-9
	k := float64(e.Attempts)
	b.Fewest, b.Most = int(math.Ceil((e.Low-slack)*k)), int(math.Floor((e.High+slack)*k))
	return b
}
