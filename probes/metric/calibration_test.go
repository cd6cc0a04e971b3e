package metric_test

import (
	"math"
	"testing"

	"verge/probes/metric"
)

func TestCalibrationOfKnownPredictions(t *testing.T) {
	b, ok := metric.Brier(tenP, tenY)
	if !ok {
		t.Fatal("Brier undefined")
	}
	near(t, "Brier", b, .12119, tolerance)
	e, ok := metric.ECE(metric.Reliability(tenP, tenY, 5))
	if !ok {
		t.Fatal("ECE undefined")
	}
	near(t, "ECE", e, .097, tolerance)
}

// A prediction on an edge opens the upper bin: were it in the lower one, each pair's errors would cancel.
func TestBinsAreClosedBelow(t *testing.T) {
	for _, c := range []struct {
		bins int
		edge float64
	}{{5, .6}, {10, .3}, {10, .7}, {100, .29}, {100, .57}, {100, .58}} {
		below := math.Nextafter(c.edge, 0)
		got, _ := metric.ECE(metric.Reliability([]float64{below, c.edge}, bools(0, 1), c.bins))
		near(t, "ECE across an edge", got, .5, tolerance)
		got, _ = metric.ECE(metric.Reliability([]float64{c.edge, math.Nextafter(c.edge, 1)}, bools(0, 1), c.bins))
		near(t, "ECE above an edge", got, math.Abs(2*c.edge-1)/2, tolerance)
	}
	got, _ := metric.ECE(metric.Reliability([]float64{.95, 1}, bools(1, 0), 10))
	near(t, "ECE in the last bin", got, .475, tolerance)
}

func TestCalibrationRefuses(t *testing.T) {
	b, ok := metric.Brier(nil, nil)
	undefined(t, "Brier of nothing", b, ok)
	e, ok := metric.ECE(metric.Reliability(nil, nil, 10))
	undefined(t, "ECE of nothing", e, ok)
	for _, p := range []float64{-.1, 1.1, math.NaN()} {
		panics(t, "Brier", func() { metric.Brier([]float64{p}, bools(1)) })
		panics(t, "ECE", func() { metric.Reliability([]float64{p}, bools(1), 10) })
	}
	panics(t, "no bins", func() { metric.Reliability([]float64{.5}, bools(1), 0) })
}

func TestReliabilityOfKnownPredictions(t *testing.T) {
	got := metric.Reliability([]float64{.04, .5, .59, .06, 1}, bools(0, 1, 0, 1, 1), 10)
	want := []metric.Bin{{Low: 0, High: .1, Count: 2, Positive: 1, Mean: .05}, {Low: .5, High: .6, Count: 2, Positive: 1, Mean: .545}, {Low: .9, High: 1, Count: 1, Positive: 1, Mean: 1}}
	if len(got) != len(want) {
		t.Fatalf("bins %v, want %v", got, want)
	}
	for i, w := range want {
		g := got[i]
		near(t, "mean prediction", g.Mean, w.Mean, tolerance)
		if g.Mean = w.Mean; g != w {
			t.Errorf("bin %v, want %v", g, w)
		}
	}
}
