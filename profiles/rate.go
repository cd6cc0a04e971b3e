package profiles

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Rate is a solve rate as an exact fraction in lowest terms, Den > 0.
type Rate struct {
	Num, Den int64
}

// Decimals are read to nine places and fractions have denominators up to the same, so that products of a bound and a count fit an int64.
const maxDen = 1_000_000_000

// near is how far a decimal may be from a multiple of 1/K to stand for it. Multiples of 1/64 are 0.0156 apart, so that it stands for one at most.
const near = 0.001

// Float is the nearest float64.
func (r Rate) Float() float64 { return float64(r.Num) / float64(r.Den) }

// String is the rate as a profile writes it, without quotes, such as 3/8.
func (r Rate) String() string { return fmt.Sprintf("%d/%d", r.Num, r.Den) }

// MarshalTOML writes the fraction as a string, which is read back exactly.
func (r Rate) MarshalTOML() ([]byte, error) { return []byte(strconv.Quote(r.String())), nil }

// cmp compares the rate with right/graded: negative when it is below, zero when equal, positive when above.
func (r Rate) cmp(right, graded int) int64 {
	return r.Num*int64(graded) - int64(right)*r.Den
}

// snap is the multiple of 1/k that the rate stands for when it was written as a decimal: 0.333 is 1/3 of three attempts.
func (r Rate) snap(k int) Rate {
	count := math.Round(r.Float() * float64(k))
	if math.Abs(r.Float()-count/float64(k)) >= near {
		return r
	}
	return reduced(int64(count), int64(k))
}

// decimalRate reads a number in [0, 1].
func decimalRate(x float64) (Rate, bool) {
	if !(x >= 0 && x <= 1) {
		return Rate{}, false
	}
	return reduced(int64(math.Round(x*maxDen)), maxDen), true
}

// fractionRate reads a fraction such as 1/8 in [0, 1].
func fractionRate(s string) (Rate, bool) {
	num, den, ok := strings.Cut(s, "/")
	if !ok {
		return Rate{}, false
	}
	n, errNum := strconv.ParseUint(strings.TrimSpace(num), 10, 63)
	d, errDen := strconv.ParseUint(strings.TrimSpace(den), 10, 63)
	if errNum != nil || errDen != nil || d == 0 || d > maxDen || n > d {
		return Rate{}, false
	}
	return reduced(int64(n), int64(d)), true
}

func reduced(num, den int64) Rate {
	a, b := num, den
	for b != 0 {
		a, b = b, a%b
	}
	return Rate{num / a, den / a}
}
