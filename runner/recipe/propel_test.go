package recipe

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"verge/domains"
	domain "verge/domains/math"
	"verge/domains/prompt"
	"verge/probes"
	"verge/profiles"
	"verge/runner/backend"
	"verge/runner/backend/local"
	"verge/runner/engine"
	"verge/runner/event"
	"verge/runner/lab"
	"verge/runner/policy"
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
	generator := lab.Generator{Model: m, Params: backend.Params{Temperature: 1, MaxTokens: 64}, Dialect: domains.Compact}
	transfer := generator
	transfer.Model = other
	b := &Bench{Profile: p, Generator: generator, Reference: Reference{m, domains.Compact, base.Digest}, Transfer: transfer,
		Lab: &lab.Lab{Domain: domain.Domain{}, Seed: p.Run.Seed, Attempts: p.Target.Attempts, Emit: emit, Meter: &lab.Meter{},
			Solver: lab.Solver{Model: m, Params: backend.Params{Temperature: 1, MaxTokens: 24}, Dialect: domains.Compact, Style: domains.Direct}}}
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
	} else if a.Unused() != 32 || a.Train.Proposed != 32*(len(a.Curve)+1) ||
		!slices.ContainsFunc(s.Warnings, func(w event.Warned) bool { return w.Arm == SILEqual && w.Code == "budget" }) {
		t.Errorf("sil-equal made %d proposals for %d updates, %d unused; warnings %v", a.Train.Proposed, len(a.Curve), a.Unused(), s.Warnings)
	}
	if a := arm(SILLong); len(a.Curve) != 4 || a.Unused() != 0 || a.AttemptsTrain() != 8*a.Train.Valid {
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

// The policy must not be able to raise its reward by moving the activations that are read: whatever a whole run rewards, from the first
// update to the last, is what the probe says of the task when the model that nobody trained reads it.
func TestTheRewardOfATaskDoesNotChangeWithThePolicy(t *testing.T) {
	ctx := context.Background()
	sets := []string{"run.arms=propel", "policy.steps=4", "policy.learning_rate=0.01", "policy.max_kl=0"}
	b, fold := bench(t, sets...)
	tasks, scores := map[event.Key]domains.Task{}, []event.ProbeScored{}
	apply := b.Lab.Emit
	b.Lab.Emit = func(events ...event.Event) error {
		for _, e := range events {
			switch e := e.(type) {
			case event.TaskValidated:
				tasks[e.Key] = e.Task
			case event.ProbeScored:
				scores = append(scores, e)
			}
		}
		return apply(events...)
	}
	if err := (PROPEL{}).Run(ctx, b); err != nil {
		t.Fatal(err)
	}
	if a := fold.Snapshot().Arm(Propel); len(a.Curve) != 4 || a.Measured.KL < 0.01 {
		t.Fatalf("%d updates moved the policy by %g nats, so that nothing is tested", len(a.Curve), a.Measured.KL)
	}

	// The same corpus and probe again, on a bench that trains no policy.
	fresh, _ := bench(t, sets...)
	corpus, err := fresh.collect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	probe, err := fresh.trainProbe(ctx, inBandProbe, fresh.examples(corpus))
	if err != nil {
		t.Fatal(err)
	}
	late := 0
	for _, s := range scores {
		logits, err := probe.Score(ctx, fresh.Reference.Reader, []prompt.Prompt{domain.Domain{}.Reading(domains.Compact, tasks[s.Key])})
		if err != nil {
			t.Fatal(err)
		}
		if logits[0] != s.Logit {
			t.Fatalf("%s was rewarded with %g; the frozen reference gives %g", s.Key, s.Logit, logits[0])
		}
		if s.Key.Step > 0 {
			late++
		}
	}
	if late < 32 {
		t.Errorf("only %d rewards of an updated policy", late)
	}
}

func TestAProbeReadsAllLayersTogetherWhereAsked(t *testing.T) {
	b, fold := bench(t, "probe.layer=all", "probe.pooling=mean")
	corpus, err := b.collect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.trainProbe(context.Background(), inBandProbe, b.examples(corpus)); err != nil {
		t.Fatal(err)
	}
	if p := fold.Snapshot().Probe(inBandProbe); !strings.Contains(p.Reads, "layers 0+1+2+3+4") {
		t.Errorf("it reads %q", p.Reads)
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
	adapter := p.(*policy.LoRA).Adapter()
	old := adapter.Clone()
	u, err := p.Update(ctx, episodes(proposals), make([]float64, len(proposals)))
	if err != nil {
		t.Fatal(err)
	}
	if !u.Skipped || u.Groups.Dead != u.Groups.Groups {
		t.Errorf("equal rewards: %+v", u)
	}
	for i, f := range adapter.Factors {
		if !slices.Equal(f.A, old.Factors[i].A) || !slices.Equal(f.B, old.Factors[i].B) {
			t.Fatalf("factor %s moved", f.Name)
		}
	}
}

var _ probes.Reader = (*local.Model)(nil)
