package session_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"verge/runner/event"
	"verge/runner/store"
	"verge/tui/board"
	"verge/tui/fixture"
	"verge/tui/guard"
	"verge/tui/session"
)

// written is a run's folder with some events, and its writer, which is still open.
func written(t *testing.T, events []event.Event) (string, *store.Writer) {
	t.Helper()
	w, err := store.Create(t.TempDir(), store.Header{Profile: "quick", Recipe: "propel", Domain: "math", Seed: 1, Started: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Append(events...); err != nil {
		t.Fatal(err)
	}
	return w.Dir(), w
}

func open(t *testing.T, dir string, replay bool) *session.Stored {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	s, err := session.Open(ctx, &guard.Guard{}, dir, replay)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); s.Close() })
	return s
}

// until waits for a session to come to something.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); {
		if time.Now().After(deadline) {
			t.Fatalf("%s: it does not come to that", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func same(t *testing.T, got, want *board.Snapshot) {
	t.Helper()
	if got.Events != want.Events || got.Tasks.Len() != want.Tasks.Len() || got.Log.Len() != want.Log.Len() {
		t.Fatalf("events %d, tasks %d, log %d; want %d, %d, %d", got.Events, got.Tasks.Len(), got.Log.Len(), want.Events, want.Tasks.Len(), want.Log.Len())
	}
	for i := range want.Tasks.Len() {
		if got.Tasks.At(i) != want.Tasks.At(i) {
			t.Fatalf("task %d is %+v, want %+v", i, got.Tasks.At(i), want.Tasks.At(i))
		}
	}
}

func TestARunThatIsWrittenElsewhereIsFollowedToItsEnd(t *testing.T) {
	events := fixture.PROPEL()
	half := len(events) / 2
	dir, w := written(t, events[:half])
	s := open(t, dir, false)
	until(t, "half of the events", func() bool { return s.Board().Events == half && s.Status().State == session.Watching })
	if why := s.Control().Refusal(session.Pause); why == "" {
		t.Error("a run of another process can be paused")
	}
	if _, err := w.Append(events[half:]...); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	until(t, "the end", func() bool { return s.Status().State == session.Done })
	same(t, s.Board(), fixture.Board(events).Snapshot())
}

func TestAnInterruptedRunIsShownAsWhatItIs(t *testing.T) {
	dir, w := written(t, fixture.PROPEL()[:50])
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, false)
	until(t, "interrupted", func() bool { return s.Status().State == session.Interrupted })
}

func TestAReplayGoesWhereItIsSentAndEndsAsTheRunDid(t *testing.T) {
	events := fixture.PROPEL()
	dir, w := written(t, events)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, true)
	s.Do(session.Pause, 0)
	until(t, "paused", func() bool { return s.Status().State == session.Paused })
	for _, at := range []int{500, 40, 1200, 0, 41, len(events)} {
		s.Do(session.Seek, float64(at))
		until(t, "the event", func() bool { return s.Board().Events == at && s.Status().Replay.At == at })
		same(t, s.Board(), fixture.Board(events[:at]).Snapshot())
	}
	if why := s.Refusal(session.StepProposal); why == "" {
		t.Error("a recording at its end can be stepped")
	}
	s.Do(session.Seek, 40)
	until(t, "the event", func() bool { return s.Board().Events == 40 })
	before := s.Board().Tasks.Len()
	s.Do(session.StepProposal, 0)
	until(t, "a step", func() bool { return s.Board().Events > 40 })
	if b := s.Board(); b.Tasks.Len() > before+1 {
		t.Errorf("one step made %d proposals", b.Tasks.Len()-before)
	}
	s.Do(session.StepUpdate, 0)
	until(t, "a stage", func() bool { return s.Board().Stage != nil && s.Board().Stage.Stage == event.Eval })
	s.Do(session.Resume, 0)
	s.Do(session.Speed, 1e9)
	until(t, "the end", func() bool { return s.Board().Events == len(events) })
	s.Do(session.Speed, 0)  // as slow as it goes
	s.Do(session.Resume, 0) // from the start again
	until(t, "the start", func() bool { return s.Board().Events < len(events) })
}

// A jump past everything that was played takes a while: what is shown meanwhile is never told to be what was asked for.
func TestWhatIsShownOnTheWayToAnEventIsWhatItIsSaidToBe(t *testing.T) {
	events := []event.Event{
		event.RunStarted{Profile: "quick", Recipe: "propel", Domain: "math", Arms: []string{"base"}, Attempts: 8},
		event.StageStarted{Arm: "base", Stage: event.Eval, Total: 50_000},
	}
	for i := range 50_000 {
		events = append(events, event.TaskProposed{Key: event.Key{Arm: "base", Stage: event.Eval, Proposal: i}})
	}
	dir, w := written(t, events)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, true)
	apart := len(events) / 100 // how far apart keyframes are
	until(t, "the first keyframe", func() bool { return s.Board().Events > apart })
	for _, at := range []int{len(events), 20, len(events) - 500} {
		s.Do(session.Seek, float64(at))
		until(t, "the event", func() bool {
			before, status, after := s.Board(), s.Status(), s.Board()
			if before == after && (status.Replay.At < before.Events-apart || status.Replay.At > before.Events+apart) {
				t.Fatalf("event %d is said to be shown, and event %d is", status.Replay.At, before.Events)
			}
			return after.Events == at && status.Replay.At == at
		})
		s.Do(session.Pause, 0)
		if s.Status().State != session.Paused {
			t.Error("it is not paused at once")
		}
	}
	// Once it has been there, a jump shows the keyframe before an event at once.
	for _, at := range []int{300, len(events) - 700, 0} {
		s.Do(session.Seek, float64(at))
		if shown := s.Board().Events; shown > at || shown <= at-apart || s.Status().Replay.At != at {
			t.Errorf("sent to event %d, it shows %d as %d", at, shown, s.Status().Replay.At)
		}
	}
}

func TestAStepThatIsAskedForOnTheWayToAnEventIsOneFromThere(t *testing.T) {
	events := []event.Event{
		event.RunStarted{Profile: "quick", Recipe: "propel", Domain: "math", Arms: []string{"base"}, Attempts: 8},
		event.StageStarted{Arm: "base", Stage: event.Eval, Total: 20_000},
	}
	for i := range 20_000 {
		k := event.Key{Arm: "base", Stage: event.Eval, Proposal: i}
		events = append(events, event.TaskProposed{Key: k}, event.TaskValidated{Key: k})
	}
	dir, w := written(t, events)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, true)
	s.Do(session.Pause, 0)
	at := 30_001 // where a proposal has been made that is not validated yet
	s.Do(session.Seek, float64(at))
	s.Do(session.StepProposal, 0)
	until(t, "the step", func() bool { return s.Board().Events >= at })
	until(t, "the proposal after it", func() bool { return s.Board().Events == at+1 })
}

func TestATaskOfAReplayIsWhatWasKnownThen(t *testing.T) {
	events := fixture.PROPEL()
	dir, w := written(t, events)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	at := 0
	var key event.Key
	for i, e := range events {
		if graded, ok := e.(event.AttemptGraded); ok && graded.Attempt == 2 {
			at, key = i+1, graded.Key
			break
		}
	}
	s := open(t, dir, true)
	s.Do(session.Pause, 0)
	s.Do(session.Seek, float64(at))
	until(t, "the event", func() bool { return s.Board().Events == at && s.Status().Replay.At == at })
	d, err := s.Detail(key)
	if err != nil || len(d.Attempts) != 3 {
		t.Errorf("after its third attempt a task has %d, %v", len(d.Attempts), err)
	}
}

func TestWhatHasNoEventsCannotBeReplayed(t *testing.T) {
	dir, w := written(t, nil)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := session.Open(t.Context(), &guard.Guard{}, dir, true); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %v", err)
	}
}

func TestADetailIsAllThatIsStoredOfATask(t *testing.T) {
	events := fixture.PROPEL()
	dir, w := written(t, events)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, false)
	until(t, "the end", func() bool { return s.Status().State == session.Done })
	for i := range s.Board().Tasks.Len() {
		task := s.Board().Tasks.At(i)
		if task.Key.Stage != event.Eval || !task.Valid {
			continue
		}
		d, err := s.Detail(task.Key)
		if err != nil {
			t.Fatal(err)
		}
		if d.Validated == nil || d.Validated.Task.Statement != task.Statement || len(d.Attempts) != task.Attempts() || d.Proposal.Key != task.Key {
			t.Fatalf("%s: %+v", task.Key, d)
		}
		for i, name := range []string{"TaskProposed", "TaskValidated", "AttemptGraded"} {
			if i >= len(d.Stamps) || d.Stamps[i].Event != name || time.Since(d.Stamps[i].First) > time.Hour || d.Stamps[i].Last.Before(d.Stamps[i].First) {
				t.Fatalf("%s: stamps %+v", task.Key, d.Stamps)
			}
		}
		return
	}
}
