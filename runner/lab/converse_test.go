package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verge/domains"
	"verge/runner/backend"
	"verge/runner/event"
)

// slow is a model that hands its replies over one by one, in an order of its own, and at some call dies.
type slow struct {
	scripted
	order func(calls int) []int
	until int // calls that it answers before it dies; 0: all
}

var errDied = errors.New("the server died")

func (s *slow) Stream(_ context.Context, requests []backend.Request, done func(request, seed int, r backend.Reply)) error {
	type call struct{ i, j int }
	var calls []call
	for i, r := range requests {
		for j := range r.Seeds {
			calls = append(calls, call{i, j})
		}
	}
	order := make([]int, len(calls))
	for i := range order {
		order[i] = i
	}
	if s.order != nil {
		order = s.order(len(calls))
	}
	for _, at := range order {
		if s.until > 0 && len(s.seeds) == s.until {
			return errDied
		}
		c := calls[at]
		seed := requests[c.i].Seeds[c.j]
		s.seeds = append(s.seeds, seed)
		done(c.i, c.j, s.reply(requests[c.i].Prompt.String(), seed))
	}
	return nil
}

// backwards hands over in pairs, the later one first.
func backwards(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = min(i^1, n-1)
	}
	if n%2 == 1 {
		order[n-1] = n - 1
	}
	return order
}

// bySeed replies by nothing but the seed, as a model does that is asked the same again.
func bySeed(_ string, seed uint64) backend.Reply {
	return backend.Reply{Text: fmt.Sprintf("%d+%d", seed%90, seed%7), Count: int(seed % 5)}
}

// experiment proposes and attempts 20 tasks.
func experiment(l *Lab, generator backend.Model) error {
	p, err := l.Propose(context.Background(), Generator{Model: generator, Dialect: domains.Compact}, "a", event.Eval, 0, 20)
	if err != nil {
		return err
	}
	return l.Attempt(context.Background(), p)
}

func encoded(t *testing.T, events []event.Event) []string {
	t.Helper()
	var out []string
	for _, e := range events {
		name, payload, err := event.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, name+" "+string(payload))
	}
	return out
}

// known is what a resumed run has after events were stored.
func known(t *testing.T, events []event.Event) *Known {
	t.Helper()
	k := &Known{}
	for _, e := range events {
		name, payload, err := event.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		back, err := event.Decode(name, payload)
		if err != nil {
			t.Fatal(err)
		}
		k.Add(back)
	}
	return k
}

func TestRepliesAreKeptAsTheyComeInTheOrderOfTheirKeys(t *testing.T) {
	var plain log
	if err := experiment(newLab(&scripted{reply: bySeed}, &plain), &scripted{reply: bySeed}); err != nil {
		t.Fatal(err)
	}
	want := encoded(t, plain.events)
	for _, order := range []func(int) []int{nil, backwards} {
		// Whenever the model dies, what it had answered is stored, but for a reply that came before the one ahead of it.
		for until := 1; until <= 20; until++ {
			var l log
			generator := &slow{scripted: scripted{reply: bySeed}, order: order, until: until}
			if err := experiment(newLab(&scripted{reply: bySeed}, &l), generator); until < 20 && !errors.Is(err, errDied) {
				t.Fatalf("error %v", err)
			}
			if until == 20 {
				continue
			}
			got := encoded(t, l.events)
			kept := until
			if order != nil {
				kept = until - until%2
			}
			if len(got) != 2*kept || !slices.Equal(got, want[:2*kept]) {
				t.Fatalf("died after %d replies: %d events", until, len(got))
			}
			// Resumed, it asks for the rest and ends as if nothing had happened.
			var resumed log
			again := &slow{scripted: scripted{reply: bySeed}, order: order}
			lab := newLab(&slow{scripted: scripted{reply: bySeed}, order: order}, &resumed)
			lab.Known = known(t, l.events)
			if err := experiment(lab, again); err != nil {
				t.Fatal(err)
			}
			if len(again.seeds) != 20-kept {
				t.Errorf("resumed after %d proposals, it asked for %d", kept, len(again.seeds))
			}
			if diff := cmp.Diff(want, encoded(t, resumed.events)); diff != "" {
				t.Fatalf("resumed after %d replies (-undisturbed +resumed):\n%s", until, diff)
			}
		}
	}
}

func TestAttemptsAreKeptAsTheyCome(t *testing.T) {
	var plain log
	if err := experiment(newLab(&scripted{reply: bySeed}, &plain), &scripted{reply: bySeed}); err != nil {
		t.Fatal(err)
	}
	want := encoded(t, plain.events)
	var l log
	solver := &slow{scripted: scripted{reply: bySeed}, until: 13}
	if err := experiment(newLab(solver, &l), &scripted{reply: bySeed}); !errors.Is(err, errDied) {
		t.Fatal(err)
	}
	if got := encoded(t, l.events); len(got) != 40+13 || !slices.Equal(got, want[:len(got)]) {
		t.Errorf("%d events", len(got))
	}
}

// failing answers all calls but some, by number from 0.
func failing(fails func(call int) bool) *slow {
	n := -1
	return &slow{scripted: scripted{reply: func(p string, seed uint64) backend.Reply {
		if n++; fails(n) {
			return backend.Reply{Err: errors.New("server error 500")}
		}
		return bySeed(p, seed)
	}}}
}

func TestABatchWithTooManyErrorsIsNotDecidedOn(t *testing.T) {
	for name, c := range map[string]struct {
		model  *slow
		stream bool
		stored int // proposals
		failed bool
	}{
		"none":                           {failing(func(int) bool { return false }), true, 20, false},
		"as many as are allowed":         {failing(func(n int) bool { return n%5 == 1 }), true, 20, false},
		"one more":                       {failing(func(n int) bool { return n%5 == 1 || n == 19 }), true, 19, true},
		"one more, all at the end":       {failing(func(n int) bool { return n%5 == 1 || n == 19 }), false, 19, true},
		"it stops answering":             {failing(func(n int) bool { return n >= 7 }), true, 7, true},
		"it stops answering, at the end": {failing(func(n int) bool { return n >= 7 }), false, 7, true},
		"it never answers":               {failing(func(int) bool { return true }), true, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			var l log
			var model backend.Model = c.model
			if !c.stream {
				model = &c.model.scripted
			}
			_, err := newLab(nil, &l).Propose(context.Background(), Generator{Model: model, Dialect: domains.Compact}, "a", event.Eval, 0, 20)
			var many *TooManyErrors
			if errors.As(err, &many) != c.failed || err != nil && !c.failed {
				t.Fatalf("error %v", err)
			}
			if c.failed && (many.Failed != 5 || many.Calls != 20 || !strings.Contains(err.Error(), "server error 500") || !strings.Contains(err.Error(), "run.max_errors = 0.2")) {
				t.Errorf("error %v", err)
			}
			proposed := 0
			for _, e := range l.events {
				if _, ok := e.(event.TaskProposed); ok {
					proposed++
				}
			}
			if proposed != c.stored {
				t.Errorf("%d proposals are stored, want %d", proposed, c.stored)
			}
			if !c.failed {
				return
			}
			// Mended and resumed: what came to nothing at the end is asked again, and what was stored is not.
			var resumed log
			lab := newLab(nil, &resumed)
			lab.Known = known(t, l.events)
			mended := &slow{scripted: scripted{reply: bySeed}}
			if _, err := lab.Propose(context.Background(), Generator{Model: mended, Dialect: domains.Compact}, "a", event.Eval, 0, 20); err != nil {
				t.Fatal(err)
			}
			if len(mended.seeds) != 20-c.stored {
				t.Errorf("asked for %d, with %d stored", len(mended.seeds), c.stored)
			}
			if before, after := encoded(t, l.events), encoded(t, resumed.events); !slices.Equal(before, after[:len(before)]) {
				t.Error("what was stored comes out differently")
			}
		})
	}
}

// Attempts that cannot be graded are errors like those that could not be had.
func TestTooManyFailedAttemptsEndTheRun(t *testing.T) {
	var l log
	lab := newLab(failing(func(n int) bool { return n%2 == 0 }), &l)
	var many *TooManyErrors
	if err := experiment(lab, statements("1+1", "1+2", "2+2")); !errors.As(err, &many) || many.What != "attempts" {
		t.Errorf("error %v", err)
	}
}
