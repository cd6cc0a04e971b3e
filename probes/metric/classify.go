package metric

import "gonum.org/v1/gonum/stat"

// BalancedAccuracy is the mean of sensitivity and specificity when scores of at least threshold are called positive. Undefined with one
// class only.
func BalancedAccuracy(score []float64, positive []bool, threshold float64) (float64, bool) {
	sameLength("BalancedAccuracy", len(score), len(positive))
	var right, all [2]float64
	for i, s := range score {
		class := 0
		if positive[i] {
			class = 1
		}
		all[class]++
		if (s >= threshold) == positive[i] {
			right[class]++
		}
	}
	if all[0] == 0 || all[1] == 0 {
		return 0, false
	}
	return (right[0]/all[0] + right[1]/all[1]) / 2, true
}

// RVP is the variance, with n − 1, of a reward over samples of the base policy: PROPEL's predictor of how much there is to gain by
// reinforcement (arXiv 2606.18284). Undefined with fewer than two rewards.
func RVP(rewards []float64) (float64, bool) {
	if len(rewards) < 2 {
		return 0, false
	}
	return stat.Variance(rewards, nil), true
}
