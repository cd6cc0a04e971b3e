package metric_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"verge/probes/metric"
)

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{
		{0, 10, 0, .27753280},
		{10, 10, .72246720, 1},
		{5, 10, .23659309, .76340691},
		{1, 3, .06149194, .79234040},
		{60, 100, .50200259, .69059871},
		{0, 0, 0, 1},
	} {
		low, high := metric.Wilson(c.k, c.n)
		near(t, "lower end", low, c.low, 5e-9)
		near(t, "upper end", high, c.high, 5e-9)
		if low < 0 || high > 1 {
			t.Errorf("%d of %d: [%v, %v] is not within [0, 1]", c.k, c.n, low, high)
		}
	}
	panics(t, "more successes than trials", func() { metric.Wilson(3, 2) })
}

func TestClusterSE(t *testing.T) {
	y := []float64{1, 1, 0, 1, 0, 0, 0, 1}
	got, ok := metric.ClusterSE(y, names(8))
	if !ok {
		t.Fatal("undefined")
	}
	near(t, "SE of singletons", got, math.Sqrt(.5*.5/8), tolerance)

	// Copies are no news: every task attempted four times with one outcome is as sure as once.
	var copies []float64
	var tasks []string
	for i, name := range names(8) {
		for range 4 {
			copies, tasks = append(copies, y[i]), append(tasks, name)
		}
	}
	repeated, _ := metric.ClusterSE(copies, tasks)
	near(t, "SE of copies", repeated, got, tolerance)

	// Mean 1/2; the residuals of the clusters come to 1, −1/2 and −1/2.
	got, _ = metric.ClusterSE([]float64{1, 1, 0, 0}, []string{"a", "a", "b", "c"})
	near(t, "SE of unequal clusters", got, math.Sqrt(1+.25+.25)/4, tolerance)

	got, ok = metric.ClusterSE([]float64{1, 0}, []string{"a", "a"})
	undefined(t, "SE of one cluster", got, ok)
	got, ok = metric.ClusterSE(nil, nil)
	undefined(t, "SE of nothing", got, ok)
}

func TestClusterWilson(t *testing.T) {
	half := []float64{1, 0, 1, 0, 1, 0, 1, 0, 1, 0}
	ones := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	twice := func(y []float64) []float64 { return slices.Repeat(y, 2) }
	for _, c := range []struct {
		name      string
		y         []float64
		cluster   []string
		low, high float64
	}{
		// Effective trials 10 · 9/10 · (1.959964/2.262157)² = 6.756054.
		{"singletons", half, names(10), 0.19896561, 0.80103439},
		{"copies are no news", twice(half), append(names(10), names(10)...), 0.19896561, 0.80103439},
		{"all alike: Wilson of ten", ones, names(10), .72246720, 1},
		{"all alike, twice", twice(ones), append(names(10), names(10)...), .72246720, 1},
		{"one cluster is one trial", half, []string{"a", "a", "a", "a", "a", "a", "a", "a", "a", "a"}, 0.05462076, 0.94537924},
		// Residuals 1 and −1 of 8: se² = 2/64, d̂ = 2, d = (2·2 + 4)/3; effective trials 8 · 3/8 · (1.959964/12.706205)² = 0.071381.
		{"two clusters", []float64{0, 1, 1, 1, 0, 0, 0, 1}, []string{"a", "a", "a", "a", "b", "b", "b", "b"}, 0.00458171, 0.99541829},
		// A sixth is rounded, and so are the residuals, which all are 0: Wilson of ten.
		{"clusters of equal shares", slices.Repeat([]float64{1, 0, 0, 0, 0, 0}, 10), strings.Split("aaaaaabbbbbbccccccddddddeeeeeeffffffgggggghhhhhhiiiiiijjjjjj", ""), 0.04214190, 0.47621330},
		{"nothing", nil, nil, 0, 1},
	} {
		low, high := metric.ClusterWilson(c.y, c.cluster)
		near(t, c.name+", lower end", low, c.low, 1e-6)
		near(t, c.name+", upper end", high, c.high, 1e-6)
	}
}

// Tasks few of which fail at all, and then often: those that were met tell little of those that were not.
func TestClusterWilsonHoldsARareMean(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		clusters          int
		mean, correlation float64
	}{{40, .02, .6}, {20, .05, .6}, {100, .01, .3}} {
		const repeats = 1500
		held := 0
		for range repeats {
			var y []float64
			var cluster []string
			for k := range c.clusters {
				size := 1/c.correlation - 1
				p := distuv.Beta{Alpha: c.mean * size, Beta: (1 - c.mean) * size, Src: r}.Rand()
				for range 8 {
					one := 0.0
					if r.Float64() < p {
						one = 1
					}
					y, cluster = append(y, one), append(cluster, fmt.Sprint(k))
				}
			}
			if low, high := metric.ClusterWilson(y, cluster); low <= c.mean && c.mean <= high {
				held++
			}
		}
		if share := float64(held) / repeats; share < .94 {
			t.Errorf("%d clusters, mean %g, correlation %g: held %.3f of the time", c.clusters, c.mean, c.correlation, share)
		}
	}
}

// Five tasks whose own rates differ widely: the interval has to know how little it knows.
func TestClusterWilsonHoldsTheMeanOfFewClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ mean, correlation float64 }{{.3, .5}, {.5, .5}, {.5, .05}} {
		const repeats = 2000
		held := 0
		for range repeats {
			var y []float64
			var cluster []string
			for k := range 5 {
				size := 1/c.correlation - 1
				p := distuv.Beta{Alpha: c.mean * size, Beta: (1 - c.mean) * size, Src: r}.Rand()
				for range 1 + r.IntN(15) {
					one := 0.0
					if r.Float64() < p {
						one = 1
					}
					y, cluster = append(y, one), append(cluster, fmt.Sprint(k))
				}
			}
			if low, high := metric.ClusterWilson(y, cluster); low <= c.mean && c.mean <= high {
				held++
			}
		}
		if share := float64(held) / repeats; share < .92 {
			t.Errorf("mean %g, correlation %g: held %.3f of the time", c.mean, c.correlation, share)
		}
	}
}
