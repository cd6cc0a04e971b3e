package recipe

import (
	"context"
	"fmt"
	"math"
	"slices"

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
	Base         = "base"            // the untrained generator
	Propel       = "propel"          // the paper's method
	WCO          = "propel-wco"      // the paper's worst-case optimisation: the least of an ensemble of probes
	Coevolve     = "propel-coevolve" // the paper's adversarial co-evolution of the probe
	ColdTransfer = "cold-transfer"   // the probe of one family rewards the generator of another
	BestOfN      = "best-of-n"       // no reinforcement learning: the best of N by the same probe
	TextProbe    = "text-probe"      // a probe that reads the text: is the activation needed?
	ValidityOnly = "validity-only"   // reward 0, or the invalid reward: how much of the gain is validity?
	SILEqual     = "sil-equal"       // solver in the loop, stopped at the attempts that the probe's corpus cost
	SILLong      = "sil-long"        // solver in the loop, as many updates as PROPEL makes
)

// Needs implements Recipe: a generator that no arm trains, or whose prompt is trained, is only sampled, and nothing is read where no arm has
// a probe that reads.
func (PROPEL) Needs(p *profiles.Profile) map[string][]backend.Capability {
	needs := map[string][]backend.Capability{"generator": {backend.Sampling}, "solver": {backend.Sampling}}
	trained := []backend.Capability{backend.Sampling}
	if p.Policy.Kind == profiles.LoRA {
		trained = append(trained, backend.Training)
	}
	for _, arm := range p.Run.Arms {
		switch arm {
		case Base, BestOfN:
		case ColdTransfer:
			needs["transfer"] = trained
		default:
			needs["generator"] = trained
		}
		if name := probeOf[arm]; name != "" && name != textProbe {
			needs["reference"] = []backend.Capability{backend.Activations}
		}
	}
	return needs
}

// Run implements Recipe: collect once, train a probe once, train the generator on its logit, evaluate with the solver.
func (PROPEL) Run(ctx context.Context, b *Bench) error {
	e := &experiment{Bench: b, steps: b.Profile.Policy.Steps, probes: map[string]probes.Probe{}}
	if err := b.steer(nil); err != nil {
		return err
	}
	if collects(b.Profile) {
		var err error
		if e.corpus, err = b.collect(ctx); err != nil {
			return err
		}
		if err := b.steer(e.corpus); err != nil {
			return err
		}
	}
	// In the recipe's order, not the profile's: the baselines make as many updates as PROPEL turned out to make.
	for _, arm := range profiles.Arms("propel") {
		if !slices.Contains(b.Profile.Run.Arms, arm) {
			continue
		}
		t, err := e.training(ctx, arm)
		if err != nil {
			return fmt.Errorf("arm %s: %w", arm, err)
		}
		if e.corpus != nil {
			t.seen = taskSet(e.corpus)
		}
		if exhibits(b.Profile) {
			t.corpus = attempts(e.corpus)
		}
		made, err := b.runArm(ctx, arm, t)
		if err != nil {
			return fmt.Errorf("arm %s: %w", arm, err)
		}
		if arm == Propel {
			e.steps = made
		}
	}
	return nil
}

// collects says that a run needs a corpus: to train a probe on, to be measured against, or to show tasks of.
func collects(p *profiles.Profile) bool {
	return exhibits(p) || slices.ContainsFunc(p.Run.Arms, func(arm string) bool { return arm != Base && arm != ValidityOnly && arm != SILLong })
}

// experiment is what the arms share.
type experiment struct {
	*Bench
	corpus []*lab.Proposal
	probes map[string]probes.Probe
	steps  int // updates that PROPEL made, or may make
}

// training is how an arm is trained, or chosen, before it is evaluated.
func (e *experiment) training(ctx context.Context, arm string) (training, error) {
	cost := attempts(e.corpus)
	switch arm {
	case Propel, WCO, Coevolve, ColdTransfer, BestOfN, TextProbe:
		name := probeOf[arm]
		probe, err := e.probe(ctx, name)
		if err != nil {
			return training{}, err
		}
		t := training{steps: e.steps, reward: e.probeReward(name, probe), probe: name, corpus: cost}
		switch arm {
		case Propel:
			t.steps = e.Profile.Policy.Steps
		case Coevolve:
			t = e.coevolution(t, probe)
		case ColdTransfer:
			t.generator = &e.Transfer
		case BestOfN:
			t.steps, t.bestOf = 0, e.Profile.BestOf.N
		}
		return t, nil
	case ValidityOnly:
		return training{steps: e.steps, reward: e.validityReward}, nil
	case SILEqual:
		return training{steps: math.MaxInt, reward: e.solverReward, budget: &cost}, nil
	case SILLong:
		return training{steps: e.steps, reward: e.solverReward}, nil
	}
	return training{}, nil
}

// collect lets the frozen base propose and the solver attempt each valid proposal K times.
func (b *Bench) collect(ctx context.Context) ([]*lab.Proposal, error) {
	n := b.Profile.Corpus.Proposals
	return b.proposeAndAttempt(ctx, b.Generator, string(event.Corpus), event.Corpus, 0, n)
}
