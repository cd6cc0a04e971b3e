package policy

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// whitenEpsilon is inside the root of the standard deviation that whitening divides by.
const whitenEpsilon = 1e-8

// ReinforcePlusPlus gives the returns and the advantages of tokens of REINFORCE++ (arXiv 2501.03262): token t of sequence i is rewarded
// with −beta·kl[i][t], the last one also with rewards[i]; its return sums these from t on, each later one discounted by gamma once more; and
// its advantage is its return whitened over all tokens of the batch, (R − mean) / √(variance + 1e-8) with n − 1 in the variance.
//
// kl[i][t] is k1 of that token (see K1), so that kl also says how many tokens a sequence has. baseline is the size of the consecutive groups
// whose mean reward is subtracted first (the paper's REINFORCE++-baseline, for several replies to one prompt); 0 subtracts nothing.
// A sequence with a NaN reward is left out of the group's mean and of the whitening; its returns and advantages are 0.
func ReinforcePlusPlus(rewards []float64, kl [][]float64, beta, gamma float64, baseline int) (returns, whitened [][]float64, err error) {
	if len(kl) != len(rewards) {
		return nil, nil, fmt.Errorf("policy: %d rewards, but token KLs of %d sequences", len(rewards), len(kl))
	}
	if !(gamma >= 0 && gamma <= 1) {
		return nil, nil, fmt.Errorf("policy: gamma = %v: the discount is between 0 and 1", gamma)
	}
	centred, err := centre(rewards, baseline)
	if err != nil {
		return nil, nil, err
	}

	returns, whitened = make([][]float64, len(kl)), make([][]float64, len(kl))
	var valid []float64
	for i, k := range kl {
		returns[i], whitened[i] = make([]float64, len(k)), make([]float64, len(k))
		if math.IsNaN(centred[i]) {
			continue
		}
		ahead := centred[i]
		for t := len(k) - 1; t >= 0; t-- {
			if math.IsNaN(k[t]) || math.IsInf(k[t], 0) {
				return nil, nil, fmt.Errorf("policy: KL of token %d of sequence %d is %v: it must be finite", t, i, k[t])
			}
			returns[i][t] = ahead - beta*k[t]
			ahead = gamma * returns[i][t]
		}
		valid = append(valid, returns[i]...)
	}
	if !varies(valid) {
		return returns, whitened, nil
	}
	mean, variance := stat.MeanVariance(valid, nil)
	sd := math.Sqrt(variance + whitenEpsilon)
	for i := range returns {
		if math.IsNaN(centred[i]) {
			continue
		}
		for t, r := range returns[i] {
			whitened[i][t] = (r - mean) / sd
		}
	}
	return returns, whitened, nil
}

// centre subtracts the means of groups of that size; with size 0 it only checks the rewards, as one group. NaN stays NaN.
func centre(rewards []float64, size int) ([]float64, error) {
	out := append([]float64(nil), rewards...)
	if size == 0 {
		_, err := eachGroup(rewards, max(len(rewards), 1), func(int, []float64, []float64) {})
		return out, err
	}
	for i, r := range out {
		if !math.IsNaN(r) {
			out[i] = 0 // what a dead group's reward comes to; the others are overwritten
		}
	}
	_, err := eachGroup(rewards, size, func(from int, members, scored []float64) {
		copy(out[from:], members)
		floats.AddConst(-stat.Mean(scored, nil), out[from:from+size])
	})
	return out, err
}
