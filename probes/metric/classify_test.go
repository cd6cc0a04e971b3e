package metric_test

import (
	"testing"

	"verge/probes/metric"
)

func TestBalancedAccuracy(t *testing.T) {
	score := []float64{-2, -1, 0, 3, -.5, 1}
	positive := bools(0, 0, 0, 0, 1, 1) // at 0: specificity 2/4, sensitivity 1/2
	got, ok := metric.BalancedAccuracy(score, positive, 0)
	if !ok {
		t.Fatal("undefined")
	}
	near(t, "balanced accuracy", got, .5, tolerance)
	got, _ = metric.BalancedAccuracy(score, positive, -.5) // specificity 2/4, sensitivity 2/2
	near(t, "balanced accuracy", got, .75, tolerance)
	got, _ = metric.BalancedAccuracy(score, positive, 100) // all called negative
	near(t, "balanced accuracy of one answer", got, .5, tolerance)
	got, ok = metric.BalancedAccuracy([]float64{1, 2}, bools(1, 1), 0)
	undefined(t, "balanced accuracy of one class", got, ok)
}

func TestRVP(t *testing.T) {
	got, ok := metric.RVP([]float64{-.2, 0, .25, .55})
	if !ok {
		t.Fatal("undefined")
	}
	near(t, "RVP", got, .105, tolerance) // mean .15; squares .1225, .0225, .01, .16; their sum over 3
	got, ok = metric.RVP([]float64{1})
	undefined(t, "RVP of one reward", got, ok)
}
