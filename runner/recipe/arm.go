package recipe

import (
	"context"
	"fmt"
	"math"

	"verge/profiles"
	"verge/runner/engine"
	"verge/runner/event"
	"verge/runner/lab"
	"verge/runner/policy"
)

// training is how an arm's policy is trained before it is evaluated.
type training struct {
	steps     int
	reward    reward
	generator *lab.Generator  // that the policy starts as; nil: the run's
	budget    *int            // attempts that the rewards may cost in all; nil: as many as they cost
	probe     string          // that rewards it
	corpus    int             // attempts that the probe's corpus cost
	seen      map[string]bool // tasks of the corpus, by ID; nil: the run collected none
	bestOf    int             // proposals of which the one with the largest reward is evaluated; 0: every proposal is
	// after, if not nil, is called after an update; what it attempts is billed to the training.
	after func(ctx context.Context, step int, proposals []*lab.Proposal, rewards []float64) error
}

// runArm trains a policy that starts as the arm's generator, evaluates it, and returns the number of updates that were made.
func (b *Bench) runArm(ctx context.Context, arm string, t training) (int, error) {
	from := b.Generator
	if t.generator != nil {
		from = *t.generator
		// The arm is compared with where it started from, which is not the run's base.
		if _, err := b.proposeAndAttempt(ctx, from, arm, event.Start, 0, b.Profile.Evaluation.Proposals); err != nil {
			return 0, err
		}
	}
	if t.steps == 0 {
		of, err := b.untrained(from)
		if err != nil {
			return 0, err
		}
		return 0, b.evaluate(ctx, arm, from, of, 0, t)
	}
	p, err := b.newPolicy(from)
	if err != nil {
		return 0, err
	}
	steps, err := b.train(ctx, arm, from, p, t)
	if err != nil {
		return steps, err
	}
	if err := b.keepPolicy(arm, p, steps); err != nil {
		return steps, err
	}
	return steps, b.evaluate(ctx, arm, from, p, steps, t)
}

// keepPolicy keeps what an arm has learned.
func (b *Bench) keepPolicy(arm string, p policy.Policy, steps int) error {
	if b.Artifacts == nil {
		return nil
	}
	kept, err := b.Artifacts.KeepPolicy(arm, p)
	if err != nil {
		return err
	}
	return b.emit(event.PolicyKept{Arm: arm, Kind: b.Profile.Policy.Kind, Steps: steps, File: kept.File, Digest: kept.Digest})
}

// untrained is what a generator's proposals are sampled from as long as nothing was learned.
func (b *Bench) untrained(from lab.Generator) (policy.Sampler, error) {
	if b.Profile.Policy.Kind == profiles.Context {
		return b.newContext(from)
	}
	return policy.NewFrozen(from.Model), nil
}

// newPolicy makes a policy of the profile's kind that starts as a generator.
func (b *Bench) newPolicy(from lab.Generator) (policy.Policy, error) {
	c := b.Profile.Policy
	if c.Kind == profiles.Context {
		return b.newContext(from)
	}
	return policy.NewLoRA(from.Model, policy.LoRAOptions{
		Estimator: policy.Estimator(c.Estimator), Group: c.Group, Rank: c.Rank, Alpha: c.Alpha, Targets: c.Targets,
		Schedule: schedule(c), KL: c.KL, Gamma: c.Gamma, Baseline: c.Baseline, Clip: c.Clip, MaxTokens: from.Params.MaxTokens, Seed: b.Lab.Seed,
		Elsewhere: from.Elsewhere != nil,
	})
}

// schedule is the learning rate by update.
func schedule(c profiles.Policy) engine.Schedule {
	s := engine.Schedule{Rate: c.LearningRate, Warmup: c.WarmupSteps}
	if c.Schedule == "cosine" {
		s.Total = c.Steps
	}
	return s
}

// evaluate measures a policy by fresh attempts at fresh proposals: no reward, and nothing that was trained on, enters its figures.
func (b *Bench) evaluate(ctx context.Context, arm string, from lab.Generator, of policy.Sampler, steps int, t training) error {
	var proposals []*lab.Proposal
	var err error
	now := sampledBy(from, of)
	if t.bestOf > 0 {
		proposals, err = b.chooseAndAttempt(ctx, now, arm, t)
	} else {
		proposals, err = b.proposeAndAttempt(ctx, now, arm, event.Eval, steps, b.Profile.Evaluation.Proposals)
	}
	if err != nil {
		return err
	}
	if valid(proposals) == 0 {
		text := fmt.Sprintf("none of %d proposals is valid: nothing can be said of the arm's tasks", len(proposals))
		if err := b.emit(event.Warned{Arm: arm, Code: "none-valid", Text: text}); err != nil {
			return err
		}
	}
	// Of chosen proposals nothing is known: what was sampled is not what is evaluated.
	if t.bestOf == 0 {
		d, err := of.Measure(ctx, episodes(proposals))
		if err != nil {
			return err
		}
		if d != nil {
			if err := b.emit(event.Measured{Arm: arm, Steps: steps, KL: d.KL, Entropy: d.Entropy, PerCue: d.PerCue}); err != nil {
				return err
			}
		}
	}
	diversity, err := b.diversity(arm, proposals)
	if err != nil {
		return err
	}
	return b.emit(
		diversity, b.weakness(arm, proposals),
		event.Evaluated{Arm: arm, Probe: t.probe, CorpusAttempts: t.corpus, Overlap: overlap(proposals, t.seen)})
}

// chooseAndAttempt evaluates, of every bestOf proposals, the one with the largest reward.
func (b *Bench) chooseAndAttempt(ctx context.Context, g lab.Generator, arm string, t training) ([]*lab.Proposal, error) {
	l, n := b.Lab, b.Profile.Evaluation.Proposals
	if err := b.emit(event.StageStarted{Arm: arm, Stage: event.Choice, Total: n * t.bestOf}); err != nil {
		return nil, err
	}
	l.Meter.Begin(arm, string(event.Choice), lab.Proposals, n*t.bestOf)
	pool, err := l.Propose(ctx, g, arm, event.Choice, 0, n*t.bestOf)
	if err != nil {
		return nil, err
	}
	rewards, err := t.reward(ctx, pool)
	if err != nil {
		return nil, err
	}
	chosen := make([]*lab.Proposal, n)
	for i := range chosen {
		best := i * t.bestOf
		for j := best; j < (i+1)*t.bestOf; j++ {
			if rewards[j] > rewards[best] || math.IsNaN(rewards[best]) {
				best = j
			}
		}
		chosen[i] = pool[best]
	}
	if err := b.emit(event.StageStarted{Arm: arm, Stage: event.Eval, Total: n}); err != nil {
		return nil, err
	}
	entered, err := l.Enter(chosen, event.Eval, 0)
	if err != nil {
		return nil, err
	}
	l.Meter.Begin(arm, string(event.Eval), lab.Attempts, valid(entered)*l.Attempts)
	return entered, l.Attempt(ctx, entered)
}

func (b *Bench) proposeAndAttempt(ctx context.Context, g lab.Generator, arm string, stage event.Stage, step, n int) ([]*lab.Proposal, error) {
	l := b.Lab
	if err := b.emit(event.StageStarted{Arm: arm, Stage: stage, Total: n}); err != nil {
		return nil, err
	}
	l.Meter.Begin(arm, string(stage), lab.Proposals, n)
	proposals, err := l.Propose(ctx, g, arm, stage, step, n)
	if err != nil {
		return nil, err
	}
	return proposals, l.Attempt(ctx, proposals)
}

// episodes are the proposals as a policy learns from them.
func episodes(proposals []*lab.Proposal) []policy.Episode {
	out := make([]policy.Episode, len(proposals))
	for i, p := range proposals {
		out[i] = policy.Episode{Cue: p.Cue, Turns: p.Turns}
	}
	return out
}

func valid(proposals []*lab.Proposal) int {
	n := 0
	for _, p := range proposals {
		if p.Valid() {
			n++
		}
	}
	return n
}

// attempts is how many attempts were made at the proposals.
func attempts(proposals []*lab.Proposal) int {
	n := 0
	for _, p := range proposals {
		n += len(p.Gradings)
	}
	return n
}
