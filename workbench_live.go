package main

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"verge/profiles"
	"verge/runner"
	"verge/runner/event"
	"verge/runner/lab"
	"verge/runner/report"
	"verge/runner/store"
	"verge/tui/board"
	"verge/tui/guard"
	"verge/tui/session"
)

// live is a run that this process carries out, as the workbench shows and steers it. It implements session.Session.
type live struct {
	board   board.Board
	control runner.Control
	meter   lab.Meter
	cancel  context.CancelFunc
	began   time.Time
	before  time.Duration // that a resumed run has taken already
	profile *profiles.Profile
	done    chan struct{} // closed when the run has ended and its store is closed

	mu       sync.Mutex
	dir      string
	stopping bool
	ended    time.Time
	err      error
	summary  *report.Summary
	broken   error // an event that the board could not take

	reading sync.Mutex // another one: a look at the database may wait for its writer, and mu must not
	reader  *store.Reader
}

// errBroke is the error of a run that panicked, which leaves none.
var errBroke = errors.New("the run broke")

// startLive begins a run, or goes on with one, and returns when it has a folder, or the error for which it has none.
func startLive(ctx context.Context, g *guard.Guard, o runner.Options) (*live, error) {
	ctx, cancel := context.WithCancel(ctx)
	l := &live{cancel: cancel, began: time.Now(), done: make(chan struct{}), profile: o.Profile, err: errBroke}
	if o.Resume != "" {
		if r, err := store.Open(o.Resume); err == nil {
			l.before, _ = r.Wall() // runner.Run tells why a run cannot be read
			r.Close()
		}
	}
	started := make(chan struct{})
	o.Control, o.Meter, o.Observe = &l.control, &l.meter, l.observe
	o.Started = func(dir string) {
		l.mu.Lock()
		l.dir = dir
		l.mu.Unlock()
		close(started)
	}
	g.Go("the run", func() {
		defer close(l.done)
		defer cancel()
		summary, err := runner.Run(ctx, o)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.summary, l.err, l.ended = summary, err, time.Now()
	})
	select {
	case <-started:
		return l, nil
	case <-l.done:
	}
	select {
	case <-started: // it was short
		return l, nil
	default:
		return nil, l.err
	}
}

func (l *live) observe(e event.Event) {
	if err := l.board.Apply(e); err != nil {
		l.mu.Lock()
		l.broken = errors.Join(l.broken, err)
		l.mu.Unlock()
	}
}

// running says that the run is still carried out.
func (l *live) running() bool {
	select {
	case <-l.done:
		return false
	default:
		return true
	}
}

// stop ends the run where it is and waits until its store is closed.
func (l *live) stop() {
	l.cancel()
	<-l.done
	l.reading.Lock()
	defer l.reading.Unlock()
	if l.reader != nil {
		l.reader.Close()
		l.reader = nil
	}
}

// Board implements session.Session.
func (l *live) Board() *board.Snapshot { return l.board.Snapshot() }

// Status implements session.Session.
func (l *live) Status() session.Status {
	reading := l.meter.Read()
	running := l.running()
	l.mu.Lock()
	defer l.mu.Unlock()
	s := session.Status{Run: filepath.Base(l.dir), Dir: l.dir, State: session.Running}
	now := time.Now()
	switch {
	case running && l.stopping:
		s.State = session.Stopping
	case running && l.control.Paused():
		s.State = session.Paused
	case running:
	case l.err == nil:
		s.State = session.Done
	case errors.Is(l.err, context.Canceled):
		s.State = session.Interrupted
	case store.Full(l.err):
		s.State, s.Error = session.Interrupted, l.err.Error()
	default:
		s.State, s.Error = session.Failed, l.err.Error()
	}
	if l.broken != nil && s.Error == "" {
		s.Error = l.broken.Error()
	}
	if !running {
		now = l.ended
	}
	// Whole seconds, so that what is drawn from a status changes no more often.
	s.Progress.Elapsed = (l.before + now.Sub(l.began) - l.control.Held(l.began)).Truncate(time.Second)
	if running && reading.Stages > 0 {
		s.Progress = progressOf(reading, now.Sub(reading.Began)-l.control.Held(reading.Began), s.Progress.Elapsed)
	}
	return s
}

// progressOf is a stage's progress; spent is the time it has had, and elapsed the run's.
func progressOf(r lab.Reading, spent, elapsed time.Duration) session.Progress {
	p := session.Progress{Arm: r.Arm, Stage: r.Stage, Unit: r.Unit, Done: r.Done, Total: r.Total, Elapsed: elapsed}
	if spent <= 0 {
		return p
	}
	p.Tokens = float64(int(float64(r.Tokens) / spent.Seconds()))
	if r.Done > 0 && r.Done < r.Total {
		p.Left = time.Duration(float64(spent) / float64(r.Done) * float64(r.Total-r.Done)).Truncate(time.Second)
	}
	return p
}

// Control implements session.Session.
func (l *live) Control() session.Control { return l }

// Refusal implements session.Control.
func (l *live) Refusal(a session.Action) string {
	switch {
	case !l.running() && (errors.Is(l.err, context.Canceled) || store.Full(l.err)):
		return "the run was stopped; resume it from the list of runs"
	case !l.running():
		return "the run has ended; replay it from the list of runs"
	case a == session.Seek || a == session.Speed:
		return "a run that is carried out has no recording to move in; replay it when it has ended"
	}
	return ""
}

// Do implements session.Control.
func (l *live) Do(a session.Action, _ float64) {
	switch a {
	case session.Pause:
		l.control.Pause()
	case session.Resume:
		l.control.Resume()
	case session.StepProposal:
		l.control.StepProposal()
	case session.StepUpdate:
		l.control.StepUpdate()
	case session.Stop:
		l.mu.Lock()
		l.stopping = true
		l.mu.Unlock()
		l.cancel()
	}
}

// Guide implements session.Guided.
func (l *live) Guide(passes func(event.Event) bool) { l.control.Guide(passes) }

// Detail implements session.Session.
func (l *live) Detail(k event.Key) (session.Detail, error) {
	l.reading.Lock()
	defer l.reading.Unlock()
	if l.reader == nil {
		r, err := store.Open(l.dir)
		if err != nil {
			return session.Detail{}, err
		}
		l.reader = r
	}
	return session.Read(l.reader, k)
}
