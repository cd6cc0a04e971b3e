package paired

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/combin"
)

// Draws is how many bootstrap resamples are drawn when there are too many to enumerate: with 9,999 the 2.5 % and 97.5 % points of a percentile
// interval are the 250th values from either end (Davison and Hinkley, 1997, section 5.3.1).
const Draws = 9999

// ExactSeeds is up to how many seeds all n^n resamples are enumerated instead, as their C(2n−1, n) multisets: 6,435 for eight.
const ExactSeeds = 8

// resample is sums over n pairs drawn with replacement, and in how many ways they come about.
type resample struct {
	a, b, difference float64
	ways             int
}

// resamples is the bootstrap distribution: of all draws, each as likely, when there are at most ExactSeeds pairs, and of random ones otherwise.
func resamples(pairs []pair, seed uint64) []resample {
	if len(pairs) <= ExactSeeds {
		return enumerate(pairs)
	}
	return draw(pairs, seed)
}

func draw(pairs []pair, seed uint64) []resample {
	n := len(pairs)
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	out := make([]resample, Draws)
	for i := range out {
		out[i].ways = 1
		for range n {
			out[i].add(pairs[rng.IntN(n)], 1)
		}
	}
	return out
}

func (r *resample) add(p pair, times int) {
	k := float64(times)
	r.a += k * p.a
	r.b += k * p.b
	r.difference += k * (p.a - p.b)
}

// enumerate lists the multisets of n of the n pairs; one that holds them k1 … kn times comes about in n!/(k1! … kn!) ways.
func enumerate(pairs []pair) []resample {
	var out []resample
	var extend func(r resample, from, left int)
	extend = func(r resample, from, left int) {
		if left == 0 {
			out = append(out, r)
			return
		}
		if from == len(pairs) {
			return
		}
		for times := range left + 1 {
			next := r
			next.add(pairs[from], times)
			next.ways *= combin.Binomial(left, times)
			extend(next, from+1, left-times)
		}
	}
	extend(resample{ways: 1}, 0, len(pairs))
	return out
}
