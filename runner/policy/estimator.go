package policy

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// Estimator names a policy-gradient estimator, as a profile writes it.
type Estimator string

// The estimators.
const (
	GRPO        Estimator = "grpo"        // Shao et al., arXiv 2402.03300
	DrGRPO      Estimator = "drgrpo"      // Liu et al., arXiv 2503.20783
	RLOO        Estimator = "rloo"        // Ahmadian et al., arXiv 2402.14740
	ReinforcePP Estimator = "reinforce++" // Hu et al., arXiv 2501.03262
)

// grpoEpsilon keeps GRPO's quotient finite where a group hardly varies.
const grpoEpsilon = 1e-6

// GroupStats counts what the groups of a batch had to teach.
type GroupStats struct {
	Groups     int
	Dead       int // groups with fewer than two scorable rewards, or with all of them equal
	Unscorable int // rewards that are NaN
}

// Advantages compares rewards within consecutive groups of size group: adv[i] belongs to rewards[i]. With a group's mean m and its
// standard deviation s (n − 1),
//
//	GRPO      (r − m) / (s + 1e-6)    arXiv 2402.03300, §4.1.2
//	Dr. GRPO  r − m                   arXiv 2503.20783, §3.2
//	RLOO      r − mean of the others  arXiv 2402.14740; the same as k/(k−1)·(r − m)
//
// A NaN reward is unscorable: its advantage is 0 and it is left out of its group's m, s and k. A group with fewer than two scorable
// rewards, or with all of them equal, is dead: its advantages are 0. An infinite reward is an error, and so is a batch that is no whole
// number of groups. REINFORCE++ has advantages of tokens, not of sequences: see ReinforcePlusPlus.
func Advantages(est Estimator, rewards []float64, group int) (adv []float64, stats GroupStats, err error) {
	var advantage func(scored []float64) func(r float64) float64
	switch est {
	case GRPO:
		advantage = func(scored []float64) func(float64) float64 {
			m, s := stat.MeanStdDev(scored, nil)
			return func(r float64) float64 { return (r - m) / (s + grpoEpsilon) }
		}
	case DrGRPO:
		advantage = func(scored []float64) func(float64) float64 {
			m := stat.Mean(scored, nil)
			return func(r float64) float64 { return r - m }
		}
	case RLOO:
		advantage = func(scored []float64) func(float64) float64 {
			m, k := stat.Mean(scored, nil), float64(len(scored))
			return func(r float64) float64 { return k / (k - 1) * (r - m) }
		}
	case ReinforcePP:
		return nil, stats, fmt.Errorf("policy: estimator %q has an advantage for each token, none for a sequence: use ReinforcePlusPlus", est)
	default:
		return nil, stats, unknown(est)
	}

	adv = make([]float64, len(rewards))
	stats, err = eachGroup(rewards, group, func(from int, members, scored []float64) {
		of := advantage(scored)
		for i, r := range members {
			if !math.IsNaN(r) {
				adv[from+i] = of(r)
			}
		}
	})
	if err != nil {
		return nil, stats, err
	}
	return adv, stats, nil
}

func unknown(est Estimator) error {
	return fmt.Errorf("policy: unknown estimator %q: use %q, %q, %q or %q", est, GRPO, DrGRPO, RLOO, ReinforcePP)
}

// eachGroup calls alive for each group that is not dead, with the index of its first member, its members and those of them that are scorable.
func eachGroup(rewards []float64, group int, alive func(from int, members, scored []float64)) (GroupStats, error) {
	var stats GroupStats
	if group < 1 || len(rewards)%group != 0 {
		return stats, fmt.Errorf("policy: %d rewards are no whole number of groups of %d: the number of proposals must be a multiple of the group size", len(rewards), group)
	}
	for i, r := range rewards {
		if math.IsInf(r, 0) {
			return stats, fmt.Errorf("policy: reward %d is %v: a reward is a finite number, or NaN where there is none", i, r)
		}
	}
	for from := 0; from < len(rewards); from += group {
		members := rewards[from : from+group]
		scored := scorable(members)
		stats.Groups++
		stats.Unscorable += group - len(scored)
		if !varies(scored) {
			stats.Dead++
			continue
		}
		alive(from, members, scored)
	}
	return stats, nil
}

func scorable(rewards []float64) []float64 {
	scored := make([]float64, 0, len(rewards))
	for _, r := range rewards {
		if !math.IsNaN(r) {
			scored = append(scored, r)
		}
	}
	return scored
}

// varies compares the rewards themselves: the rounded mean of equal numbers can differ from them, and their computed variance from 0.
func varies(x []float64) bool {
	for _, v := range x {
		if v != x[0] {
			return true
		}
	}
	return false
}
