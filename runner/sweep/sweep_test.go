package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"verge/profiles"
	"verge/runner"
	"verge/runner/event"
	"verge/runner/lab"
	"verge/runner/recipe"
	"verge/runner/report"
	"verge/runner/store"
)

// short makes a run of a fraction of a second.
var short = []string{"run.arms=base", "evaluation.proposals=20"}

func load(t *testing.T, sets, axes []string) *profiles.Profile {
	t.Helper()
	p, err := profiles.Load("quick", append(slices.Clone(short), sets...))
	if err == nil {
		p, err = p.ForSweep(axes)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func expand(t *testing.T, out string, sets, axes []string) *Sweep {
	t.Helper()
	s, err := New(out, load(t, sets, axes))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCellsAreAllCombinationsWithEverySeed(t *testing.T) {
	s := expand(t, "out", []string{"run.seed=5", "sweep.seeds=2"}, []string{"policy.kl=0,0.1", "probe.pooling=mean,last"})
	var got []string
	for _, c := range s.Cells {
		got = append(got, c.String())
		if c.Profile.Run.Seed != c.Seed || c.Profile.Probe.Pooling != c.Settings[1].Value || c.Hash != c.Profile.Hash() {
			t.Errorf("%s has the profile of seed %d, pooling %s", c, c.Profile.Run.Seed, c.Profile.Probe.Pooling)
		}
	}
	want := []string{
		"policy.kl=0 probe.pooling=mean seed 5", "policy.kl=0 probe.pooling=mean seed 6", "policy.kl=0 probe.pooling=last seed 5", "policy.kl=0 probe.pooling=last seed 6",
		"policy.kl=0.1 probe.pooling=mean seed 5", "policy.kl=0.1 probe.pooling=mean seed 6", "policy.kl=0.1 probe.pooling=last seed 5", "policy.kl=0.1 probe.pooling=last seed 6",
	}
	if !slices.Equal(got, want) {
		t.Errorf("cells %q, want %q", got, want)
	}
	if want := filepath.Join("out", "sweep-quick"); s.Dir != want {
		t.Errorf("the sweep lives in %s, want %s", s.Dir, want)
	}
}

func hashes(s *Sweep) []string {
	var list []string
	for _, c := range s.Cells {
		list = append(list, c.Hash)
	}
	slices.Sort(list)
	return list
}

func TestACellIsKnownByWhatItAsksFor(t *testing.T) {
	a := hashes(expand(t, "", []string{"sweep.seeds=2"}, []string{"policy.kl=0,0.1", "policy.steps=5,10"}))
	if unique := slices.Compact(slices.Clone(a)); len(unique) != 8 {
		t.Errorf("%d of 8 cells are different", len(unique))
	}
	// The order of the axes, that of their values, and how a number is written are no part of it.
	if b := hashes(expand(t, "", []string{"sweep.seeds=2,1"}, []string{"policy.steps=10,5", "policy.kl=1e-1,0.0"})); !slices.Equal(a, b) {
		t.Errorf("the same grid has other cells:\n%q\n%q", a, b)
	}
	wider := hashes(expand(t, "", []string{"sweep.seeds=3"}, []string{"policy.kl=0,0.1,0.2", "policy.steps=5,10"}))
	for _, h := range a {
		if !slices.Contains(wider, h) {
			t.Error("a wider grid lost a cell")
		}
	}
}

func TestWhatNoRunCanBeStartedWithIsRefused(t *testing.T) {
	for _, c := range []struct {
		sets, axes []string
		want       string
	}{
		{nil, nil, "one cell is no sweep"},
		{nil, []string{"roles.solver.model=micro,no.gguf"}, "no.gguf"},
		{[]string{"target.attempts=3", "target.high=1"}, []string{"target.low=0.333,1/3"}, "is the same run as"},
		{[]string{"run.arms=base,propel"}, []string{"probe.layer=1,99"}, "probe.layer=99 seed"},
		{nil, []string{"policy.kind=lora,context"}, "says nothing that could be trained"},
		{nil, []string{"policy.group=8,7"}, "no whole number of groups"},
		{[]string{"sweep.seeds=1000"}, []string{"policy.kl=0,1,2,3,4,5,6,7,8,9,10"}, "more than 10000 cells"},
	} {
		_, err := New(t.TempDir(), load(t, c.sets, c.axes))
		var request *runner.RequestError
		var profile *profiles.Error
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.As(err, &request) && !errors.As(err, &profile) {
			t.Errorf("%v %v: error %v, want a wrong request with %q", c.sets, c.axes, err, c.want)
		}
	}
}

// said is an observer that remembers.
type said struct {
	mu     sync.Mutex
	cells  []string // in the order in which they started
	texts  []string
	before func(started int)
}

func (o *said) Started(c *Cell, _ *lab.Meter) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.cells = append(o.cells, c.String())
	if o.before != nil {
		o.before(len(o.cells))
	}
}

func (o *said) Ended(*Cell) {}

func (o *said) Say(text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.texts = append(o.texts, text)
}

func run(t *testing.T, s *Sweep) *said {
	t.Helper()
	o := &said{}
	if err := s.Run(context.Background(), 2, o); err != nil {
		t.Fatal(err)
	}
	if len(o.texts) > 0 {
		t.Errorf("said %q", o.texts)
	}
	return o
}

func TestOnlyWhatIsMissingRuns(t *testing.T) {
	out := t.TempDir()
	first := expand(t, out, []string{"sweep.seeds=2"}, []string{"policy.kl=0,0.1"})
	if n := len(run(t, first).cells); n != 4 {
		t.Fatalf("%d cells ran, want 4", n)
	}
	if n := len(run(t, expand(t, out, []string{"sweep.seeds=2"}, []string{"policy.kl=0,0.1"})).cells); n != 0 {
		t.Errorf("%d cells ran again", n)
	}
	wider := expand(t, out, []string{"sweep.seeds=3"}, []string{"policy.kl=0,0.1,0.2"})
	if n := len(run(t, wider).cells); n != 5 {
		t.Errorf("the wider grid ran %d cells, want the 5 new ones", n)
	}
	if err := wider.Failed(); err != nil {
		t.Error(err)
	}
	a, err := first.Result()
	if err != nil {
		t.Fatal(err)
	}
	b, err := wider.Result()
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range a.Cells {
		i := slices.IndexFunc(b.Cells, func(c report.Cell) bool { return c.Hash == cell.Hash })
		if x, y := marshal(t, cell), marshal(t, b.Cells[i]); x != y {
			t.Errorf("the store says otherwise than the run:\n%s\n%s", x, y)
		}
	}
	var file struct {
		Sweep   string
		Created time.Time
		Axes    map[string][]float64
		Seeds   []int
	}
	text, err := os.ReadFile(filepath.Join(wider.Dir, store.SweepFile))
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err != nil || file.Sweep != "quick" || len(file.Axes["policy.kl"]) != 3 || len(file.Seeds) != 3 || file.Created.IsZero() {
		t.Errorf("the sweep's file says %s, %v", text, err)
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAFailingCellDoesNotStopTheOthersAndRunsAgain(t *testing.T) {
	out := t.TempDir()
	sets := []string{"run.arms=base,propel", "probe.layer=2", "policy.steps=1", "policy.warmup_steps=1", "policy.proposals=16", "probe.rvp_samples=16", "probe.l2=1", "target.high=7/8"}
	axes := []string{"corpus.proposals=2,300"} // two are too few for a probe
	s := expand(t, out, sets, axes)
	if o := run(t, s); len(o.cells) != 2 {
		t.Fatalf("ran %q", o.cells)
	}
	bad, good := s.Cells[0], s.Cells[1]
	if bad.State != store.Failed || !strings.Contains(bad.Err, "corpus.proposals") || good.State != store.Done {
		t.Errorf("%s is %s (%s), %s is %s", bad, bad.State, bad.Err, good, good.State)
	}
	if err := s.Failed(); err == nil || !strings.Contains(err.Error(), "1 of 2 cells") {
		t.Errorf("the sweep's error is %v", err)
	}
	r, err := s.Result()
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Cells[0].Arms) != 0 || r.Cells[0].Error == "" || len(r.Cells[1].Arms) != 2 {
		t.Errorf("cells %+v", r.Cells)
	}
	// What the folder says is the same, and the failed cell alone runs again, in its own run.
	again := expand(t, out, sets, axes)
	if _, err := again.Look(); err != nil || again.Cells[0].Err != bad.Err || again.Cells[0].Run != bad.Run {
		t.Errorf("the folder says %q of run %s, %v", again.Cells[0].Err, again.Cells[0].Run, err)
	}
	if o := run(t, again); len(o.cells) != 1 || again.Cells[0].Run != bad.Run {
		t.Errorf("ran %q as %s", o.cells, again.Cells[0].Run)
	}
}

func TestAnInterruptedSweepGoesOn(t *testing.T) {
	out := t.TempDir()
	sets, axes := []string{"sweep.seeds=2"}, []string{"policy.kl=0,0.1"}
	ctx, cancel := context.WithCancel(context.Background())
	o := &said{before: func(started int) {
		if started == 3 {
			cancel()
		}
	}}
	s := expand(t, out, sets, axes)
	if err := s.Run(ctx, 1, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("an interrupted sweep returns %v", err)
	}
	if want := []string{"policy.kl=0 seed 1", "policy.kl=0.1 seed 1", "policy.kl=0 seed 2"}; !slices.Equal(o.cells, want) {
		t.Errorf("ran %q, want seed by seed %q", o.cells, want)
	}
	if o := run(t, expand(t, out, sets, axes)); len(o.cells) != 2 {
		t.Errorf("then ran %q", o.cells)
	}
	runs, problems, err := store.List(s.Dir)
	if err != nil || len(problems) > 0 || len(runs) != 4 {
		t.Errorf("%d runs in the folder, want one a cell; %v %v", len(runs), problems, err)
	}
}

// stored puts a run of a cell in the sweep's folder; more events than the first make it one that other versions do not come to.
func stored(t *testing.T, s *Sweep, c *Cell, age time.Duration, events ...event.Event) string {
	t.Helper()
	p := c.Profile
	w, err := store.Create(s.Dir, store.Header{Profile: p.Name, Recipe: p.Run.Recipe, Domain: p.Run.Domain, Seed: p.Run.Seed, Started: time.Now().Add(-age)})
	if err != nil {
		t.Fatal(err)
	}
	started := event.RunStarted{Profile: p.Name, Resolved: p.Resolved(), Recipe: p.Run.Recipe, Domain: p.Run.Domain, Seed: p.Run.Seed, Arms: p.Run.Arms,
		Attempts: 8, High: 1, Provenance: event.Provenance{Version: "another"}}
	if _, err := w.Append(append([]event.Event{started}, events...)...); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.Run()
}

func TestARunThatIsDoneStandsForItsCell(t *testing.T) {
	s := expand(t, t.TempDir(), nil, []string{"policy.kl=0,0.1"})
	done := stored(t, s, s.Cells[0], 2*time.Hour, event.RunEnded{})
	stored(t, s, s.Cells[0], time.Hour)
	stored(t, s, s.Cells[1], 2*time.Hour)
	newest := stored(t, s, s.Cells[1], time.Hour, event.RunEnded{Failed: "no luck"})
	if problems, err := s.Look(); err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	if c := s.Cells[0]; c.Run != done || c.State != store.Done {
		t.Errorf("%s is %s by run %s", c, c.State, c.Run)
	}
	if c := s.Cells[1]; c.Run != newest || c.State != store.Failed || c.Err != "no luck" {
		t.Errorf("%s is %s (%s) by run %s", c, c.State, c.Err, c.Run)
	}
}

func TestARunOfAnotherVersionIsReplacedAndKept(t *testing.T) {
	s := expand(t, t.TempDir(), nil, []string{"policy.kl=0,0.1"})
	stored(t, s, s.Cells[0], time.Hour, event.RunEnded{})
	old := stored(t, s, s.Cells[1], time.Hour)
	o := &said{}
	if err := s.Run(context.Background(), 1, o); err != nil {
		t.Fatal(err)
	}
	if len(o.cells) != 1 || len(o.texts) != 1 || !strings.Contains(o.texts[0], "a new run replaces "+old) {
		t.Errorf("ran %q and said %q", o.cells, o.texts)
	}
	if c := s.Cells[1]; c.State != store.Done || c.Run == old {
		t.Errorf("%s is %s by run %s", c, c.State, c.Run)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, old)); err != nil {
		t.Errorf("the old run is gone: %v", err)
	}
	if _, err := s.Look(); err != nil || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "2 versions") {
		t.Errorf("notes %q, %v", s.Notes, err)
	}
}

func TestOneProcessRunsASweep(t *testing.T) {
	s := expand(t, t.TempDir(), nil, []string{"policy.kl=0,0.1"})
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	lock, err := store.Lock(filepath.Join(s.Dir, "sweep.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	o := &said{}
	var request *runner.RequestError
	if err := s.Run(context.Background(), 1, o); !errors.As(err, &request) || !strings.Contains(err.Error(), "another process") || len(o.cells) > 0 {
		t.Errorf("a second process ran %q: %v", o.cells, err)
	}
}

func TestPlan(t *testing.T) {
	out := t.TempDir()
	sets := []string{"sweep.seeds=2"}
	s := expand(t, out, sets, []string{"policy.kl=0,0.1"})
	if _, err := s.Look(); err != nil {
		t.Fatal(err)
	}
	if p := s.Plan(out); p != (Plan{Cells: 4, Attempts: 4 * 20 * 8, Unknown: 4}) {
		t.Errorf("with nothing to estimate from: %+v", p)
	}
	if _, err := os.Stat(s.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("planning wrote: %v", err)
	}
	run(t, s)
	wider := expand(t, out, sets, []string{"policy.kl=0,0.1,0.2"})
	if _, err := wider.Look(); err != nil {
		t.Fatal(err)
	}
	if p := wider.Plan(out); p.Cells != 2 || p.Attempts != 2*20*8 || p.Unknown != 0 || p.Runs != 4 || p.Time <= 0 {
		t.Errorf("after four runs: %+v", p)
	}
	// Runs that trained nothing tell nothing of training.
	trained := expand(t, out, []string{"run.arms=validity-only"}, []string{"policy.kl=0,0.1"})
	if p := trained.Plan(out); p.Unknown != 2 {
		t.Errorf("training is estimated from runs without any: %+v", p)
	}
}

func TestAnEstimatorKnowsTheRunsThatHaveFinishedSince(t *testing.T) {
	out := t.TempDir()
	var e Estimator
	p := load(t, []string{"sweep.seeds=2"}, nil)
	if got, want := e.Estimate(p, out), (Estimate{Attempts: 20 * 8}); got != want {
		t.Errorf("without runs: %+v", got)
	}
	for _, seeds := range []int{2, 3} {
		s := expand(t, out, []string{fmt.Sprintf("sweep.seeds=%d", seeds)}, nil)
		run(t, s)
		got, again := e.Estimate(p, s.Dir), e.Estimate(p, s.Dir)
		if want := (&Estimator{}).Estimate(p, s.Dir); got != want || again != want || want.Time <= 0 || want.Runs != seeds {
			t.Errorf("%d runs: %+v, then %+v, want %+v", seeds, got, again, want)
		}
	}
}

func TestRatesSeparateAttemptsFromUpdates(t *testing.T) {
	at := time.Unix(1000, 0)
	// 10 s for 1,000 attempts; 7 s of training, of which 200 attempts took 2 s and 50 updated proposals 5 s.
	r := rates{cost: recipe.Cost{Measuring: 1000, Training: 200, Updated: 50}, rest: 10 * time.Second, train: 7 * time.Second, spans: []span{{at, at.Add(17 * time.Second)}}}
	if got := r.time(recipe.Cost{Measuring: 300, Training: 100, Updated: 20}).Round(time.Microsecond); got != 6*time.Second {
		t.Errorf("400 attempts and 20 updates take %s, want 6s", got)
	}
	if got := r.time(recipe.Cost{Measuring: 300}).Round(time.Microsecond); got != 3*time.Second {
		t.Errorf("300 attempts take %s, want 3s", got)
	}
	// Two runs side by side, and a third after a pause, were on for 17 + 5 s in 39 s of their own times.
	r.spans = append(r.spans, span{at, at.Add(17 * time.Second)}, span{at.Add(time.Hour), at.Add(time.Hour + 5*time.Second)})
	if got, want := r.share(), 22.0/39; got != want {
		t.Errorf("share %g, want %g", got, want)
	}
}

// A sweep can be looked at where its runs cannot be made any more.
func TestASweepWithoutItsModelOpens(t *testing.T) {
	p, err := profiles.Load("quick", []string{"sweep.seeds=2", `roles.generator.model="gone.gguf"`, `roles.solver.model="gone.gguf"`})
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	s, err := newSweep(out, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Keep(); err != nil {
		t.Fatal(err)
	}
	again, _, err := Open(s.Dir)
	if err != nil || len(again.Cells) != 2 {
		t.Fatalf("%v, %v", again, err)
	}
	if err := again.Check(); err == nil || !strings.Contains(err.Error(), "gone.gguf") {
		t.Errorf("what cannot be run is refused with %v", err)
	}
	if _, err := New(out, p); err == nil {
		t.Error("it can be begun")
	}
}
