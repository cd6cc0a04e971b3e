package paired

import (
	"cmp"
	"slices"
)

// weighted is a value and in how many ways it comes about.
type weighted struct {
	value float64
	ways  int
}

// tail is the part of a distribution beyond either end of a 95 % interval: one in so many.
const tail = 40

// low is the lower end of the 95 % percentile interval: the lowest value such that it and all below hold at least 2.5 % of the ways.
func low(values []weighted) float64 {
	slices.SortFunc(values, func(a, b weighted) int { return cmp.Compare(a.value, b.value) })
	total := 0
	for _, v := range values {
		total += v.ways
	}
	below, at := 0, 0
	for ; tail*below < total; at++ {
		below += values[at].ways
	}
	return values[at-1].value
}

// high is the upper end, by the mirrored rule, so that swapping the cells mirrors the interval.
func high(values []weighted) float64 {
	mirrored := make([]weighted, len(values))
	for i, v := range values {
		mirrored[i] = weighted{-v.value, v.ways}
	}
	return -low(mirrored)
}
