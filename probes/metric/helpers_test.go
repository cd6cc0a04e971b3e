package metric_test

import (
	"fmt"
	"math"
	"testing"
)

const tolerance = 1e-9

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.12g, want %.12g", what, got, want)
	}
}

func undefined(t *testing.T, what string, value float64, ok bool) {
	t.Helper()
	if ok {
		t.Errorf("%s = %v, want it undefined", what, value)
	}
}

func panics(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}

func bools(ones ...int) []bool {
	out := make([]bool, len(ones))
	for i, o := range ones {
		out[i] = o == 1
	}
	return out
}

func names(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint(i)
	}
	return out
}

var (
	tenP = []float64{.05, .1, .3, .35, .6, .62, .8, .95, 1, 0}
	tenY = bools(0, 0, 1, 0, 1, 0, 1, 1, 1, 0)
)
