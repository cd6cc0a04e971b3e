package board_test

import (
	"math"
	"testing"

	"verge/domains"
	"verge/runner/event"
	"verge/tui/board"
)

func apply(t *testing.T, b *board.Board, events ...event.Event) {
	t.Helper()
	for _, e := range events {
		if err := b.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
}

// task is the events of a valid proposal of a training step that a probe scores; spread is over its members.
func task(step, proposal int, kind string, logit, spread float64) []event.Event {
	k := event.Key{Arm: "propel", Stage: event.Train, Step: step, Proposal: proposal}
	return []event.Event{
		event.TaskProposed{Key: k},
		event.TaskValidated{Key: k, Validity: domains.Validity{Valid: true}, Task: domains.Task{Type: kind}},
		event.ProbeScored{Key: k, Probe: "in-band", Logit: logit, Spread: &spread},
	}
}

func TestStepsOfASnapshotDoNotChange(t *testing.T) {
	b := &board.Board{}
	apply(t, b, event.RunStarted{Arms: []string{"propel"}, Attempts: 1, High: 1})
	apply(t, b, task(0, 0, "sum", 1, 0.5)...)
	before := b.Snapshot().Steps["propel"]
	apply(t, b, task(0, 1, "sum", 3, 1.5)...)
	apply(t, b, task(0, 2, "power", 3, 1)...)
	apply(t, b, task(1, 0, "power", 0, 1)...)
	if before[0].Types["sum"] != 1 || len(before[0].Types) != 1 {
		t.Errorf("a later event changed a snapshot's types: %v", before[0].Types)
	}
	steps := b.Snapshot().Steps["propel"]
	if len(steps) != 2 || steps[0].Types["sum"] != 2 || steps[0].Types["power"] != 1 || steps[1].Types["power"] != 1 {
		t.Fatalf("types by step: %+v", steps)
	}
	if m := steps[0].Spread; m.N != 3 || m.Mean != 1 {
		t.Errorf("spread over the members: %+v, want a mean of 1 over 3", m)
	}
}

func TestLogitsOutsideTheBinsAreCountedAtTheEnds(t *testing.T) {
	b := &board.Board{}
	apply(t, b, event.RunStarted{Arms: []string{"propel"}, Attempts: 1, High: 1})
	for i, logit := range []float64{-1e300, math.NaN(), math.Inf(-1), board.MinLogit, 1e300, math.Inf(1), board.MinLogit + 1.5*board.BinWidth} {
		apply(t, b, task(0, i, "", logit, 0)...)
	}
	bins := b.Snapshot().Scores[0].Bins
	if bins[0] != 4 || bins[board.Bins-1] != 2 || bins[1] != 1 {
		t.Errorf("bins %v, want 4 in the first, 1 in the second, 2 in the last", bins)
	}
}
