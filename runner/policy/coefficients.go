package policy

import "fmt"

// CoefficientOptions say which loss is minimised.
type CoefficientOptions struct {
	Estimator Estimator
	Group     int     // sequences compared with each other
	MaxTokens int     // the token budget of a sequence, which Dr. GRPO divides by
	Beta      float64 // weight of k1 in the reward of REINFORCE++
	Gamma     float64 // discount of REINFORCE++
	Baseline  bool    // REINFORCE++ subtracts the mean of the group first
}

// Coefficients gives c such that the loss to minimise is −Σ c[i][t]·log p[i][t] over the tokens t of the sequences i, with the advantages A
// of rewards and n sequences of lengths[i] tokens:
//
//	GRPO         A[i] / (n·lengths[i])    mean over a sequence's tokens, then over sequences (arXiv 2402.03300, eq. 3)
//	Dr. GRPO     A[i] / (n·MaxTokens)     no bias towards short right and long wrong replies (arXiv 2503.20783, §3.2)
//	RLOO         A[i] / n                 the sequence is the action: sum over its tokens (arXiv 2402.14740)
//	REINFORCE++  A[i][t] / Σ lengths      mean over the batch's tokens (arXiv 2501.03262)
//
// The sequences are on policy, so that the papers' importance ratios are 1 and there is nothing to clip. Unscorable and dead sequences have
// coefficient 0 and stay in the denominators. k1 is read by REINFORCE++ alone: log p − log q of each token. It compares the whole batch, which
// therefore counts as one group unless Baseline is set; where every group is dead, all coefficients are 0, because whitening would blow what
// is left, the noise of the KL, up to unit variance.
func Coefficients(o CoefficientOptions, rewards []float64, lengths []int, k1 [][]float64) ([][]float64, GroupStats, error) {
	var stats GroupStats
	if len(lengths) != len(rewards) {
		return nil, stats, fmt.Errorf("policy: %d rewards, but lengths of %d sequences", len(rewards), len(lengths))
	}
	if o.Estimator == DrGRPO && o.MaxTokens < 1 {
		return nil, stats, fmt.Errorf("policy: estimator %q divides by the token budget, which is %d: it must be positive", o.Estimator, o.MaxTokens)
	}
	advantages, stats, err := tokenAdvantages(o, rewards, lengths, k1)
	if err != nil {
		return nil, stats, err
	}
	for i := range advantages {
		scale := Normaliser(o.Estimator, lengths, i, o.MaxTokens)
		for t := range advantages[i] {
			advantages[i][t] *= scale
		}
	}
	return advantages, stats, nil
}

// tokenAdvantages spreads the advantage of a sequence over its tokens, or has REINFORCE++ find one for each.
func tokenAdvantages(o CoefficientOptions, rewards []float64, lengths []int, k1 [][]float64) ([][]float64, GroupStats, error) {
	out := make([][]float64, len(rewards))
	for i, n := range lengths {
		out[i] = make([]float64, n)
	}
	if o.Estimator != ReinforcePP {
		adv, stats, err := Advantages(o.Estimator, rewards, o.Group)
		if err != nil {
			return nil, stats, err
		}
		for i := range out {
			for t := range out[i] {
				out[i][t] = adv[i]
			}
		}
		return out, stats, nil
	}

	group, baseline := max(len(rewards), 1), 0
	if o.Baseline {
		group, baseline = o.Group, o.Group
	}
	stats, err := eachGroup(rewards, group, func(int, []float64, []float64) {})
	if err != nil {
		return nil, stats, err
	}
	for i, n := range lengths {
		if i >= len(k1) || len(k1[i]) != n {
			return nil, stats, fmt.Errorf("policy: sequence %d has %d tokens, but k1 does not hold one value for each: REINFORCE++ takes the KL of every token into its reward", i, n)
		}
	}
	_, whitened, err := ReinforcePlusPlus(rewards, k1, o.Beta, o.Gamma, baseline)
	if err != nil {
		return nil, stats, err
	}
	if stats.Dead == stats.Groups {
		return out, stats, nil
	}
	return whitened, stats, nil
}

// Normaliser is what the estimator's loss multiplies each token of sequence i with, beside its advantage: the factors in the table of
// Coefficients. A KL term that is added to the loss takes the same factor, so that its weight means the same whatever the lengths.
// It is 0 for a sequence without tokens, and it panics on an estimator that Coefficients refuses.
func Normaliser(est Estimator, lengths []int, i, maxTokens int) float64 {
	n := float64(len(lengths))
	switch {
	case lengths[i] == 0:
		return 0
	case est == GRPO:
		return 1 / (n * float64(lengths[i]))
	case est == DrGRPO:
		return 1 / (n * float64(maxTokens))
	case est == RLOO:
		return 1 / n
	case est == ReinforcePP:
		total := 0
		for _, l := range lengths {
			total += l
		}
		return 1 / float64(total)
	}
	panic(unknown(est))
}
