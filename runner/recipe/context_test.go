package recipe

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verge/domains"
	"verge/domains/math/instruct"
	"verge/profiles"
	"verge/runner/backend"
	"verge/runner/event"
	"verge/runner/lab"
)

// puppet is a model behind a server, as a function of the prompt and the seed.
type puppet struct {
	reply func(prompt string, r *rand.Rand) string
	asked int
	fails func(call int) bool // nil: no call does
}

func (p *puppet) Identity() backend.Identity {
	return backend.Identity{Backend: "test", Name: "puppet"}
}

func (p *puppet) Sample(context.Context, []backend.Request, func(replies, tokens int)) ([][]backend.Reply, error) {
	return nil, errors.New("a streamer is streamed from")
}

func (p *puppet) Stream(ctx context.Context, requests []backend.Request, done func(request, seed int, r backend.Reply)) error {
	for i, q := range requests {
		for j, seed := range q.Seeds {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			p.asked++
			if p.fails != nil && p.fails(p.asked) {
				done(i, j, backend.Reply{Err: errors.New("server error 500")})
				continue
			}
			text := p.reply(q.Prompt.String(), rand.New(rand.NewPCG(seed, 0)))
			done(i, j, backend.Reply{Text: text, Count: len(strings.Fields(text)), Stop: backend.StopEnd})
		}
	}
	return nil
}

var things = strings.Fields("apples pears plums figs dates nuts eggs cakes pies buns rolls loaves coins pens books maps cards balls kites drums bells shirts hats coats socks shoes riddles jokes")

// writes is a generator that writes what it is told: easy problems are always solved, those of medium difficulty sometimes, hard ones never.
// Told nothing of the difficulty it writes hard ones; shown problems, it writes like them two times of three, and copies the others.
func writes(prompt string, r *rand.Rand) string {
	_, prompt, _ = strings.Cut(prompt, "12 + 7 = ?</problem>") // the last problem that every prompt shows
	thing := things[r.IntN(len(things))]
	a, b := 2+r.IntN(90), 2+r.IntN(90)
	kind := 2
	switch {
	case strings.Contains(prompt, "medium difficulty"):
		kind = 1
	case strings.Contains(prompt, "easy, with"):
		kind = 0
	case strings.Contains(prompt, "hard, with"):
	case strings.Contains(prompt, "<problem>") && strings.Contains(prompt, "the right difficulty"):
		if kind = 1; r.IntN(3) == 0 {
			_, rest, _ := strings.Cut(prompt, "<problem>")
			copied, _, _ := strings.Cut(rest, "</problem>")
			return "<problem>" + copied + "</problem>"
		}
	}
	return "<problem>" + []string{
		fmt.Sprintf("Ann has %d %s and buys %d more. How many %s does she have?", a, thing, b, thing),
		fmt.Sprintf("There are %d boxes of %d %s each. How many %s are in them?", a, b, thing, thing),
		fmt.Sprintf("Of %d lots with %d %s in all, how many %s can be chosen?", a, b, thing, thing),
	}[kind] + "</problem>"
}

var digits = regexp.MustCompile(`\d+`)

// truth is the answer of what writes has written.
func truth(problem string) int {
	n := digits.FindAllString(problem, -1)
	a, _ := strconv.Atoi(n[0])
	b, _ := strconv.Atoi(n[1])
	switch {
	case strings.Contains(problem, "more"):
		return a + b
	case strings.Contains(problem, "each"):
		return a * b
	}
	return a*b + 1
}

// asked is the problem that a prompt asks to solve, after those that it shows solved.
func asked(prompt string) string { return prompt[strings.LastIndexByte(prompt, '}')+1:] }

func solves(prompt string, r *rand.Rand) string {
	problem := asked(prompt)
	answer := truth(problem)
	if strings.Contains(problem, "lots") || strings.Contains(problem, "each") && r.Float64() > 0.25 {
		answer++
	}
	return fmt.Sprintf(`So it is \boxed{%d}.`, answer)
}

// knows answers everything, but no riddle twice the same.
func knows(prompt string, r *rand.Rand) string {
	answer := truth(asked(prompt))
	if strings.Contains(prompt, "riddles") {
		answer += r.IntN(1000)
	}
	return fmt.Sprintf(`\boxed{%d}`, answer)
}

// cast are the models of a run.
type cast struct{ generator, solver, oracle *puppet }

func newCast() cast {
	return cast{&puppet{reply: writes}, &puppet{reply: solves}, &puppet{reply: knows}}
}

func (c cast) asked() int { return c.generator.asked + c.solver.asked + c.oracle.asked }

// steered is an experiment with a context policy on models behind a server, whose events are kept. Of a resumed one, stored are those that
// it has already. Emit fails when it has seen limit events, as if the process had been killed.
func steered(t *testing.T, c cast, stored []event.Event, limit int, sets ...string) (*Bench, *event.Fold, *[]event.Event) {
	t.Helper()
	sets = append([]string{"policy.kind=context", "policy.learning_rate=0.3", "policy.kl=0.02", "policy.max_kl=0", "policy.steps=12", "policy.proposals=48",
		"corpus.proposals=400", "evaluation.proposals=200", "best_of.n=3", "run.arms=base,propel", "target.high=3/8", "probe.rvp_samples=32"}, sets...)
	b, _ := bench(t, sets...)
	fold, all := &event.Fold{}, &[]event.Event{}
	emit := func(events ...event.Event) error {
		for _, e := range events {
			if len(*all) == limit {
				return errKilled
			}
			if err := fold.Apply(e); err != nil {
				return err
			}
			*all = append(*all, e)
		}
		return nil
	}
	known := &lab.Known{}
	for _, e := range stored {
		known.Add(decoded(t, e))
	}
	p := b.Profile
	b.Generator = lab.Generator{Model: c.generator, Dialect: domains.Instruct}
	b.Lab = &lab.Lab{Domain: instruct.Domain{}, Seed: p.Run.Seed, Attempts: p.Target.Attempts, Emit: emit, Meter: &lab.Meter{}, Known: known,
		Oracles: []lab.Oracle{{Model: c.oracle, Dialect: domains.Instruct}}, Answers: p.Oracle.Answers, MaxErrors: p.Run.MaxErrors,
		Solver: lab.Solver{Model: c.solver, Dialect: domains.Instruct, Style: domains.Steps}}
	if err := emit(event.RunStarted{Arms: p.Run.Arms, Attempts: p.Target.Attempts, Low: p.Target.Low.Float(), High: p.Target.High.Float()}); err != nil {
		t.Fatal(err)
	}
	return b, fold, all
}

var errKilled = errors.New("killed")

func decoded(t *testing.T, e event.Event) event.Event {
	t.Helper()
	name, payload, err := event.Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	back, err := event.Decode(name, payload)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func TestAContextPolicyFindsTheFrontierOfAFrozenGenerator(t *testing.T) {
	b, fold, all := steered(t, newCast(), nil, -1, "run.arms=base,propel,propel-wco,propel-coevolve,best-of-n,text-probe,validity-only,sil-equal,sil-long",
		"coevolve.every=5", "probe.monitor_every=4")
	if needs := (PROPEL{}).Needs(b.Profile); !slices.Equal(needs["generator"], []backend.Capability{backend.Sampling}) {
		t.Errorf("the generator needs %v", needs["generator"])
	}
	if err := (PROPEL{}).Run(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	s := fold.Snapshot()
	rate := func(arm string) float64 {
		v, ok := s.Arm(arm).Eval.InBandRate().Value()
		if !ok {
			t.Fatalf("%s is in band nobody knows how often", arm)
		}
		return v
	}
	for _, arm := range []string{Propel, WCO, Coevolve, TextProbe, SILEqual, SILLong} {
		if rate(arm) < 1.5*rate(Base) {
			t.Errorf("%s is in band %.3f, the base %.3f", arm, rate(arm), rate(Base))
		}
	}

	// The base is the policy before training: even cues, at no distance from itself, with the archive that the others have.
	cues := math.Log(2)
	for _, f := range (instruct.Domain{}).Factors() {
		cues += math.Log(float64(len(f.Options)))
	}
	base, trained := s.Arm(Base), s.Arm(Propel)
	if m := base.Measured; m.KL != 0 || math.Abs(m.Entropy-cues) > 1e-9 || !m.PerCue {
		t.Errorf("base: %+v, want an entropy of %g", m, cues)
	}
	if m := trained.Measured; m.KL < 0.3 || math.Abs(m.KL+m.Entropy-cues) > 1e-9 || !m.PerCue {
		t.Errorf("propel: %+v", m)
	}
	if u := trained.Curve[0]; u.KL != 0 || math.Abs(u.Entropy-cues) > 1e-9 || !u.PerCue || u.Length == 0 {
		t.Errorf("the first update: %+v", u)
	}
	if n := len(trained.Contexts); n != 12 || trained.Contexts[n-1].Step != 12 {
		t.Fatalf("%d updates of what it asks for", n)
	}
	for _, f := range trained.Contexts[11].Factors {
		if f.Name != "difficulty" {
			continue
		}
		if best := slices.Index(f.Probabilities, slices.Max(f.Probabilities)); !strings.Contains(f.Options[best], "medium") {
			t.Errorf("it asks for a difficulty of %q: %.2f", f.Options[best], f.Probabilities)
		}
	}
	if base.AttemptsTrain() != s.Corpus.Attempts || trained.AttemptsTrain() != s.Corpus.Attempts+trained.Train.Attempts {
		t.Errorf("the corpus of %d attempts is billed with %d and %d", s.Corpus.Attempts, base.AttemptsTrain(), trained.AttemptsTrain())
	}

	inBand := map[string]bool{} // statements of the corpus
	for _, e := range *all {
		switch e := e.(type) {
		case event.TaskValidated:
			if e.Key.Stage == event.Corpus {
				inBand[e.Task.Statement] = strings.Contains(e.Task.Statement, "each")
			}
		case event.TaskProposed:
			if e.Cue.Options == nil {
				t.Fatalf("%s has no cue", e.Key)
			}
			if e.Key.Stage == event.Corpus && len(e.Cue.Exemplars) > 0 {
				t.Fatalf("%s shows tasks before there are any", e.Key)
			}
			for _, x := range e.Cue.Exemplars {
				if !inBand[x] {
					t.Fatalf("%s shows %q, which was not in band in the corpus", e.Key, x)
				}
			}
		}
	}
	if n := base.Eval.Invalid[lab.Copied]; n == 0 {
		t.Error("copies of exemplars are tasks of their own")
	}

	// Riddles have no answer: they are valid, and neither attempted nor graded.
	e := base.Eval
	if e.Disagreed == 0 || e.Agreed+e.Disagreed != e.Asked || e.Asked != e.Valid || e.Oracled != e.Agreed || e.OracleCalls != 2*e.Asked || e.Attempts != 8*e.Agreed || e.Ungraded() != e.Disagreed {
		t.Errorf("oracles: %+v", e)
	}
	b.Profile.Roles.Generator.Backend = profiles.OllamaBackend // as the tasks of these models are
	answers := s.Corpus.OracleCalls
	for _, a := range s.Arms {
		answers += a.Eval.OracleCalls + a.Train.OracleCalls
	}
	if most := (PROPEL{}).Cost(b.Profile).Answers; answers < most/4 || answers > most {
		t.Errorf("%d answers, at most %d", answers, most)
	}
}

// Wherever a run is cut, it is resumed to the same events, and no model is asked again for what was stored.
func TestAContextRunIsResumed(t *testing.T) {
	sets := []string{"corpus.proposals=120", "evaluation.proposals=24", "policy.steps=3", "policy.proposals=16", "run.arms=base,text-probe,sil-long"}
	models := newCast()
	b, _, whole := steered(t, models, nil, -1, sets...)
	if err := (PROPEL{}).Run(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 8 {
		cut := 1 + r.IntN(len(*whole)-1)
		first := newCast()
		b, _, before := steered(t, first, nil, cut, sets...)
		if err := (PROPEL{}).Run(context.Background(), b); !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		second := newCast()
		b, _, after := steered(t, second, *before, -1, sets...)
		if err := (PROPEL{}).Run(context.Background(), b); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(*whole, *after); diff != "" {
			t.Fatalf("cut after %d of %d events (-undisturbed +resumed):\n%.2000s", cut, len(*whole), diff)
		}
		// Those to an oracle's question, and one that was on its way.
		if again := first.asked() + second.asked() - models.asked(); again < 0 || again > 3 {
			t.Errorf("cut after %d events, %d calls were made twice", cut, again)
		}
	}
}

func TestARunOnAServerThatFailsEndsAndGoesOnWhenItIsMended(t *testing.T) {
	sets := []string{"corpus.proposals=60", "evaluation.proposals=24", "run.arms=base,best-of-n", "policy.exemplars=0"}
	models := newCast()
	models.solver.fails = func(call int) bool { return call > 100 && call%3 == 0 }
	b, fold, stored := steered(t, models, nil, -1, sets...)
	err := (PROPEL{}).Run(context.Background(), b)
	var many *lab.TooManyErrors
	if !errors.As(err, &many) {
		t.Fatalf("error %v", err)
	}
	if s := fold.Snapshot(); s.Corpus.Verdicts[domains.Error] == 0 || s.Arm(Base).Eval.Proposed > 0 {
		t.Errorf("the run went on to %+v", s.Stage)
	}
	b, fold, _ = steered(t, newCast(), *stored, -1, sets...)
	if err := (PROPEL{}).Run(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	if s := fold.Snapshot(); s.Arm(BestOfN).Evaluated == nil || s.Corpus.Verdicts[domains.Error] > many.Failed {
		t.Errorf("resumed: %d errors", s.Corpus.Verdicts[domains.Error])
	}
}

func TestAContextPolicyIsRefusedWhereItHasNothingToSay(t *testing.T) {
	b, _ := bench(t, "policy.kind=context")
	err := Suits(b.Profile, b.Lab.Domain)
	var refused *profiles.Error
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), `policy.kind = "lora"`) {
		t.Errorf("error %v", err)
	}
	if err := Suits(b.Profile, instruct.Domain{}); err != nil {
		t.Error(err)
	}
}

// Where the corpus has no task to show, prompts show none, and the run says so.
func TestAnArchiveThatIsShortIsToldOf(t *testing.T) {
	c := newCast()
	c.generator.reply = func(_ string, r *rand.Rand) string {
		return fmt.Sprintf("<problem>Of %d lots with %d coins in all, how many coins can be chosen?</problem>", r.IntN(90), r.IntN(90))
	}
	b, _, all := steered(t, c, nil, -1, "run.arms=base", "corpus.proposals=8", "evaluation.proposals=8")
	if err := (PROPEL{}).Run(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	warned := false
	for _, e := range *all {
		switch e := e.(type) {
		case event.Warned:
			warned = warned || e.Code == "few-exemplars" && strings.Contains(e.Text, "policy.exemplars")
		case event.TaskProposed:
			if len(e.Cue.Exemplars) > 0 {
				t.Fatalf("%s shows %q", e.Key, e.Cue.Exemplars)
			}
		}
	}
	if !warned {
		t.Error("nothing tells of the archive that is empty")
	}
}
