package runner

import (
	"context"
	"sync"
	"time"

	"verge/runner/event"
)

// Control pauses a run and lets it go on a little at a time. It holds the run where its events are stored, so that what is shown and what
// is stored never differ; a batch of samples that is under way when the run is paused is finished first. Its zero value lets everything
// through; it is safe for concurrent use.
type Control struct {
	mu     sync.Mutex
	mode   mode
	fresh  bool      // nothing has come since the mode was set
	unit   event.Key // that passes, in mode oneUnit
	keyed  bool      // unit is a proposal
	guide  func(event.Event) bool
	change chan struct{} // closed when the mode changes; nil while the run is not held
	from   time.Time     // that the run is held, else zero
	holds  []hold        // that are over
}

// hold is a time in which the run was held.
type hold struct{ from, to time.Time }

type mode int

const (
	going    mode = iota
	held          // nothing passes
	oneUnit       // an event passes, with all that belong to the same proposal
	toUpdate      // all passes to the end of an update or a stage
	guided        // Control.guide says
)

// Pause holds the run before its next event.
func (c *Control) Pause() { c.set(held) }

// Resume lets it go on.
func (c *Control) Resume() { c.set(going) }

// StepProposal lets the next proposal through with all that belongs to it: its validation and score, or its attempts.
func (c *Control) StepProposal() { c.set(oneUnit) }

// StepUpdate lets the run go on to the end of an update of a policy, or of a stage.
func (c *Control) StepUpdate() { c.set(toUpdate) }

// Guide holds the run before the first event that passes refuses, until the run is told otherwise. passes is asked on the run's goroutine, and
// again of the same event whenever it is set.
func (c *Control) Guide(passes func(event.Event) bool) {
	c.mu.Lock()
	c.guide = passes
	c.mu.Unlock()
	c.set(guided)
}

// Paused says that the run is held, or, after Pause, will be before its next event. A run that is stepped or led is so only while it is held.
func (c *Control) Paused() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.change != nil || c.mode == held
}

// Held is how long the run has been held since an instant: time in which nothing is done.
func (c *Control) Held(since time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	holds := c.holds
	if !c.from.IsZero() {
		holds = append(holds[:len(holds):len(holds)], hold{c.from, time.Now()})
	}
	var sum time.Duration
	for _, h := range holds {
		if h.from.Before(since) {
			h.from = since
		}
		sum += max(0, h.to.Sub(h.from))
	}
	return sum
}

// begin and end note that the run is held, and that it is not any more.
func (c *Control) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.from = time.Now()
}

func (c *Control) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holds, c.from = append(c.holds, hold{c.from, time.Now()}), time.Time{}
}

func (c *Control) set(m mode) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mode, c.fresh = m, true
	if c.change != nil {
		close(c.change)
		c.change = nil
	}
}

// passes says whether an event may happen now, and if not, what is closed when that may have changed.
func (c *Control) passes(e event.Event) (bool, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fresh := c.fresh
	c.fresh = false
	switch c.mode {
	case going:
		return true, nil
	case guided:
		if c.guide(e) {
			return true, nil
		}
	case oneUnit:
		key, keyed := keyOf(e)
		if fresh {
			c.unit, c.keyed = key, keyed
		}
		if fresh || keyed && c.keyed && key == c.unit {
			return true, nil
		}
		c.mode = held
	case toUpdate:
		_, update := e.(event.PolicyUpdated)
		_, stage := e.(event.StageStarted)
		if update || stage && !fresh {
			c.mode = held
		}
		if fresh || !stage {
			return true, nil
		}
	}
	if c.change == nil {
		c.change = make(chan struct{})
	}
	return false, c.change
}

// wait blocks until an event may happen; the end of a run always may. keep, called before it blocks, brings what happened before into
// the store.
func (c *Control) wait(ctx context.Context, e event.Event, keep func() error) error {
	if _, ended := e.(event.RunEnded); ended {
		return nil
	}
	for {
		passes, changed := c.passes(e)
		if passes {
			return nil
		}
		if err := keep(); err != nil {
			return err
		}
		c.begin()
		select {
		case <-ctx.Done():
		case <-changed:
		}
		c.end()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// keyOf is the proposal that an event belongs to; false where it belongs to none.
func keyOf(e event.Event) (event.Key, bool) {
	switch e := e.(type) {
	case event.TaskProposed:
		return e.Key, true
	case event.TaskValidated:
		return e.Key, true
	case event.ProbeScored:
		return e.Key, true
	case event.AttemptGraded:
		return e.Key, true
	}
	return event.Key{}, false
}
