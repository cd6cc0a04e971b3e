package metric_test

import (
	"math"
	"strings"
	"testing"

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

func TestPassK(t *testing.T) {
	for _, c := range []struct {
		n, c, k int
		want    float64
	}{
		{10, 3, 1, .3}, {10, 3, 5, .91666666666667}, {5, 3, 3, 1}, {200, 1, 100, .5}, {200, 17, 10, .5974489016}, {8, 0, 4, 0},
	} {
		got, err := metric.PassK(c.n, c.c, c.k)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "pass@k", got, c.want, 1e-10)
	}
}

func TestPassKRefuses(t *testing.T) {
	for _, c := range []struct {
		n, c, k int
		word    string
	}{{4, 2, 5, "at least 5 attempts"}, {4, 2, 0, "at least 1"}, {4, 5, 1, "5 right of 4"}, {4, -1, 1, "-1 right"}} {
		_, err := metric.PassK(c.n, c.c, c.k)
		if err == nil || !strings.Contains(err.Error(), c.word) {
			t.Errorf("PassK(%d, %d, %d): error %v, want one that says %q", c.n, c.c, c.k, err, c.word)
		}
	}
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
