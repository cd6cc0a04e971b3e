package paired

import (
	"math"
	"slices"
)

// Comparison is cell A beside cell B over the seeds that both have. A figure that these leave undefined is nil.
type Comparison struct {
	N          int      `json:"n"`      // seeds that both cells have: all figures are of these
	OnlyA      int      `json:"only_a"` // seeds left out because B lacks them
	OnlyB      int      `json:"only_b"` // seeds left out because A lacks them
	MeanA      *float64 `json:"mean_a"`
	MeanB      *float64 `json:"mean_b"`
	Difference Estimate `json:"difference"` // mean of A − B
	// Ratio is mean of A / mean of B. It is undefined when a value is negative, or when the mean of B is 0.
	Ratio Estimate `json:"ratio"`
	Sign  Sign     `json:"sign"`
	// Exact says that there are intervals and that they are of all N^N bootstrap resamples, not of Draws random ones.
	Exact bool `json:"exact"`
}

// Estimate is a figure and its 95 % percentile bootstrap interval (Efron, 1981), pairs drawn with replacement. The interval is nil for fewer
// than three pairs: of two it would be the pairs themselves.
type Estimate struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"` // nil beside a Low: a ratio's interval that has no upper end
}

// Compare pairs the values of two cells by seed. A seed whose figure is undefined has no entry in its cell; a value that is NaN or infinite is
// an error. The bootstrap's own seed decides nothing up to ExactSeeds pairs; beyond, the same seed gives the same intervals.
func Compare(a, b map[uint64]float64, seed uint64) (Comparison, error) {
	pairs, onlyA, onlyB, err := match(a, b)
	if err != nil {
		return Comparison{}, err
	}
	c := Comparison{N: len(pairs), OnlyA: onlyA, OnlyB: onlyB, Sign: signTest(pairs)}
	if c.N == 0 {
		return c, nil
	}
	var sum resample
	for _, p := range pairs {
		sum.add(p, 1)
	}
	n := float64(c.N)
	c.MeanA, c.MeanB, c.Difference.Value = finite(sum.a/n), finite(sum.b/n), finite(sum.difference/n)
	rates := !slices.ContainsFunc(pairs, func(p pair) bool { return p.a < 0 || p.b < 0 })
	if rates && sum.b > 0 {
		c.Ratio.Value = finite(sum.a / sum.b)
	}
	if c.N < 3 {
		return c, nil
	}
	c.Exact = c.N <= ExactSeeds
	distribution := resamples(pairs, seed)
	differences := values(distribution, func(r resample) float64 { return r.difference / n })
	c.Difference.Low, c.Difference.High = finite(low(differences)), finite(high(differences))
	if c.Ratio.Value != nil {
		c.Ratio.Low = finite(low(values(distribution, ratioOr(0))))
		c.Ratio.High = finite(high(values(distribution, ratioOr(math.Inf(1)))))
	}
	return c, nil
}

// ratioOr is A / B of a resample. 0/0 can be any ratio, so it counts as the lowest for the lower end and as the highest for the upper one.
func ratioOr(undefined float64) func(resample) float64 {
	return func(r resample) float64 {
		if r.a == 0 && r.b == 0 {
			return undefined
		}
		return r.a / r.b
	}
}

func values(distribution []resample, of func(resample) float64) []weighted {
	out := make([]weighted, len(distribution))
	for i, r := range distribution {
		out[i] = weighted{of(r), r.ways}
	}
	return out
}

// finite is nil for a ratio without an upper end, and for a figure too large for a float64: JSON has no number for either.
func finite(v float64) *float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}
