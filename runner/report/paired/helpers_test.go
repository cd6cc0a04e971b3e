package paired

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s is undefined, want %.12g", what, want)
		return
	}
	if !(math.Abs(*got-want) <= 1e-9) {
		t.Errorf("%s = %.12g, want %.12g", what, *got, want)
	}
}

func undefined(t *testing.T, what string, got *float64) {
	t.Helper()
	if got != nil {
		t.Errorf("%s = %v, want it undefined", what, *got)
	}
}

// same wants two figures that are bit for bit the same, or both undefined.
func same(t *testing.T, what string, got, want *float64) {
	t.Helper()
	switch {
	case got == nil && want == nil:
	case got == nil || want == nil || *got != *want:
		t.Errorf("%s: %v and %v, want them the same", what, show(got), show(want))
	}
}

func show(v *float64) any {
	if v == nil {
		return "undefined"
	}
	return *v
}

// cell gives values to the seeds 1, 2, …
func cell(values ...float64) map[uint64]float64 {
	c := map[uint64]float64{}
	for i, v := range values {
		c[uint64(i+1)] = v
	}
	return c
}

func noise(n int, seed uint64) map[uint64]float64 {
	rng := rand.New(rand.NewPCG(seed, 0))
	values := make([]float64, n)
	for i := range values {
		values[i] = rng.Float64()
	}
	return cell(values...)
}

func compare(t *testing.T, a, b map[uint64]float64) Comparison {
	t.Helper()
	c, err := Compare(a, b, 7)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
