package probes

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/stat"
)

// Platt is a calibration by two numbers: 1 / (1 + e^−(Slope·logit + Intercept)) (Platt, 1999). It survives JSON unchanged.
type Platt struct {
	Slope     float64 `json:"slope"` // at least 0
	Intercept float64 `json:"intercept"`
}

// FitPlatt fits to logits that had no part in the making of the probe, of both classes, by the likelihood of Platt's smoothed outcomes:
// (n₊ + 1)/(n₊ + 2) in band and 1/(n₋ + 2) out of it. Logits that rank backwards would have a negative slope; the best one that does not
// turn the ranking round is then 0.
func FitPlatt(logits []float64, inBand []bool) (Platt, error) {
	n := float64(len(logits))
	var count [2]float64
	for _, in := range inBand {
		count[class(in)]++
	}
	smoothed := [2]float64{1 / (count[0] + 2), (count[1] + 1) / (count[1] + 2)}
	target := make([]float64, len(inBand))
	for i, in := range inBand {
		target[i] = smoothed[class(in)]
	}
	mean := floats.Sum(target) / n
	constant := Platt{0, math.Log(mean / (1 - mean))}
	centre, spread := stat.PopMeanStdDev(logits, nil)
	if !(spread > 0) {
		return constant, nil
	}

	// Standardised logits make the problem as easy for logits of any size.
	z := make([]float64, len(logits))
	for i, s := range logits {
		z[i] = (s - centre) / spread
	}
	problem := optimize.Problem{
		Func: func(p []float64) float64 {
			sum := 0.0
			for i, x := range z {
				m := p[0]*x + p[1]
				sum += softplus(m) - target[i]*m
			}
			return sum / n
		},
		Grad: func(grad, p []float64) {
			clear(grad)
			for i, x := range z {
				residual := (sigmoid(p[0]*x+p[1]) - target[i]) / n
				grad[0] += residual * x
				grad[1] += residual
			}
		},
	}
	start, slope := []float64{0, constant.Intercept}, make([]float64, 2)
	if problem.Grad(slope, start); slope[0] >= -gradientTolerance { // convex: the slope at 0 tells the sign of the best one
		return constant, nil
	}
	result, err := optimize.Minimize(problem, start, &optimize.Settings{Converger: optimize.NeverTerminate{}, MajorIterations: maxIterations},
		&optimize.BFGS{GradStopThreshold: gradientTolerance})
	if err != nil {
		return Platt{}, fmt.Errorf("probes: Platt's calibration of %d logits did not converge: %w", len(logits), err)
	}
	p := Platt{result.X[0] / spread, result.X[1]}
	p.Intercept -= p.Slope * centre
	return p, nil
}

// Probability is that of a logit.
func (c Platt) Probability(logit float64) float64 { return sigmoid(c.Slope*logit + c.Intercept) }
