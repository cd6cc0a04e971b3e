package metric

import (
	"cmp"
	"math"
	"slices"
)

// AUROC is the area under the ROC curve: the probability that a positive scores above a negative, ties as half (the Mann-Whitney
// statistic). Undefined with one class only, or when a score is NaN.
func AUROC(score []float64, positive []bool) (float64, bool) {
	sameLength("AUROC", len(score), len(positive))
	if slices.ContainsFunc(score, math.IsNaN) {
		return 0, false
	}
	return newRanking(score, positive).auroc(nil)
}

// ranking is scores in ascending order.
type ranking struct {
	order    []int // order[r] is the index of the r-th lowest score
	score    []float64
	positive []bool
}

func newRanking(score []float64, positive []bool) ranking {
	order := make([]int, len(score))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[a], score[b]) })
	return ranking{order, score, positive}
}

// tie is the end of the run of equal scores that starts at rank from.
func (r ranking) tie(from int) int {
	to := from + 1
	for to < len(r.order) && r.score[r.order[to]] == r.score[r.order[from]] {
		to++
	}
	return to
}

// auroc counts pairs with whole numbers; each index counts times[index] times, or once when times is nil.
func (r ranking) auroc(times []int) (float64, bool) {
	var halves, positives, negatives int // halves: twice the pairs won, plus the ties
	for from := 0; from < len(r.order); {
		to := r.tie(from)
		var p, n int
		for _, i := range r.order[from:to] {
			k := 1
			if times != nil {
				k = times[i]
			}
			if r.positive[i] {
				p += k
			} else {
				n += k
			}
		}
		halves += p * (2*negatives + n)
		positives += p
		negatives += n
		from = to
	}
	if positives == 0 || negatives == 0 {
		return 0, false
	}
	return float64(halves) / (2 * float64(positives) * float64(negatives)), true
}

// Decile is a tenth of the items by score.
type Decile struct {
	Low, High float64 // the lowest and the highest score in it
	Count     int
	Positive  int
}

// Deciles cuts the items into ten parts by score, ascending. Equal scores stay together, in the decile of their middle rank, so that the
// order of the items does not matter; a decile that is left empty, by ties or by fewer than ten items, is not listed. NaN scores are a
// programming error and panic.
func Deciles(score []float64, positive []bool) []Decile {
	sameLength("Deciles", len(score), len(positive))
	if slices.ContainsFunc(score, math.IsNaN) {
		panic("metric: Deciles: a score is NaN")
	}
	r := newRanking(score, positive)
	var out []Decile
	last := -1
	for from := 0; from < len(r.order); {
		to := r.tie(from)
		s := score[r.order[from]]
		if d := 10 * (from + to) / (2 * len(r.order)); d != last {
			out = append(out, Decile{Low: s})
			last = d
		}
		d := &out[len(out)-1]
		d.High = s
		for _, i := range r.order[from:to] {
			d.Count++
			if positive[i] {
				d.Positive++
			}
		}
		from = to
	}
	return out
}
