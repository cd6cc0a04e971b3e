package policy

import "math"

// adam is the optimiser Adam (arXiv 1412.6980) over one vector, in double precision, with its usual constants.
type adam struct {
	Step int       `json:"step"`
	M    []float64 `json:"m"` // running mean of the gradient
	V    []float64 `json:"v"` // and of its square
}

const adamBeta1, adamBeta2, adamEpsilon = 0.9, 0.999, 1e-8

func newAdam(n int) adam { return adam{M: make([]float64, n), V: make([]float64, n)} }

// update moves params against the gradient.
func (a *adam) update(params, gradient []float64, rate float64) {
	a.Step++
	c1, c2 := 1-math.Pow(adamBeta1, float64(a.Step)), 1-math.Pow(adamBeta2, float64(a.Step))
	for i, g := range gradient {
		a.M[i] = adamBeta1*a.M[i] + (1-adamBeta1)*g
		a.V[i] = adamBeta2*a.V[i] + (1-adamBeta2)*g*g
		params[i] -= rate * (a.M[i] / c1) / (math.Sqrt(a.V[i]/c2) + adamEpsilon)
	}
}
