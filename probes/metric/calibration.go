package metric

import (
	"fmt"
	"math"
)

// Brier is the mean squared difference of predicted probabilities and outcomes (Brier, 1950). Undefined without predictions.
func Brier(p []float64, positive []bool) (float64, bool) {
	checkProbabilities("Brier", p, positive)
	if len(p) == 0 {
		return 0, false
	}
	sum := 0.0
	for i := range p {
		d := p[i] - outcome(positive[i])
		sum += d * d
	}
	return sum / float64(len(p)), true
}

// ECE is the expected calibration error over that many bins of equal width (Guo et al., arXiv 1706.04599, eq. 5): the mean over bins,
// weighted by their counts, of |mean prediction − share of positives|. Bins are [low, high), the last one [low, 1]. Undefined without
// predictions.
func ECE(p []float64, positive []bool, bins int) (float64, bool) {
	checkProbabilities("ECE", p, positive)
	if bins < 1 {
		panic(fmt.Sprintf("metric: ECE: %d bins: at least 1 is needed", bins))
	}
	if len(p) == 0 {
		return 0, false
	}
	excess := make([]float64, bins) // Σ (prediction − outcome) of a bin
	for i := range p {
		excess[bin(p[i], bins)] += p[i] - outcome(positive[i])
	}
	sum := 0.0
	for _, e := range excess {
		sum += math.Abs(e)
	}
	return sum / float64(len(p)), true
}

// bin compares with the edges themselves, because p·bins rounds: 0.29·100 is less than 29.
func bin(p float64, bins int) int {
	n := float64(bins)
	b := min(int(p*n), bins-1)
	for b+1 < bins && p >= float64(b+1)/n {
		b++
	}
	for b > 0 && p < float64(b)/n {
		b--
	}
	return b
}

func outcome(positive bool) float64 {
	if positive {
		return 1
	}
	return 0
}

func checkProbabilities(name string, p []float64, positive []bool) {
	sameLength(name, len(p), len(positive))
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			panic(fmt.Sprintf("metric: %s: prediction %d is %v, which is no probability", name, i, v))
		}
	}
}
