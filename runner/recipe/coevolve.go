package recipe

import (
	"context"
	"slices"

	"verge/probes"
	"verge/runner/lab"
)

// coevolution makes t adversarial (PROPEL, "adversarial co-evolution"): every few updates the tasks that the probe scores highest are
// attempted, a new probe is trained on the corpus and all of them, and the reward is the lesser of the original probe and the new one.
//
// The paper takes tasks that the probe scores high and the solver fails as negatives. Used alone, such a probe drifted to trivial tasks;
// so here the bought tasks keep their labels, too easy and too hard alike, and the original probe stays in the minimum.
func (e *experiment) coevolution(t training, original probes.Probe) training {
	now := t.reward
	examples := e.examples(e.corpus)
	t.reward = func(ctx context.Context, proposals []*lab.Proposal) ([]float64, error) { return now(ctx, proposals) }
	t.after = func(ctx context.Context, step int, proposals []*lab.Proposal, rewards []float64) error {
		if step%e.Profile.Coevolve.Every != 0 || step == t.steps { // a probe after the last update would reward nothing
			return nil
		}
		bought := highest(proposals, rewards, e.Profile.Coevolve.Tasks)
		if err := e.Lab.Attempt(ctx, bought); err != nil {
			return err
		}
		examples = append(examples, e.examples(bought)...)
		fresh, err := e.trainProbe(ctx, evolvedProbe, examples)
		if err != nil {
			return err
		}
		both, err := probes.NewEnsemble(probes.Min, original, fresh)
		if err != nil {
			return err
		}
		now = e.probeReward(evolvedProbe, both)
		return nil
	}
	return t
}

// highest are the n valid proposals with the largest rewards, each task once, in the order they were made.
func highest(proposals []*lab.Proposal, rewards []float64, n int) []*lab.Proposal {
	var order []int
	seen := map[string]bool{}
	for i, p := range proposals {
		if p.Valid() && !seen[p.Task.ID] {
			seen[p.Task.ID] = true
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case rewards[a] > rewards[b]:
			return -1
		case rewards[a] < rewards[b]:
			return 1
		}
		return 0
	})
	order = order[:min(n, len(order))]
	slices.Sort(order)
	out := make([]*lab.Proposal, len(order))
	for i, at := range order {
		out[i] = proposals[at]
	}
	return out
}
