package policy

import "testing"

func TestAdam(t *testing.T) {
	w, a := []float64{1}, newAdam(1)
	for i, g := range []float64{1, -0.5, 0.25} {
		a.update(w, []float64{g}, 0.1)
		near(t, "w", w, []float64{[]float64{0.900000001, 0.8733662974, 0.8393233831}[i]})
	}
}
