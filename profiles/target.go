package profiles

// Counts are the fewest and the most right attempts of Attempts that are a solve rate in the band. A profile that has loaded has some.
func (t Target) Counts() (fewest, most int) {
	fewest = -1
	for right := range t.Attempts + 1 {
		if !t.inBand(right, t.Attempts) {
			continue
		}
		if most = right; fewest < 0 {
			fewest = right
		}
	}
	return fewest, most
}

// inBand says whether right of graded attempts is a solve rate in the band, both ends included. No attempts are no solve rate.
//
// The test is exact: Low and High are fractions and are compared with right/graded by cross-multiplication. A bound that a profile
// writes as a decimal is made a fraction when the profile is loaded: the multiple of 1/Attempts that is less than 0.001 away (0.333
// and 0.667 are 1/3 and 2/3 of three attempts), else the decimal itself to nine places. A bound written "1/3" is kept as it is.
// graded may be any count.
func (t Target) inBand(right, graded int) bool {
	return graded > 0 && t.Low.cmp(right, graded) <= 0 && t.High.cmp(right, graded) >= 0
}

// reachable says whether some number of right attempts of Attempts is in the band.
func (t Target) reachable() bool {
	for right := 0; right <= t.Attempts; right++ {
		if t.inBand(right, t.Attempts) {
			return true
		}
	}
	return false
}
