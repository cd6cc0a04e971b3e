package event

// Band is the interval of solve rates that is wanted, both ends included (the utility of PROPEL, arXiv 2606.18284).
type Band struct {
	Low, High float64
}

// slack lets a bound written in decimals, such as 0.333333333, include the count it stands for.
const slack = 1e-9

// Holds says whether right of graded attempts is a solve rate in the band: Low − 1e-9 ≤ right/graded ≤ High + 1e-9.
// No attempts are no solve rate, so in no band.
func (b Band) Holds(right, graded int) bool {
	if graded <= 0 {
		return false
	}
	rate := float64(right) / float64(graded)
	return b.Low-slack <= rate && rate <= b.High+slack
}
