package paired

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// pair is the values of two cells at one seed.
type pair struct{ a, b float64 }

// match pairs two cells by seed, in ascending order of the seeds, and counts the seeds that only one of them has.
func match(a, b map[uint64]float64) (pairs []pair, onlyA, onlyB int, err error) {
	seeds, err := sorted("A", a)
	if err != nil {
		return nil, 0, 0, err
	}
	if _, err := sorted("B", b); err != nil {
		return nil, 0, 0, err
	}
	for _, s := range seeds {
		if v, both := b[s]; both {
			pairs = append(pairs, pair{a[s], v})
		}
	}
	return pairs, len(a) - len(pairs), len(b) - len(pairs), nil
}

// sorted is the seeds of a cell, whose values have to be finite.
func sorted(name string, cell map[uint64]float64) ([]uint64, error) {
	seeds := make([]uint64, 0, len(cell))
	for s := range cell {
		seeds = append(seeds, s)
	}
	slices.SortFunc(seeds, cmp.Compare)
	for _, s := range seeds {
		if v := cell[s]; math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("paired: cell %s, seed %d: the value is %v: leave out a seed whose figure is undefined", name, s, v)
		}
	}
	return seeds, nil
}
