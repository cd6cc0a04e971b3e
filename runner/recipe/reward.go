package recipe

import (
	"context"
	"math"

	"verge/domains/prompt"
	"verge/probes"
	"verge/runner/event"
	"verge/runner/lab"
)

// reward scores proposals for a policy update; NaN is a proposal without a reward.
type reward func(context.Context, []*lab.Proposal) ([]float64, error)

// probeReward is PROPEL's: the probe's logit of a valid proposal, the invalid reward of another. The probe reads the rendered task
// with the frozen reference, so that the policy cannot raise its reward by moving the activations.
func (b *Bench) probeReward(name string, probe probes.Probe) reward {
	return func(ctx context.Context, proposals []*lab.Proposal) ([]float64, error) {
		rewards, spread, err := b.score(ctx, probe, proposals)
		if err != nil {
			return nil, err
		}
		var events []event.Event
		for i, p := range proposals {
			if p.Valid() {
				events = append(events, event.ProbeScored{Key: p.Key, Probe: name, Logit: rewards[i], Spread: spread[i]})
			}
		}
		return rewards, b.emit(events...)
	}
}

// score is the reward that proposals have under a probe, and of the valid ones the spread over an ensemble's members; nil of a single probe.
func (b *Bench) score(ctx context.Context, probe probes.Probe, proposals []*lab.Proposal) (rewards []float64, spread []*float64, err error) {
	var valid []int
	var readings []prompt.Prompt
	for i, p := range proposals {
		if p.Valid() {
			valid = append(valid, i)
			readings = append(readings, b.Lab.Domain.Reading(b.Reference.Dialect, p.Task))
		}
	}
	var logits, spreads []float64
	if e, ok := probe.(*probes.Ensemble); ok {
		logits, spreads, err = e.ScoreSpread(ctx, b.Reference.Reader, readings)
	} else {
		logits, err = probe.Score(ctx, b.Reference.Reader, readings)
	}
	if err != nil {
		return nil, nil, err
	}
	rewards, spread = b.validityRewards(proposals), make([]*float64, len(proposals))
	for j, i := range valid {
		rewards[i] = logits[j]
		if spreads != nil {
			spread[i] = &spreads[j]
		}
	}
	return rewards, spread, nil
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
		switch inBand, graded := b.labelled(p); {
		case !graded:
			rewards[i] = math.NaN()
		case inBand:
			rewards[i] = 1
		}
	}
	return rewards, nil
}

// labelled says whether a task that was attempted is in band, and whether that can be said: whether all its K attempts were graded.
func (b *Bench) labelled(p *lab.Proposal) (inBand, graded bool) {
	band := event.Band{Attempts: b.Profile.Target.Attempts}
	band.Fewest, band.Most = b.Profile.Target.Counts()
	right, n := p.Outcome()
	return band.Holds(right, n), n == band.Attempts
}
