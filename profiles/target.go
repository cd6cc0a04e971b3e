package profiles

// InBand says whether right of graded attempts is a solve rate in the band, both ends included. No attempts are no solve rate.
//
// The test is exact: Low and High are fractions and are compared with right/graded by cross-multiplication. A bound that a profile
// writes as a decimal is made a fraction when the profile is loaded: the multiple of 1/Attempts that is less than 0.001 away (0.333
// and 0.667 are 1/3 and 2/3 of three attempts), else the decimal itself to nine places. A bound written "1/3" is kept as it is.
// graded may be any count; whether fewer than Attempts will do is for the caller to say.
func (t Target) InBand(right, graded int) bool {
	return graded > 0 && t.Low.cmp(right, graded) <= 0 && t.High.cmp(right, graded) >= 0
}

// reachable says whether some number of right attempts of Attempts is in the band.
func (t Target) reachable() bool {
	for right := 0; right <= t.Attempts; right++ {
		if t.InBand(right, t.Attempts) {
			return true
		}
	}
	return false
}
