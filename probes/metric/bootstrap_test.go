package metric_test

import (
	"math/rand/v2"
	"testing"

	"verge/probes/metric"
)

func noisy(n int, seed uint64) (score []float64, positive []bool) {
	rng := rand.New(rand.NewPCG(seed, 0))
	for range n {
		y := rng.IntN(2) == 0
		s := rng.NormFloat64()
		if y {
			s++
		}
		score, positive = append(score, s), append(positive, y)
	}
	return score, positive
}

func TestAUROCIntervalCoversTheTruth(t *testing.T) {
	const truth = .7602499389 // Φ(1/√2): two unit normals one apart
	covered := 0
	for seed := range uint64(100) {
		score, positive := noisy(150, seed)
		low, high, ok := metric.AUROCInterval(score, positive, names(150), 400, seed)
		if !ok {
			t.Fatal("undefined")
		}
		if low <= truth && truth <= high {
			covered++
		}
	}
	if covered < 88 {
		t.Errorf("%d of 100 intervals hold the true area, want about 95", covered)
	}
}

func TestAUROCIntervalDrawsGroups(t *testing.T) {
	score, positive := noisy(40, 1)
	var s []float64
	var y []bool
	var task []string
	for i, name := range names(40) {
		for range 9 {
			s, y, task = append(s, score[i]), append(y, positive[i]), append(task, name)
		}
	}
	width := func(score []float64, positive []bool, group []string) float64 {
		low, high, ok := metric.AUROCInterval(score, positive, group, 500, 7)
		if !ok {
			t.Fatal("undefined")
		}
		return high - low
	}
	once, grouped, naive := width(score, positive, names(40)), width(s, y, task), width(s, y, names(360))
	near(t, "width with copies in groups", grouped, once, tolerance)
	if naive > once/2 {
		t.Errorf("width with copies taken for news is %v, want about a third of %v", naive, once)
	}
}

func TestAUROCIntervalUndefined(t *testing.T) {
	low, _, ok := metric.AUROCInterval([]float64{1, 2}, bools(1, 1), names(2), 100, 1)
	undefined(t, "interval of one class", low, ok)
	low, _, ok = metric.AUROCInterval([]float64{1, 2}, bools(0, 1), []string{"a", "a"}, 100, 1)
	undefined(t, "interval of one group", low, ok)
	low, _, ok = metric.AUROCInterval(nil, nil, nil, 100, 1)
	undefined(t, "interval of nothing", low, ok)
	panics(t, "no draws", func() { metric.AUROCInterval(nil, nil, nil, 0, 1) })
}

func TestAUROCIntervalIsSeeded(t *testing.T) {
	score, positive := noisy(30, 5)
	low1, high1, _ := metric.AUROCInterval(score, positive, names(30), 200, 9)
	low2, high2, _ := metric.AUROCInterval(score, positive, names(30), 200, 9)
	if low1 != low2 || high1 != high2 {
		t.Errorf("the same seed gave [%v, %v] and [%v, %v]", low1, high1, low2, high2)
	}
}
