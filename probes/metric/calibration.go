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

// Bin is the predictions of an interval of probabilities, [Low, High), the last one [Low, 1].
type Bin struct {
	Low, High float64
	Count     int     // at least 1
	Positive  int     // of them
	Mean      float64 // prediction
}

// Reliability is a reliability diagram: the bins, of so many of equal width, that hold any predictions, ascending.
func Reliability(p []float64, positive []bool, bins int) []Bin {
	checkProbabilities("Reliability", p, positive)
	if bins < 1 {
		panic(fmt.Sprintf("metric: Reliability: %d bins: at least 1 is needed", bins))
	}
	all := make([]Bin, bins)
	for i, v := range p {
		b := &all[bin(v, bins)]
		b.Count++
		b.Mean += v
		b.Positive += int(outcome(positive[i]))
	}
	var held []Bin
	for i, b := range all {
		if b.Count > 0 {
			b.Low, b.High = float64(i)/float64(bins), float64(i+1)/float64(bins)
			b.Mean /= float64(b.Count)
			held = append(held, b)
		}
	}
	return held
}

// ECE is the expected calibration error of a reliability diagram (Guo et al., arXiv 1706.04599, eq. 5): the mean over bins, weighted by their
// counts, of |mean prediction − share of positives|. Undefined without predictions.
func ECE(bins []Bin) (float64, bool) {
	sum, n := 0.0, 0.0
	for _, b := range bins {
		sum += math.Abs(b.Mean*float64(b.Count) - float64(b.Positive))
		n += float64(b.Count)
	}
	return sum / n, n > 0
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
