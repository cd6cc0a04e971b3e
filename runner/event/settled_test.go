package event_test

import (
	"testing"

	"verge/domains"
	"verge/runner/event"
)

// While attempts are to come, tasks without them are not outside the band: what is in band is not known.
func TestWhatIsInBandIsNotKnownWhileAttemptsAreToCome(t *testing.T) {
	var f event.Fold
	apply := func(events ...event.Event) {
		t.Helper()
		for _, e := range events {
			if err := f.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	attempt := func(k event.Key, from, to int) {
		for a := from; a < to; a++ {
			apply(event.AttemptGraded{Key: k, Attempt: a, Grading: domains.Grading{Verdict: domains.Right}})
		}
	}
	known := func() bool {
		tally := f.Snapshot().Arm("base").Eval
		_, ok := tally.InBandRate().Value()
		_, given := tally.InBandGivenValid().Value()
		if ok != given {
			t.Error("one of the two rates is known")
		}
		return ok
	}
	key := func(i int) event.Key { return event.Key{Arm: "base", Stage: event.Eval, Proposal: i} }
	apply(event.RunStarted{Arms: []string{"base", "other"}, Attempts: 2, Low: 0.5, High: 1}, event.StageStarted{Arm: "base", Stage: event.Eval, Total: 2})
	for i := range 2 {
		apply(event.TaskProposed{Key: key(i)})
		if known() {
			t.Errorf("known before proposal %d is validated", i)
		}
		apply(event.TaskValidated{Key: key(i), Task: domains.Task{ID: key(i).String(), Statement: "x"}, Validity: domains.Validity{Valid: i == 1}})
		if known() {
			t.Errorf("known after proposal %d of 2, before any attempt", i)
		}
	}
	attempt(key(1), 0, 1)
	if known() {
		t.Error("known after half of the attempts")
	}
	attempt(key(1), 1, 2)
	if !known() {
		t.Error("not known after all attempts")
	}
	if r := f.Snapshot().Arm("base").Eval.InBandRate(); r.Hits != 1 || r.Trials != 2 {
		t.Errorf("%+v", r)
	}
}

// A task whose attempts never come, since its stage is over, is ungraded and counts.
func TestWhatWasNotAttemptedInAStageThatIsOverIsNotInBand(t *testing.T) {
	for _, end := range []event.Event{event.Evaluated{Arm: "base"}, event.StageStarted{Arm: "other", Stage: event.Eval}, event.RunEnded{}} {
		var f event.Fold
		k := event.Key{Arm: "base", Stage: event.Eval}
		for _, e := range []event.Event{
			event.RunStarted{Arms: []string{"base", "other"}, Attempts: 2, Low: 0.5, High: 1}, event.StageStarted{Arm: "base", Stage: event.Eval, Total: 1},
			event.TaskProposed{Key: k}, event.TaskValidated{Key: k, Task: domains.Task{ID: "1", Statement: "x"}, Validity: domains.Validity{Valid: true}}, end,
		} {
			if err := f.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		if v, ok := f.Snapshot().Arm("base").Eval.InBandRate().Value(); !ok || v != 0 {
			t.Errorf("after %s: %v, %v", end.Name(), v, ok)
		}
	}
}
