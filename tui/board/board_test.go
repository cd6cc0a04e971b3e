package board_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"verge/domains"
	"verge/runner/event"
	"verge/tui/board"
	"verge/tui/fixture"
)

// stream draws a run of two arms at random: proposals of several stages that are validated, scored and attempted out of order, attempts
// of every verdict, and tasks that are left without some.
func stream(seed uint64, proposals int) []event.Event {
	random := rand.New(rand.NewPCG(seed, 9))
	events := []event.Event{event.RunStarted{Arms: []string{"base", "propel"}, Attempts: 3, Low: 1.0 / 3, High: 2.0 / 3}}
	waiting := [][]event.Event{} // of each proposal that is not done
	verdicts := []domains.Verdict{domains.Right, domains.Right, domains.Wrong, domains.Wrong, domains.Undecided, domains.Error}
	for i := range proposals {
		k := event.Key{Arm: []string{"base", "propel"}[random.IntN(2)], Stage: []event.Stage{event.Corpus, event.Train, event.Eval}[random.IntN(3)], Step: i / 100, Proposal: i}
		if random.IntN(20) == 0 {
			events = append(events, event.TaskProposed{Key: k, Error: "lost"})
			continue
		}
		valid, statement := random.IntN(4) > 0, fmt.Sprint(random.IntN(1000))
		validity := domains.Validity{Valid: valid}
		if !valid {
			validity.Reason = []string{"syntax", "range"}[random.IntN(2)]
		}
		rest := []event.Event{
			event.TaskProposed{Key: k, Episode: domains.Episode{Turns: []domains.Turn{{Reply: statement}}}},
			event.TaskValidated{Key: k, Task: domains.Task{ID: statement, Statement: statement, Type: "sum"}, Validity: validity},
		}
		if valid && k.Stage == event.Train {
			rest = append(rest, event.ProbeScored{Key: k, Probe: "in-band", Logit: random.NormFloat64()})
		}
		for a := range 3 {
			if valid && random.IntN(8) > 0 {
				rest = append(rest, event.AttemptGraded{Key: k, Attempt: a, Grading: domains.Grading{Verdict: verdicts[random.IntN(len(verdicts))]}})
			}
		}
		waiting = append(waiting, rest)
		for range 6 {
			if len(waiting) == 0 {
				break
			}
			j := random.IntN(len(waiting))
			events, waiting[j] = append(events, waiting[j][0]), waiting[j][1:]
			if len(waiting[j]) == 0 {
				waiting = slices.Delete(waiting, j, j+1)
			}
		}
	}
	return events
}

// count adds up tasks as a tally of package event does.
func count(s *board.Snapshot, arm string, stage event.Stage) event.Tally {
	t := event.Tally{Invalid: map[string]int{}, Types: map[string]int{}, Verdicts: map[domains.Verdict]int{}, Histogram: make([]int, s.Run.Attempts+1)}
	for i := range s.Tasks.Len() {
		task := s.Tasks.At(i)
		if task.Key.Stage != stage || arm != "" && task.Key.Arm != arm {
			continue
		}
		switch {
		case task.Failed != "":
			t.Errors++
			continue
		case task.Validated && !task.Valid:
			t.Invalid[task.Reason]++
		case task.Valid:
			t.Valid++
			t.Types[task.Type]++
		}
		t.Proposed++
		t.Attempts += task.Attempts()
		for v, n := range map[domains.Verdict]int{domains.Right: task.Right, domains.Wrong: task.Wrong, domains.Undecided: task.Undecided, domains.Error: task.Errors} {
			if n > 0 {
				t.Verdicts[v] += n
			}
		}
		if task.Attempts() == s.Run.Attempts {
			t.Tried++
		}
		if task.Right+task.Wrong == s.Run.Attempts {
			t.Graded++
			t.Histogram[task.Right]++
			if s.Band().Holds(task.Right, s.Run.Attempts) {
				t.InBand++
			}
		}
	}
	return t
}

var counted = cmp.Options{cmpopts.IgnoreUnexported(event.Tally{}), cmpopts.IgnoreFields(event.Tally{}, "Total", "Oracled", "InBandOracled", "ProposalTokens", "AttemptTokens", "Scores")}

// What the list of tasks says adds up to what the fold of package event counts, at any time.
func TestTasksAddUpToTheFold(t *testing.T) {
	for seed := range uint64(3) {
		events := stream(seed, 600)
		b := &board.Board{}
		for i, e := range events {
			apply(t, b, e)
			if i%97 != 0 && i != len(events)-1 {
				continue
			}
			s := b.Snapshot()
			check := func(what string, want *event.Tally, got event.Tally) {
				t.Helper()
				if diff := cmp.Diff(*want, got, counted); diff != "" {
					t.Fatalf("after %d events, %s: (-fold +tasks)\n%s", i+1, what, diff)
				}
			}
			check("corpus", s.Corpus, count(s, "", event.Corpus))
			for _, a := range s.Arms {
				check("training of "+a.Name, a.Train, count(s, a.Name, event.Train))
				check("evaluation of "+a.Name, a.Eval, count(s, a.Name, event.Eval))
				checkSteps(t, s, a)
			}
			checkDecisions(t, s)
		}
	}
}

// checkSteps adds up the steps of an arm's training.
func checkSteps(t *testing.T, s *board.Snapshot, a *event.Arm) {
	t.Helper()
	var sum board.Step
	types := map[string]int{}
	for _, step := range s.Steps[a.Name] {
		sum.Proposed += step.Proposed
		sum.Valid += step.Valid
		sum.Graded += step.Graded
		sum.InBand += step.InBand
		sum.Reward.N += step.Reward.N
		if pending := step.Proposed - step.Rate.Trials; step.Rate.Hits != step.InBand || pending < 0 || pending > 1 {
			t.Fatalf("step %d of %s: rate %+v, %d proposed, %d in band", step.Step, a.Name, step.Rate, step.Proposed, step.InBand)
		}
		for name, n := range step.Types {
			types[name] += n
		}
	}
	want := board.Step{Proposed: a.Train.Proposed, Valid: a.Train.Valid, Graded: a.Train.Graded, InBand: a.Train.InBand}
	want.Reward.N = a.Train.Scores["in-band"].N
	if diff := cmp.Diff(want, sum, cmpopts.IgnoreUnexported(board.Step{}, board.Moments{}), cmpopts.IgnoreFields(board.Step{}, "Rate")); diff != "" {
		t.Fatalf("steps of %s: (-fold +steps)\n%s", a.Name, diff)
	}
	if !maps.Equal(types, a.Train.Types) {
		t.Fatalf("types of %s: %v, the fold has %v", a.Name, types, a.Train.Types)
	}
}

// checkDecisions holds each decision to its task.
func checkDecisions(t *testing.T, s *board.Snapshot) {
	t.Helper()
	decided := 0
	for i := range s.Tasks.Len() {
		if s.Tasks.At(i).Validated {
			decided++
		}
	}
	if s.Decisions.Len() != decided {
		t.Fatalf("%d decisions of %d validated tasks", s.Decisions.Len(), decided)
	}
	for i := range s.Decisions.Len() {
		d := s.Decisions.At(i)
		if task := s.Tasks.At(d.Task); !task.Validated || task.Valid != d.Pass || task.Reason != d.Reason || d.Gate != board.Validity {
			t.Fatalf("decision %+v of task %+v", d, task)
		}
	}
}

// frozen is a deep copy of what a snapshot shows.
type frozen struct {
	Events    int
	Tasks     []board.Task
	Decisions []board.Decision
	Log       []board.Line
	Steps     map[string][]board.Step
	Scores    []board.Scores
	Valid     []int
}

func freeze(s *board.Snapshot) frozen {
	f := frozen{Events: s.Events, Tasks: all(s.Tasks), Decisions: all(s.Decisions), Log: all(s.Log), Steps: map[string][]board.Step{}, Scores: slices.Clone(s.Scores)}
	for arm, steps := range s.Steps {
		for _, step := range steps {
			step.Types = maps.Clone(step.Types)
			f.Steps[arm] = append(f.Steps[arm], step)
		}
	}
	for _, a := range s.Arms {
		f.Valid = append(f.Valid, a.Train.Valid, a.Eval.Valid)
	}
	return f
}

func all[T any](l board.List[T]) []T {
	var out []T
	for i := range l.Len() {
		out = append(out, l.At(i))
	}
	return out
}

func TestSnapshotsNeverChange(t *testing.T) {
	b := &board.Board{}
	var snapshots []*board.Snapshot
	var copies []frozen
	for i, e := range stream(4, 900) {
		apply(t, b, e)
		if i%53 == 0 {
			s := b.Snapshot()
			snapshots, copies = append(snapshots, s), append(copies, freeze(s))
		}
	}
	for i, s := range snapshots {
		if diff := cmp.Diff(copies[i], freeze(s), cmp.AllowUnexported(board.Moments{}), cmpopts.EquateComparable(event.Rate{}), cmpopts.IgnoreUnexported(board.Step{})); diff != "" {
			t.Fatalf("the snapshot after %d events has changed: (-then +now)\n%s", s.Events, diff)
		}
	}
}

func TestASnapshotIsMadeOncePerEvent(t *testing.T) {
	b := fixture.Board(fixture.PROPEL()[:300])
	first := b.Snapshot()
	if second := b.Snapshot(); first != second {
		t.Error("two snapshots, though nothing has happened")
	}
}

// A snapshot is read by the screen while the run goes on.
func TestSnapshotsAreReadWhileTheRunGoesOn(t *testing.T) {
	b := &board.Board{}
	events := stream(5, 500)
	apply(t, b, events[0])
	done := make(chan struct{})
	go func() {
		defer close(done)
		for last := 0; last < len(events); {
			s := b.Snapshot()
			if s.Events < last {
				t.Errorf("%d events after %d", s.Events, last)
			}
			last = s.Events
			freeze(s)
		}
	}()
	for _, e := range events[1:] {
		if err := b.Apply(e); err != nil {
			t.Error(err)
		}
	}
	<-done
}

func TestAContradictionChangesNothing(t *testing.T) {
	b := &board.Board{}
	apply(t, b, stream(6, 50)...)
	before := freeze(b.Snapshot())
	for _, e := range []event.Event{
		event.TaskProposed{Key: b.Snapshot().Tasks.At(0).Key},
		event.AttemptGraded{Key: event.Key{Arm: "nobody"}},
		event.ProbeScored{Key: event.Key{Arm: "base", Stage: event.Train, Proposal: 999}},
		event.RunStarted{},
	} {
		if b.Apply(e) == nil {
			t.Errorf("%T is no error", e)
		}
	}
	if diff := cmp.Diff(before, freeze(b.Snapshot()), cmp.AllowUnexported(board.Moments{}), cmpopts.EquateComparable(event.Rate{}), cmpopts.IgnoreUnexported(board.Step{})); diff != "" {
		t.Errorf("a refused event changed the board:\n%s", diff)
	}
}

func TestLongTextsAreClipped(t *testing.T) {
	long := strings.Repeat("漢", 1000)
	key := event.Key{Arm: "base", Stage: event.Train}
	b := &board.Board{}
	apply(t, b, event.RunStarted{Arms: []string{"base"}, Attempts: 1, High: 1}, event.TaskProposed{Key: key, Episode: domains.Episode{Turns: []domains.Turn{{Reply: long}}}})
	if got := b.Snapshot().Tasks.At(0).Statement; got != long[:510] {
		t.Errorf("the statement of a proposal keeps %d bytes", len(got))
	}
	apply(t, b, event.TaskValidated{Key: key, Task: domains.Task{Statement: long + "!"}, Validity: domains.Validity{Reason: "long", Detail: long}},
		event.TaskProposed{Key: event.Key{Arm: "base", Stage: event.Train, Proposal: 1}, Error: long}, event.Warned{Code: "c", Text: long})
	s := b.Snapshot()
	for what, got := range map[string]string{"statement": s.Tasks.At(0).Statement, "detail": s.Decisions.At(0).Detail, "failure": s.Tasks.At(1).Failed, "line": s.Log.At(s.Log.Len() - 1).Text} {
		if len(got) > 512 || len(got) < 500 {
			t.Errorf("the %s keeps %d bytes", what, len(got))
		}
	}
}
