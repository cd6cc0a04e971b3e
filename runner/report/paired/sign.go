package paired

import "gonum.org/v1/gonum/stat/distuv"

// Sign is the exact two-sided sign test (Dixon and Mood, 1946): under the null hypothesis, either cell is as likely to be the higher one at any
// seed. Seeds with equal values say nothing and are dropped.
type Sign struct {
	Higher int      `json:"higher"` // seeds at which A is above B
	Lower  int      `json:"lower"`
	Ties   int      `json:"ties"` // dropped
	P      *float64 `json:"p"`    // nil for fewer than two pairs, or when all are ties
}

func signTest(pairs []pair) Sign {
	var s Sign
	for _, p := range pairs {
		switch {
		case p.a > p.b:
			s.Higher++
		case p.a < p.b:
			s.Lower++
		default:
			s.Ties++
		}
	}
	decided := s.Higher + s.Lower
	if len(pairs) < 2 || decided == 0 {
		return s
	}
	coin := distuv.Binomial{N: float64(decided), P: .5}
	p := min(1, 2*coin.CDF(float64(min(s.Higher, s.Lower)))) // an even split has the middle in both tails
	s.P = &p
	return s
}
