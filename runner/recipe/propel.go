package recipe

import (
	"context"
	"fmt"
	"math"
	"slices"

	"verge/domains/prompt"
	"verge/probes"
	"verge/profiles"
	"verge/runner/backend"
	"verge/runner/event"
	"verge/runner/lab"
)

// PROPEL (arXiv 2606.18284) trains a generator on the logit of an activation probe that was trained once, on a corpus labelled by
// the solver; no solver runs during reinforcement learning.
type PROPEL struct{}

// The arms. The baselines stand beside every PROPEL result.
const (
	Base         = "base"          // the untrained generator
	Propel       = "propel"        // the paper's method
	ValidityOnly = "validity-only" // reward 0, or the invalid reward: how much of the gain is validity?
	SILEqual     = "sil-equal"     // solver in the loop, stopped at the attempts that the probe's corpus cost
	SILLong      = "sil-long"      // solver in the loop, as many updates as PROPEL makes
)

// probeName is the name of the run's only probe.
const probeName = "in-band"

// Needs implements Recipe.
func (PROPEL) Needs() map[string][]backend.Capability {
	return map[string][]backend.Capability{
		"generator": {backend.Sampling, backend.Training, backend.Activations},
		"solver":    {backend.Sampling},
	}
}

// Run implements Recipe: collect once, train a probe once, train the generator on its logit, evaluate with the solver.
func (PROPEL) Run(ctx context.Context, b *Bench) error {
	arms := b.Profile.Run.Arms
	var corpus []*lab.Proposal
	var probe probes.Probe
	var err error
	if slices.Contains(arms, Propel) || slices.Contains(arms, SILEqual) {
		if corpus, err = b.collect(ctx); err != nil {
			return err
		}
	}
	if slices.Contains(arms, Propel) {
		if probe, err = b.trainProbe(ctx, corpus); err != nil {
			return err
		}
	}
	cost, steps := attempts(corpus), b.Profile.Policy.Steps
	// In the recipe's order, not the profile's: the baselines make as many updates as PROPEL turned out to make.
	for _, arm := range profiles.Arms("propel") {
		if !slices.Contains(arms, arm) {
			continue
		}
		var t training
		switch arm {
		case Base:
			t = training{}
		case Propel:
			t = training{steps: steps, reward: b.probeReward(probe), probe: probeName, corpus: cost}
		case ValidityOnly:
			t = training{steps: steps, reward: b.validityReward}
		case SILEqual:
			t = training{steps: math.MaxInt, reward: b.solverReward, budget: &cost}
		case SILLong:
			t = training{steps: steps, reward: b.solverReward}
		}
		made, err := b.runArm(ctx, arm, t)
		if err != nil {
			return fmt.Errorf("arm %s: %w", arm, err)
		}
		if arm == Propel {
			steps = made
		}
	}
	return nil
}

// collect lets the frozen base propose and the solver attempt each valid proposal K times.
func (b *Bench) collect(ctx context.Context) ([]*lab.Proposal, error) {
	n := b.Profile.Corpus.Proposals
	return b.proposeAndAttempt(ctx, b.Generator, string(event.Corpus), event.Corpus, 0, n)
}

// trainProbe trains the probe on the corpus' valid and fully graded tasks, and measures its reward's variance on fresh proposals.
func (b *Bench) trainProbe(ctx context.Context, corpus []*lab.Proposal) (probes.Probe, error) {
	p, l := b.Profile, b.Lab
	var examples []probes.Example
	for _, q := range corpus {
		if right, graded := q.Outcome(); q.Valid() && graded == p.Target.Attempts {
			examples = append(examples, probes.Example{
				Prompt: l.Domain.Reading(l.Dialect, q.Task),
				Group:  l.Domain.Skeleton(q.Task),
				InBand: p.Target.InBand(right, graded),
			})
		}
	}
	l.Meter.Begin(Propel, "probe", lab.Steps, 1)
	probe, report, err := probes.Train(ctx, b.Reference, examples, probeOptions(p))
	if err != nil {
		return nil, err
	}
	l.Meter.Step()
	base, err := l.Propose(ctx, b.Generator, string(event.Corpus), event.Probe, 0, p.Probe.RVPSamples)
	if err != nil {
		return nil, err
	}
	rewards, err := b.probeReward(probe)(ctx, base)
	if err != nil {
		return nil, err
	}
	return probe, b.emit(probeTrained(p.Probe.Kind, report, rewards))
}

// reward scores proposals for a policy update; NaN is a proposal without a reward.
type reward func(context.Context, []*lab.Proposal) ([]float64, error)

// probeReward is PROPEL's: the probe's logit of a valid proposal, the invalid reward of another. The probe reads the rendered task
// with the frozen reference, so that the policy cannot raise its reward by moving the activations.
func (b *Bench) probeReward(probe probes.Probe) reward {
	return func(ctx context.Context, proposals []*lab.Proposal) ([]float64, error) {
		var valid []int
		var readings []prompt.Prompt
		for i, p := range proposals {
			if p.Valid() {
				valid = append(valid, i)
				readings = append(readings, b.Lab.Domain.Reading(b.Lab.Dialect, p.Task))
			}
		}
		logits, err := probe.Score(ctx, b.Reference, readings)
		if err != nil {
			return nil, err
		}
		rewards := b.validityRewards(proposals)
		events := make([]event.Event, len(valid))
		for j, i := range valid {
			rewards[i] = logits[j]
			events[j] = event.ProbeScored{Key: proposals[i].Key, Probe: probeName, Logit: logits[j]}
		}
		return rewards, b.emit(events...)
	}
}

func (b *Bench) validityReward(_ context.Context, proposals []*lab.Proposal) ([]float64, error) {
	return b.validityRewards(proposals), nil
}

func (b *Bench) validityRewards(proposals []*lab.Proposal) []float64 {
	rewards := make([]float64, len(proposals))
	for i, p := range proposals {
		switch {
		case p.Err != nil:
			rewards[i] = math.NaN()
		case !p.Valid():
			rewards[i] = b.Profile.Policy.InvalidReward
		}
	}
	return rewards
}

// solverReward is the utility itself, 1 in band and 0 outside, measured by K attempts at every valid proposal.
func (b *Bench) solverReward(ctx context.Context, proposals []*lab.Proposal) ([]float64, error) {
	if err := b.Lab.Attempt(ctx, proposals); err != nil {
		return nil, err
	}
	rewards := b.validityRewards(proposals)
	for i, p := range proposals {
		if !p.Valid() {
			continue
		}
		switch right, graded := p.Outcome(); {
		case graded < b.Profile.Target.Attempts:
			rewards[i] = math.NaN()
		case b.Profile.Target.InBand(right, graded):
			rewards[i] = 1
		}
	}
	return rewards, nil
}
