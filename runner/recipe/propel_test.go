package recipe

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"verge/domains"
	domain "verge/domains/math"
	"verge/probes"
	"verge/profiles"
	"verge/runner/backend"
	"verge/runner/backend/local"
	"verge/runner/engine"
	"verge/runner/event"
	"verge/runner/lab"
)

// bench is a small experiment on the embedded model.
func bench(t *testing.T, sets ...string) (*Bench, *event.Fold) {
	t.Helper()
	sets = append([]string{"corpus.proposals=512", "evaluation.proposals=64", "policy.proposals=32", "policy.steps=2", "policy.warmup_steps=1", "probe.rvp_samples=64",
		"probe.layer=2", "probe.pooling=mean+last", "probe.l2=1", "target.high=7/8"}, sets...)
	p, err := profiles.Load("quick", sets)
	if err != nil {
		t.Fatal(err)
	}
	base, err := engine.Micro()
	if err != nil {
		t.Fatal(err)
	}
	m, err := local.New(base, "micro")
	if err != nil {
		t.Fatal(err)
	}
	fold := &event.Fold{}
	emit := func(events ...event.Event) error {
		for _, e := range events {
			if err := fold.Apply(e); err != nil {
				return err
			}
		}
		return nil
	}
	second, err := engine.MicroB()
	if err != nil {
		t.Fatal(err)
	}
	other, err := local.New(second, "micro-b")
	if err != nil {
		t.Fatal(err)
	}
	b := &Bench{Profile: p, Generator: m, Reference: m, Transfer: other, Lab: &lab.Lab{Domain: domain.Domain{}, Dialect: domains.Compact, Seed: p.Run.Seed,
		Attempts: p.Target.Attempts, Generator: backend.Params{Temperature: 1, MaxTokens: 64},
		Solver: lab.Solver{Model: m, Params: backend.Params{Temperature: 1, MaxTokens: 24}, Style: domains.Direct}, Emit: emit, Meter: &lab.Meter{}}}
	if err := emit(event.RunStarted{Arms: p.Run.Arms, Attempts: p.Target.Attempts, Low: p.Target.Low.Float(), High: p.Target.High.Float()}); err != nil {
		t.Fatal(err)
	}
	return b, fold
}

func TestArmsCostWhatTheirNamesSay(t *testing.T) {
	b, fold := bench(t, "run.arms="+strings.Join(profiles.Arms("propel"), ","), "policy.steps=4", "coevolve.every=2", "coevolve.tasks=4", "best_of.n=3")
	if err := (PROPEL{}).Run(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	s := fold.Snapshot()
	corpus := s.Corpus.Attempts
	if corpus == 0 || corpus != 8*s.Corpus.Valid {
		t.Errorf("the corpus has %d attempts at %d valid tasks", corpus, s.Corpus.Valid)
	}
	arm := func(name string) *event.Arm {
		a := s.Arm(name)
		if a.Evaluated == nil || a.Eval.Proposed != 64 || a.Eval.Attempts != 8*a.Eval.Valid {
			t.Fatalf("arm %s is not evaluated on fresh proposals and attempts: %+v", name, a.Eval)
		}
		return a
	}
	if a := arm(Base); a.AttemptsTrain() != 0 || len(a.Curve) != 0 || a.Measured.KL != 0 {
		t.Errorf("base: %d attempts, %d updates, KL %g", a.AttemptsTrain(), len(a.Curve), a.Measured.KL)
	}
	if a := arm(Propel); a.AttemptsTrain() != corpus || a.Train.Attempts != 0 || len(a.Curve) != 4 || a.Evaluated.Probe != inBandProbe {
		t.Errorf("propel: %d attempts to train, %d of them in the loop, %d updates", a.AttemptsTrain(), a.Train.Attempts, len(a.Curve))
	}
	for _, name := range []string{WCO, ColdTransfer, TextProbe} {
		if a := arm(name); a.AttemptsTrain() != corpus || a.Train.Attempts != 0 || len(a.Curve) != 4 || a.Evaluated.Probe != probeOf[name] {
			t.Errorf("%s: %d attempts to train, %d updates, probe %q", name, a.AttemptsTrain(), len(a.Curve), a.Evaluated.Probe)
		}
	}
	if p := s.Probe(ensembleProbe); p.Members != 2 {
		t.Errorf("the ensemble has %d members", p.Members)
	}
	if p := s.Probe(textProbe); !strings.Contains(p.Reads, "no activations") {
		t.Errorf("the text probe says it reads %q", p.Reads)
	}
	if a := arm(Coevolve); a.Train.Attempts == 0 || a.Train.Attempts > 2*4*8 || a.AttemptsTrain() != corpus+a.Train.Attempts {
		t.Errorf("propel-coevolve bought %d attempts, billed %d with a corpus of %d", a.Train.Attempts, a.AttemptsTrain(), corpus)
	}
	if a := arm(BestOfN); a.Choice.Proposed != 3*64 || a.Choice.Attempts != 0 || len(a.Curve) != 0 || a.Measured != nil || a.AttemptsTrain() != corpus {
		t.Errorf("best-of-n chose from %d proposals, attempted %d of them, made %d updates", a.Choice.Proposed, a.Choice.Attempts, len(a.Curve))
	}
	if a := arm(ColdTransfer); a.Start.Proposed != 64 || a.Start.Attempts != 8*a.Start.Valid || a.AttemptsEval() != a.Start.Attempts+a.Eval.Attempts {
		t.Errorf("cold-transfer's own base: %+v", a.Start)
	}
	for _, a := range s.Arms {
		if a.Diversity == nil || a.Diversity.Statements != a.Eval.Valid || len(a.Varieties) != len(a.Curve) || a.Weakness == nil || len(a.Weakness.Modes) == 0 {
			t.Errorf("arm %s: diversity %+v at %d of %d updates, weakness %+v", a.Name, a.Diversity, len(a.Varieties), len(a.Curve), a.Weakness)
		}
	}
	if a := arm(ValidityOnly); a.AttemptsTrain() != 0 || len(a.Curve) != 4 {
		t.Errorf("validity-only: %d attempts, %d updates", a.AttemptsTrain(), len(a.Curve))
	}
	if a := arm(SILEqual); a.AttemptsTrain() > corpus || a.AttemptsTrain() < corpus/2 {
		t.Errorf("sil-equal spent %d attempts of %d", a.AttemptsTrain(), corpus)
	}
	if a := arm(SILLong); len(a.Curve) != 4 || a.AttemptsTrain() != 8*a.Train.Valid {
		t.Errorf("sil-long: %d updates, %d attempts at %d valid tasks", len(a.Curve), a.AttemptsTrain(), a.Train.Valid)
	}
	for _, a := range s.Arms {
		for _, u := range a.Curve {
			for name, v := range map[string]float64{"reward": u.Reward, "KL": u.KL, "entropy": u.Entropy, "gradient": u.GradNorm} {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("arm %s step %d: %s is %g", a.Name, u.Step, name, v)
				}
			}
		}
	}
}

// The policy must not be able to raise its reward by moving the activations that are read.
func TestTheRewardOfATaskDoesNotChangeWithThePolicy(t *testing.T) {
	b, _ := bench(t)
	ctx := context.Background()
	corpus, err := b.collect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	probe, err := b.trainProbe(ctx, inBandProbe, b.examples(corpus))
	if err != nil {
		t.Fatal(err)
	}
	proposals, err := b.Lab.Propose(ctx, b.Generator, Propel, event.Train, 0, 32)
	if err != nil {
		t.Fatal(err)
	}
	reward := b.probeReward(inBandProbe, probe)
	b.Lab.Emit = func(...event.Event) error { return nil }
	before, err := reward(ctx, proposals)
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.newPolicy(b.Generator)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := p.Update(ctx, episodes(proposals), before); err != nil {
			t.Fatal(err)
		}
	}
	after, err := reward(ctx, proposals)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(before, after) {
		t.Error("rewards of fixed tasks moved with the policy's weights")
	}
	moved, err := p.Model().View().Logprobs(ctx, [][]int32{{1, 2, 3}}, []int{1})
	if err != nil {
		t.Fatal(err)
	}
	still, err := b.Generator.View().Logprobs(ctx, [][]int32{{1, 2, 3}}, []int{1})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(moved[0], still[0]) {
		t.Error("the updates did not move the policy, so that nothing was tested")
	}
}

func TestEqualRewardsLeaveThePolicyAlone(t *testing.T) {
	b, _ := bench(t)
	ctx := context.Background()
	proposals, err := b.Lab.Propose(ctx, b.Generator, Propel, event.Train, 0, 32)
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.newPolicy(b.Generator)
	if err != nil {
		t.Fatal(err)
	}
	old := p.Adapter().Clone()
	u, err := p.Update(ctx, episodes(proposals), make([]float64, len(proposals)))
	if err != nil {
		t.Fatal(err)
	}
	if !u.Skipped || u.Groups.Dead != u.Groups.Groups {
		t.Errorf("equal rewards: %+v", u)
	}
	for i, f := range p.Adapter().Factors {
		if !slices.Equal(f.A, old.Factors[i].A) || !slices.Equal(f.B, old.Factors[i].B) {
			t.Fatalf("factor %s moved", f.Name)
		}
	}
}

var _ probes.Reader = (*local.Model)(nil)
