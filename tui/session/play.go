package session

import (
	"context"
	"iter"
	"time"

	"verge/runner/event"
	"verge/runner/store"
	"verge/tui/board"
)

// keyframes is the number of snapshots that a replay keeps to jump to, spread evenly.
const keyframes = 100

// playTime is how long a replay takes at its first speed, which is slowest at the least, in events a second.
const (
	playTime = 60 * time.Second
	slowest  = 10.0
)

const frame = 50 * time.Millisecond

// tape is a run's events under the head of a replay.
type tape struct {
	reader *store.Reader
	total  int
	at     int // events folded
	board  *board.Board
	frames map[int]*board.Snapshot // by the events folded
	next   func() (store.Record, error, bool)
	stop   func()
}

func (t *tape) rewind() {
	if t.stop != nil {
		t.stop()
	}
	t.at, t.board = 0, &board.Board{}
	t.next, t.stop = iter.Pull2(t.reader.Events(1))
}

// advance folds one more event; nil at the end.
func (t *tape) advance() (event.Event, error) {
	record, err, ok := t.next()
	if !ok {
		t.total = t.at
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := t.board.Apply(record.Event); err != nil {
		return nil, err
	}
	t.at++
	if every := max(1, t.total/keyframes); t.at%every == 0 && t.frames[t.at] == nil {
		t.frames[t.at] = t.board.Snapshot()
	}
	return record.Event, nil
}

// nearest is the last keyframe at or before an event, or nil.
func (t *tape) nearest(at int) *board.Snapshot {
	every := max(1, t.total/keyframes)
	for at -= at % every; at > 0; at -= every {
		if f := t.frames[at]; f != nil {
			return f
		}
	}
	return nil
}

// play carries a replay: its head moves by itself at some speed, or to where it is sent.
func (s *Stored) play(ctx context.Context) error {
	t := &tape{reader: s.reader, total: s.Status().Replay.Events, frames: map[int]*board.Snapshot{}}
	t.rewind()
	defer func() { t.stop() }()
	ticker := time.NewTicker(frame)
	defer ticker.Stop()
	last, due := time.Now(), 0.0
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.wake:
		case now := <-ticker.C:
			s.mu.Lock()
			if !s.paused && s.step == "" {
				due += now.Sub(last).Seconds() * s.status.Replay.Speed
			}
			s.mu.Unlock()
			last = now
		}
		if err := s.seek(ctx, t); err != nil {
			return err
		}
		if err := s.stepOn(ctx, t); err != nil {
			return err
		}
		for ; due >= 1 && t.at < t.total; due-- {
			if _, err := t.advance(); err != nil {
				return err
			}
		}
		if t.at >= t.total {
			due = 0
		}
		s.show(t)
	}
}

func (s *Stored) show(t *tape) {
	snapshot := t.board.Snapshot()
	s.change(func() {
		s.board = snapshot
		s.status.Replay.At, s.status.Replay.Events = t.at, t.total
		s.status.State = Replaying
		if s.paused {
			s.status.State = Paused
		}
	})
}

// seek goes to the event that was asked for, if one was. The nearest keyframe is shown at once, so that a jump answers however far it is.
func (s *Stored) seek(ctx context.Context, t *tape) error {
	s.mu.Lock()
	target := min(s.target, t.total)
	s.target = -1
	s.mu.Unlock()
	if target < 0 {
		return nil
	}
	if f := t.nearest(target); f != nil {
		s.change(func() { s.board, s.status.Replay.At = f, target })
	}
	if target < t.at {
		t.rewind()
	}
	for t.at < target {
		e, err := t.advance()
		if err != nil || e == nil {
			return err
		}
		if t.at%batch != 0 {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.mu.Lock()
		again := s.target >= 0
		s.mu.Unlock()
		if again {
			return s.seek(ctx, t)
		}
	}
	return nil
}

// stepOn goes on to the end of a step that was asked for.
func (s *Stored) stepOn(ctx context.Context, t *tape) error {
	s.mu.Lock()
	step := s.step
	s.step = ""
	s.mu.Unlock()
	if step == "" {
		return nil
	}
	for t.at < t.total && ctx.Err() == nil {
		e, err := t.advance()
		if err != nil || e == nil {
			return err
		}
		switch e.(type) {
		case event.PolicyUpdated, event.StageStarted:
			if step == StepUpdate {
				return nil
			}
		case event.TaskValidated, event.AttemptGraded:
			if step == StepProposal {
				return nil
			}
		}
	}
	return ctx.Err()
}

// Refusal implements Control.
func (s *Stored) Refusal(a Action) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.status.Replay.Events > 0 {
		switch {
		case a == Stop:
			return "a replay is left with Esc; there is nothing to stop"
		case a == Resume || a == Pause || a == Seek || a == Speed:
			return ""
		case s.status.Replay.At >= s.status.Replay.Events:
			return "the recording is at its end"
		}
		return ""
	}
	switch s.status.State {
	case Watching:
		return "another process carries out this run; it is steered there"
	case Interrupted:
		return "the run is interrupted; resume it from the list of runs"
	case Loading:
		return "the run is still being read"
	}
	return "the run has ended; replay it from the list of runs"
}

// Do implements Control.
func (s *Stored) Do(a Action, n float64) {
	if s.Refusal(a) != "" {
		return
	}
	s.change(func() {
		switch a {
		case Pause:
			s.paused = true
		case Resume:
			s.paused = false
			if s.status.Replay.At >= s.status.Replay.Events {
				s.target = 0 // from the start again
			}
		case StepProposal, StepUpdate:
			s.paused, s.step = true, a
		case Seek:
			s.target = max(0, int(n))
		case Speed:
			s.status.Replay.Speed = min(1e6, max(1, s.status.Replay.Speed*n))
		}
	})
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
