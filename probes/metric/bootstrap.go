package metric

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// AUROCInterval is the 95 % percentile bootstrap interval of AUROC, from that many draws. Whole groups are drawn, because items of a group
// are not independent. A draw with one class only has no AUROC and is left out; the interval is undefined where AUROC is, where all items
// are one group, or where more than half of the draws are left out. The same seed gives the same interval.
func AUROCInterval(score []float64, positive []bool, group []string, draws int, seed uint64) (low, high float64, ok bool) {
	sameLength("AUROCInterval", len(score), len(positive), len(group))
	if draws < 1 {
		panic(fmt.Sprintf("metric: AUROCInterval: %d draws: at least 1 is needed", draws))
	}
	if slices.ContainsFunc(score, math.IsNaN) {
		return 0, 0, false
	}
	number := map[string]int{}
	var members [][]int
	for i, name := range group {
		g, seen := number[name]
		if !seen {
			g = len(members)
			number[name] = g
			members = append(members, nil)
		}
		members[g] = append(members[g], i)
	}
	if len(members) < 2 {
		return 0, 0, false
	}

	r := newRanking(score, positive)
	rng := rand.New(rand.NewPCG(seed, uint64(len(members))))
	areas := make([]float64, 0, draws)
	times := make([]int, len(score))
	for range draws {
		clear(times)
		for range members {
			for _, i := range members[rng.IntN(len(members))] {
				times[i]++
			}
		}
		if a, defined := r.auroc(times); defined {
			areas = append(areas, a)
		}
	}
	if 2*len(areas) < draws {
		return 0, 0, false
	}
	slices.Sort(areas)
	return stat.Quantile(.025, stat.Empirical, areas, nil), stat.Quantile(.975, stat.Empirical, areas, nil), true
}
