package session

import (
	"context"
	"iter"
	"sync"
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
	frames *frames
	next   func() (store.Record, error, bool)
	stop   func()
}

// frames are snapshots to jump to, by the events folded. They are safe for concurrent use.
type frames struct {
	apart int

	mu sync.Mutex
	at map[int]*board.Snapshot
}

func newFrames(total int) *frames {
	return &frames{apart: max(1, total/keyframes), at: map[int]*board.Snapshot{0: (&board.Board{}).Snapshot()}}
}

// add keeps the snapshot of a board after n events, where one is to be kept and none is yet.
func (f *frames) add(n int, b *board.Board) {
	if n%f.apart != 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.at[n] == nil {
		f.at[n] = b.Snapshot()
	}
}

// before is a snapshot of no more than a keyframe's distance before an event, or nil.
func (f *frames) before(n int) *board.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at[n-n%f.apart]
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
	t.frames.add(t.at, t.board)
	return record.Event, nil
}

// play carries a replay: its head moves by itself at some speed, or to where it is sent.
func (s *Stored) play(ctx context.Context) error {
	t := &tape{reader: s.reader, total: s.Status().Replay.Events, frames: s.frames}
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
				due += max(0, now.Sub(last).Seconds()) * s.status.Replay.Speed
			}
			s.mu.Unlock()
			last = now
		}
		sent, err := s.seek(ctx, t)
		if err != nil {
			return err
		}
		stepped, err := s.stepOn(ctx, t)
		if err != nil {
			return err
		}
		if sent || stepped { // what that took is no time of the recording
			last, due = time.Now(), 0
		}
		if due, err = t.run(due); err != nil {
			return err
		}
		s.show(t)
	}
}

// run folds events that are due, for no longer than a frame, and returns how many are due still: none where the speed that is asked for
// cannot be had.
func (t *tape) run(due float64) (float64, error) {
	const look = 100 // events between two looks at the clock
	began := time.Now()
	for n := 1; due >= 1; n++ {
		if t.at >= t.total || n%look == 0 && time.Since(began) > frame {
			return 0, nil
		}
		if _, err := t.advance(); err != nil {
			return 0, err
		}
		due--
	}
	return due, nil
}

func (s *Stored) show(t *tape) {
	snapshot := t.board.Snapshot()
	s.change(func() {
		if s.target >= 0 { // what was asked for is shown already
			return
		}
		s.board = snapshot
		s.status.Replay.At, s.status.Replay.Events = t.at, t.total
		s.status.State = s.playing()
	})
}

// playing is the state of a replay. The caller holds mu.
func (s *Stored) playing() State {
	if s.paused {
		return Paused
	}
	return Replaying
}

// seek goes to the event that was asked for, if one was. Where there was no keyframe before it to show at once, it shows how far it has come.
func (s *Stored) seek(ctx context.Context, t *tape) (sent bool, err error) {
	s.mu.Lock()
	target := min(s.target, t.total)
	s.target = -1
	s.mu.Unlock()
	if target < 0 {
		return false, nil
	}
	f := t.frames.before(target)
	if target < t.at {
		t.rewind()
	}
	if t.at == target {
		return true, nil
	}
	elsewhere := func() bool { return s.target >= 0 } // a step is one from the event that was asked for
	return true, s.forward(ctx, t, f == nil, elsewhere, func(event.Event) bool { return t.at == target })
}

// send sends a replay to an event. It answers at once however far that is, by the keyframe before it, if there is one. The caller holds mu.
func (s *Stored) send(target int) {
	s.target = target
	if f := s.frames.before(target); f != nil {
		s.board, s.status.Replay.At = f, target
	}
}

// stepOn goes on to the end of a step that was asked for, if one was.
func (s *Stored) stepOn(ctx context.Context, t *tape) (stepped bool, err error) {
	s.mu.Lock()
	step := s.step
	s.step = ""
	s.mu.Unlock()
	if step == "" {
		return false, nil
	}
	more := func() bool { return s.target >= 0 || s.step != "" }
	return true, s.forward(ctx, t, true, more, func(e event.Event) bool {
		switch e.(type) {
		case event.PolicyUpdated, event.StageStarted:
			return step == StepUpdate
		case event.TaskValidated, event.AttemptGraded:
			return step == StepProposal
		}
		return false
	})
}

// forward folds events up to one that is there, or until it is given up for what was asked since, which givenUp tells with mu held. If shows, it
// shows how far it has come.
func (s *Stored) forward(ctx context.Context, t *tape, shows bool, givenUp func() bool, there func(event.Event) bool) error {
	for shown := time.Now(); t.at < t.total; {
		e, err := t.advance()
		if err != nil || e == nil || there(e) {
			return err
		}
		const glance = 250 // events between two looks at what is asked
		if t.at%glance != 0 {
			continue
		}
		s.mu.Lock()
		over := givenUp()
		s.mu.Unlock()
		if over || ctx.Err() != nil {
			return ctx.Err()
		}
		if shows && time.Since(shown) > frame {
			s.show(t)
			shown = time.Now()
		}
	}
	return nil
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
				s.send(0) // from the start again
			}
		case StepProposal, StepUpdate:
			s.paused, s.step = true, a
		case Seek:
			s.send(max(0, min(int(n), s.status.Replay.Events)))
		case Speed:
			s.status.Replay.Speed = min(1e6, max(1, s.status.Replay.Speed*n))
		}
		s.status.State = s.playing() // seen at once, also while it is on its way to an event
	})
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
