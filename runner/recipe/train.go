package recipe

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"verge/runner/event"
	"verge/runner/lab"
	"verge/runner/policy"
)

// train updates p until its steps are done or its budget would be exceeded, and returns the number of updates.
func (b *Bench) train(ctx context.Context, arm string, from lab.Generator, p policy.Policy, t training) (int, error) {
	l, c := b.Lab, b.Profile.Policy
	total := t.steps
	if t.budget != nil {
		total = *t.budget / max(1, c.Proposals*l.Attempts) // at the least: invalid proposals cost none
	}
	if err := b.emit(event.StageStarted{Arm: arm, Stage: event.Train, Total: total}); err != nil {
		return 0, err
	}
	l.Meter.Begin(arm, string(event.Train), lab.Steps, total)
	var at Checkpoint
	// What after has learned is in no checkpoint: such an arm's updates are made again.
	if t.after == nil {
		var err error
		if at, err = b.takeUp(arm, p); err != nil {
			return 0, err
		}
	}
	for step := at.Step; step < t.steps; step++ {
		proposals, err := l.Propose(ctx, sampledBy(from, p), arm, event.Train, step, c.Proposals)
		if err != nil {
			return step, err
		}
		if text, code := t.unusable(at.Spent, step, proposals, l.Attempts); code != "" {
			return step, b.emit(append(closing(arm, at), event.Warned{Arm: arm, Code: code, Text: text})...)
		}
		rewards, err := t.reward(ctx, proposals)
		if err != nil {
			return step, err
		}
		update, err := p.Update(ctx, episodes(proposals), rewards)
		if err != nil {
			return step, fmt.Errorf("step %d: %w", step+1, err)
		}
		if at.Monitored, err = b.monitor(ctx, arm, t.probe, step+1, proposals, rewards, at.Monitored); err != nil {
			return step, err
		}
		if t.after != nil {
			if err := t.after(ctx, step+1, proposals, rewards); err != nil {
				return step, err
			}
		}
		variety, err := b.diversity(arm, proposals)
		if err != nil {
			return step, err
		}
		if err := b.emit(variety); err != nil {
			return step, err
		}
		cost := attempts(proposals)
		at.Spent += cost
		learned := append([]event.Event{policyUpdated(arm, step+1, proposals, rewards, update, cost)}, contextUpdated(arm, step+1, p)...)
		if err := b.emit(learned...); err != nil {
			return step, err
		}
		if update.Skipped {
			at.Idle++
		}
		at.Untold += update.Untold
		if update.Gap != nil {
			at.Gap = max(at.Gap, *update.Gap)
		}
		if c.MaxKL > 0 && update.KL > c.MaxKL {
			per := map[bool]string{false: "token", true: "cue"}[update.PerCue]
			text := fmt.Sprintf("training ended with step %d, which found the policy %.2f nats a %s from its base; policy.max_kl = %g", step+1, update.KL, per, c.MaxKL)
			return step + 1, b.emit(append(closing(arm, at), event.Warned{Arm: arm, Code: "max-kl", Text: text})...)
		}
		if t.after == nil {
			at.Step = step + 1
			if err := b.keep(arm, p, at); err != nil {
				return step, err
			}
		}
		l.Meter.Step()
	}
	return t.steps, b.emit(closing(arm, at)...)
}

// unusable says why a training within a budget ends before an update on proposals, with the code of its warning; "" where it goes on.
func (t training) unusable(spent, step int, proposals []*lab.Proposal, attempts int) (text, code string) {
	switch n := valid(proposals); {
	case t.budget == nil:
		return "", ""
	case spent+n*attempts > *t.budget:
		return fmt.Sprintf("training ended before step %d, whose %d valid tasks would take it past %d attempts; its %d proposals taught nothing",
			step+1, n, *t.budget, len(proposals)), "budget"
	case n == 0:
		// Nothing would be attempted or learned from here on, and the budget never spent.
		return fmt.Sprintf("training stopped before step %d: none of %d proposals was valid", step+1, len(proposals)), "none-valid"
	}
	return "", ""
}

// farApart is the gap between a server and the engine, in nats a token, from which on what the server samples is no longer what is trained.
// With SmolLM2 in Q4_1, whose activations the server rounds, it is 0.06 at temperature 1; with micro, whose it does not, 0.0003.
const farApart = 0.2

// closing is what has to be said of a training when it ends.
func closing(arm string, at Checkpoint) []event.Event {
	var said []event.Event
	warn := func(code, format string, args ...any) {
		said = append(said, event.Warned{Arm: arm, Code: code, Text: fmt.Sprintf(format, args...)})
	}
	if at.Idle > 0 {
		warn("dead-groups", "steps at which all rewards of every group were equal, so that there was nothing to learn: %d", at.Idle)
	}
	if at.Untold > 0 {
		warn("untold", "proposals not learned from, because the server did not tell all their tokens, as with pieces of characters: %d", at.Untold)
	}
	if at.Gap >= farApart {
		warn("sampler-gap", "at a step the server's log-probabilities were %.2f nats a token from the policy's: it learned from samples that were not its own; policy.sampler = \"engine\" samples them here", at.Gap)
	}
	return said
}

// checkpointEvery is the number of updates between checkpoints.
const checkpointEvery = 5

// keep saves a checkpoint, if one is due.
func (b *Bench) keep(arm string, p policy.Policy, at Checkpoint) error {
	if b.Checkpoints == nil || at.Step%checkpointEvery != 0 {
		return nil
	}
	var state bytes.Buffer
	if err := p.Save(&state); err != nil {
		return err
	}
	at.State = state.Bytes()
	return b.Checkpoints.Save(arm, at)
}

// takeUp goes on from an arm's checkpoint, where a resumed run has one.
func (b *Bench) takeUp(arm string, p policy.Policy) (Checkpoint, error) {
	if b.Checkpoints == nil {
		return Checkpoint{}, nil
	}
	c, err := b.Checkpoints.Load(arm)
	if err != nil || c == nil {
		return Checkpoint{}, err
	}
	for range c.Step {
		b.Lab.Meter.Step()
	}
	return *c, p.Load(bytes.NewReader(c.State), c.Step)
}

func policyUpdated(arm string, step int, proposals []*lab.Proposal, rewards []float64, u policy.Update, cost int) event.PolicyUpdated {
	mean, sd := meanSD(rewards)
	tokens := 0
	for _, p := range proposals {
		for _, t := range p.Turns {
			tokens += t.Reply.Generated()
		}
	}
	return event.PolicyUpdated{Arm: arm, Step: step, Proposals: len(proposals), Valid: valid(proposals), Reward: mean, RewardSD: sd,
		Groups: u.Groups.Groups, Dead: u.Groups.Dead, Unscorable: u.Groups.Unscorable, KL: u.KL, Entropy: u.Entropy,
		Length: float64(tokens) / float64(len(proposals)), GradNorm: u.GradNorm, Rate: u.Rate, Attempts: cost, Gap: u.Gap, PerCue: u.PerCue}
}

// meanSD are mean and standard deviation (n − 1) of the rewards that are not NaN, each 0 where it is undefined.
func meanSD(rewards []float64) (mean, sd float64) {
	n := 0.0
	for _, r := range rewards {
		if !math.IsNaN(r) {
			n++
			mean += r
		}
	}
	if n == 0 {
		return 0, 0
	}
	mean /= n
	for _, r := range rewards {
		if !math.IsNaN(r) {
			sd += (r - mean) * (r - mean)
		}
	}
	if n == 1 {
		return mean, 0
	}
	return mean, math.Sqrt(sd / (n - 1))
}
