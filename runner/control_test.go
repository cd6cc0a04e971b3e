package runner_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"verge/profiles"
	"verge/runner"
	"verge/runner/event"
	"verge/runner/lab"
)

// small is a run of a second: two arms, a few updates.
func small(t *testing.T) *profiles.Profile {
	t.Helper()
	p, err := profiles.Load("quick", []string{"corpus.proposals=512", "evaluation.proposals=32", "policy.steps=3", "policy.warmup_steps=1", "probe.rvp_samples=8", "diversity.sample=16"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// held carries out a small run under a control, and returns where its events arrive.
func held(t *testing.T, c *runner.Control) (events <-chan event.Event, cancel func(), done <-chan error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	seen := make(chan event.Event, 1<<16)
	ended := make(chan error, 1)
	o := runner.Options{Profile: small(t), Out: t.TempDir(), Meter: &lab.Meter{}, Control: c, Observe: func(e event.Event) { seen <- e }}
	go func() {
		_, err := runner.Run(ctx, o)
		close(seen)
		ended <- err
	}()
	return seen, stop, ended
}

func next(t *testing.T, events <-chan event.Event) event.Event {
	t.Helper()
	select {
	case e, ok := <-events:
		if !ok {
			t.Fatal("the run has ended")
		}
		return e
	case <-time.After(time.Minute):
		t.Fatal("no event comes")
	}
	return nil
}

func nothing(t *testing.T, events <-chan event.Event) {
	t.Helper()
	select {
	case e := <-events:
		t.Errorf("%s came from a held run", e.Name())
	case <-time.After(50 * time.Millisecond):
	}
}

func TestAHeldRunGoesOnStepByStep(t *testing.T) {
	c := &runner.Control{}
	c.Pause()
	events, stop, done := held(t, c)
	defer stop()
	nothing(t, events)
	c.StepProposal()
	if e := next(t, events); e.Name() != "RunStarted" {
		t.Fatalf("first comes %s", e.Name())
	}
	nothing(t, events)
	c.StepProposal()
	next(t, events) // StageStarted
	c.StepProposal()
	proposed := next(t, events).(event.TaskProposed)
	validated := next(t, events).(event.TaskValidated)
	if proposed.Key != validated.Key {
		t.Errorf("a step brought %s and %s", proposed.Key, validated.Key)
	}
	nothing(t, events)
	// To the end of the stage, and to the end of an update.
	c.StepUpdate()
	for {
		e := next(t, events)
		if _, ok := e.(event.AttemptGraded); ok {
			break
		}
	}
	c.Guide(func(e event.Event) bool { _, ok := e.(event.PolicyUpdated); return !ok })
	var last event.Event
	for {
		if last = next(t, events); last.Name() == "DiversityMeasured" && last.(event.DiversityMeasured).Stage == event.Train {
			break
		}
	}
	nothing(t, events)
	c.StepUpdate()
	if e, ok := next(t, events).(event.PolicyUpdated); !ok || e.Step != 1 {
		t.Errorf("a step to the end of the update brought %#v", e)
	}
	nothing(t, events)
	c.Resume()
	for e := range events {
		last = e
	}
	if last.Name() != "RunEnded" {
		t.Errorf("last comes %s", last.Name())
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestAHeldRunCanBeStopped(t *testing.T) {
	c := &runner.Control{}
	c.Pause()
	events, stop, done := held(t, c)
	nothing(t, events)
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("a stopped run ends with %v", err)
	}
}

func TestHowLongARunIsHeldIsKnown(t *testing.T) {
	began := time.Now()
	c := &runner.Control{}
	c.Pause()
	events, stop, done := held(t, c)
	defer stop()
	nothing(t, events)
	for c.Held(began) == 0 {
		time.Sleep(time.Millisecond)
	}
	c.Resume()
	next(t, events)
	resumed := time.Now()
	for range events {
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	before := c.Held(began)
	if before <= 0 || before > resumed.Sub(began) || c.Held(began) != before {
		t.Errorf("held for %v of the %v before it was let go on", before, resumed.Sub(began))
	}
	if after := c.Held(resumed); after != 0 {
		t.Errorf("held for %v after it was let go on", after)
	}
}
