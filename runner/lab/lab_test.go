package lab

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"verge/domains"
	"verge/domains/math"
	"verge/runner/backend"
	"verge/runner/event"
)

// scripted replies by a function of the prompt and the sample's seed.
type scripted struct {
	reply func(prompt string, seed uint64) backend.Reply
	mu    sync.Mutex
	seeds []uint64
	calls [][]backend.Request
}

func (s *scripted) Identity() backend.Identity {
	return backend.Identity{Backend: "test", Name: "scripted"}
}

func (s *scripted) Sample(_ context.Context, requests []backend.Request, progress func(replies, tokens int)) ([][]backend.Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, requests)
	var out [][]backend.Reply
	for _, r := range requests {
		var row []backend.Reply
		for _, seed := range r.Seeds {
			s.seeds = append(s.seeds, seed)
			row = append(row, s.reply(r.Prompt.String(), seed))
			progress(1, 3)
		}
		out = append(out, row)
	}
	return out, nil
}

type log struct{ events []event.Event }

func (l *log) emit(events ...event.Event) error {
	l.events = append(l.events, events...)
	return nil
}

func newLab(solver backend.Model, l *log) *Lab {
	return &Lab{Domain: math.Domain{}, Seed: 3, Attempts: 4, MaxErrors: 0.2, Emit: l.emit, Meter: &Meter{},
		Solver: Solver{Model: solver, Dialect: domains.Compact, Style: domains.Direct}}
}

func TestProposalsAreValidatedAndValidOnesAttempted(t *testing.T) {
	lost := errors.New("connection lost")
	statements := []string{"2+3", "2+", "4*5", ""}
	n := 0
	generator := &scripted{reply: func(string, uint64) backend.Reply {
		n++
		if n == 5 {
			return backend.Reply{Err: lost}
		}
		return backend.Reply{Text: statements[(n-1)%4], Tokens: []int32{1, 2}}
	}}
	tries := 0
	solver := &scripted{reply: func(string, uint64) backend.Reply {
		tries++
		switch tries {
		case 1, 2:
			return backend.Reply{Text: "5"}
		case 3:
			return backend.Reply{Text: "six"}
		case 4:
			return backend.Reply{Err: lost}
		}
		return backend.Reply{Text: "20"}
	}}
	var events log
	l := newLab(solver, &events)
	proposals, err := l.Propose(context.Background(), Generator{Model: generator, Dialect: domains.Compact}, "a", event.Eval, 7, 5)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Attempt(context.Background(), proposals); err != nil {
		t.Fatal(err)
	}
	type outcome struct {
		valid         bool
		right, graded int
	}
	want := []outcome{{true, 2, 3}, {}, {true, 4, 4}, {}, {}}
	for i, p := range proposals {
		right, graded := p.Outcome()
		if got := (outcome{p.Valid(), right, graded}); got != want[i] {
			t.Errorf("proposal %d %q: %+v, want %+v", i, p.Task.Statement, got, want[i])
		}
		if key := (event.Key{Arm: "a", Stage: event.Eval, Step: 7, Proposal: i}); p.Key != key {
			t.Errorf("proposal %d has key %v", i, p.Key)
		}
	}
	if !errors.Is(proposals[4].Err, lost) {
		t.Errorf("the lost proposal's error is %v", proposals[4].Err)
	}
	// A run starts before its stages; the fold then accepts exactly what the lab emitted.
	var fold event.Fold
	all := append([]event.Event{
		event.RunStarted{Arms: []string{"a"}, Attempts: 4, Low: .25, High: .75},
		event.StageStarted{Arm: "a", Stage: event.Eval, Total: 5}}, events.events...)
	for _, e := range all {
		if err := fold.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	eval := fold.Snapshot().Arm("a").Eval
	if eval.Proposed != 4 || eval.Errors != 1 || eval.Valid != 2 || eval.Attempts != 8 || eval.Graded != 1 || eval.InBand != 0 {
		t.Errorf("folded: %+v", eval)
	}
	if r := l.Meter.Read(); r.Tokens != 3*8 || r.Unit != Attempts || r.Done != 8 || r.Total != 8 {
		t.Errorf("the meter reads %+v", r)
	}
}

func TestEverySampleHasItsOwnSeedAndATaskIsReadOnce(t *testing.T) {
	model := &scripted{reply: func(string, uint64) backend.Reply { return backend.Reply{Text: "1+1"} }}
	var events log
	l := newLab(model, &events)
	for step := range 3 {
		for _, stage := range []event.Stage{event.Train, event.Eval} {
			p, err := l.Propose(context.Background(), Generator{Model: model, Dialect: domains.Compact}, "a", stage, step, 6)
			if err != nil {
				t.Fatal(err)
			}
			if err := l.Attempt(context.Background(), p); err != nil {
				t.Fatal(err)
			}
		}
	}
	slices.Sort(model.seeds)
	if n := len(model.seeds); n != 6*6*5 || len(slices.Compact(model.seeds)) != n {
		t.Errorf("%d samples, but %d different seeds", n, len(slices.Compact(model.seeds)))
	}
	for _, call := range model.calls {
		if len(call) != 1 {
			t.Errorf("one prompt was sent as %d requests", len(call))
		}
	}
	l.Seed++
	other := &scripted{reply: model.reply}
	if _, err := l.Propose(context.Background(), Generator{Model: other, Dialect: domains.Compact}, "a", event.Eval, 0, 6); err != nil {
		t.Fatal(err)
	}
	for _, s := range other.seeds {
		if slices.Contains(model.seeds, s) {
			t.Error("another run seed gave a sample the same seed")
		}
	}
}
