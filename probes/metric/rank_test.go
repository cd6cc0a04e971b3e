package metric_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"verge/probes/metric"
)

func TestAUROCOfKnownScores(t *testing.T) {
	got, ok := metric.AUROC(tenP, tenY)
	if !ok {
		t.Fatal("undefined")
	}
	near(t, "AUROC", got, .88, tolerance)
	got, ok = metric.AUROC([]float64{.5, .5, .5, .9}, bools(0, 1, 0, 1))
	if !ok {
		t.Fatal("undefined")
	}
	near(t, "AUROC with ties", got, .75, tolerance)
}

// The definition, pair by pair; and only the order of the scores may matter.
func TestAUROCIsTheShareOfPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		n := 2 + rng.IntN(30)
		score, positive := make([]float64, n), make([]bool, n)
		for i := range score {
			score[i], positive[i] = float64(rng.IntN(8)), rng.IntN(2) == 0
		}
		var won, pairs float64
		for i := range score {
			for j := range score {
				if positive[i] && !positive[j] {
					pairs++
					if score[i] > score[j] {
						won++
					} else if score[i] == score[j] {
						won += .5
					}
				}
			}
		}
		got, ok := metric.AUROC(score, positive)
		if ok != (pairs > 0) {
			t.Fatalf("defined: %v, with %v pairs", ok, pairs)
		}
		if !ok {
			continue
		}
		near(t, "AUROC", got, won/pairs, tolerance)
		for i := range score {
			score[i] = -math.Exp(score[i])
		}
		turned, _ := metric.AUROC(score, positive)
		near(t, "AUROC of descending scores", turned, 1-got, tolerance)
	}
}

func TestAUROCUndefined(t *testing.T) {
	for _, y := range [][]bool{nil, bools(1, 1), bools(0, 0)} {
		a, ok := metric.AUROC(make([]float64, len(y)), y)
		undefined(t, "AUROC", a, ok)
	}
	a, ok := metric.AUROC([]float64{0, math.NaN()}, bools(0, 1))
	undefined(t, "AUROC of NaN", a, ok)
	panics(t, "unequal lengths", func() { metric.AUROC([]float64{1}, nil) })
}

func TestDeciles(t *testing.T) {
	score, positive := make([]float64, 25), make([]bool, 25)
	for i := range score {
		score[i], positive[i] = float64(24-i), i%2 == 0
	}
	ds := metric.Deciles(score, positive)
	if len(ds) != 10 {
		t.Fatalf("%d deciles, want 10", len(ds))
	}
	var count, positives int
	for i, d := range ds {
		if d.Count < 2 || d.Count > 3 || d.High-d.Low != float64(d.Count-1) {
			t.Errorf("decile %d is %+v, want 2 or 3 consecutive scores", i, d)
		}
		if i > 0 && d.Low != ds[i-1].High+1 {
			t.Errorf("decile %d starts at %v after one that ends at %v", i, d.Low, ds[i-1].High)
		}
		count += d.Count
		positives += d.Positive
	}
	if count != 25 || positives != 13 {
		t.Errorf("deciles hold %d items and %d positives, want 25 and 13", count, positives)
	}
}

func TestDecilesKeepTiesTogether(t *testing.T) {
	score := []float64{1, 1, 1, 1, 1, 1, 2, 2, 2, 3}
	positive := bools(1, 0, 1, 0, 1, 0, 1, 1, 0, 1)
	want := []metric.Decile{{Low: 1, High: 1, Count: 6, Positive: 3}, {Low: 2, High: 2, Count: 3, Positive: 2}, {Low: 3, High: 3, Count: 1, Positive: 1}}
	if got := metric.Deciles(score, positive); !slices.Equal(got, want) {
		t.Errorf("deciles %+v, want %+v", got, want)
	}
	slices.Reverse(score)
	slices.Reverse(positive)
	if got := metric.Deciles(score, positive); !slices.Equal(got, want) {
		t.Errorf("deciles of the reversed items %+v, want %+v", got, want)
	}
	if got := metric.Deciles(nil, nil); len(got) != 0 {
		t.Errorf("deciles of nothing: %+v", got)
	}
	panics(t, "NaN", func() { metric.Deciles([]float64{math.NaN()}, bools(1)) })
}
