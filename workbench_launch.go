package main

import (
	"context"
	"slices"
	"sync"
	"time"

	"verge/profiles"
	"verge/runner"
	"verge/runner/sweep"
	"verge/tui/guard"
	"verge/tui/session"
)

// launcher starts what the workbench asks for. It implements screen.Launcher.
type launcher struct {
	ctx   context.Context
	guard *guard.Guard
	out   string

	mu     sync.Mutex
	runs   []*live
	stored map[string]*session.Stored // by folder
	replay *session.Stored            // the last that was opened
	sweeps map[string]*liveSweep      // by folder
}

// Cost implements screen.Launcher.
func (l *launcher) Cost(p *profiles.Profile) (int, time.Duration) {
	return sweep.Estimate(p, l.out)
}

// Start implements screen.Launcher.
func (l *launcher) Start(p *profiles.Profile) (session.Session, error) {
	return l.carryOut(runner.Options{Profile: p, Out: l.out})
}

// Resume implements screen.Launcher.
func (l *launcher) Resume(dir string) (session.Session, error) {
	p, err := runner.StoredProfile(dir)
	if err != nil {
		return nil, err
	}
	return l.carryOut(runner.Options{Profile: p, Resume: dir})
}

func (l *launcher) carryOut(o runner.Options) (session.Session, error) {
	r, err := startLive(l.ctx, l.guard, o)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.runs = append(l.runs, r)
	return r, nil
}

// Watch implements screen.Launcher. A run is read once, however often it is looked at; a replay ends the one before it.
func (l *launcher) Watch(dir string, replay bool) (session.Session, error) {
	if r := l.own(dir); r != nil && !replay {
		return r, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.stored[dir]; s != nil && !replay {
		return s, nil
	}
	s, err := session.Open(l.ctx, l.guard, dir, replay)
	if err != nil {
		return nil, err
	}
	if replay {
		if l.replay != nil {
			l.replay.Close()
		}
		l.replay = s
		return s, nil
	}
	if l.stored == nil {
		l.stored = map[string]*session.Stored{}
	}
	l.stored[dir] = s
	return s, nil
}

// own is the run of a folder that this process carries out, or nil.
func (l *launcher) own(dir string) *live {
	for _, r := range l.live() {
		if r.Status().Dir == dir {
			return r
		}
	}
	return nil
}

// live are the runs that go on.
func (l *launcher) live() []*live {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []*live
	for _, r := range l.runs {
		if r.running() {
			out = append(out, r)
		}
	}
	return out
}

// unattended are those that go on when nobody can watch them any more.
func (l *launcher) unattended() []*live {
	return slices.DeleteFunc(l.live(), func(r *live) bool { return r.profile.Run.OnHangup != profiles.Continue })
}

// running are the live ones, as the workbench asks of them.
func (l *launcher) running() []session.Session {
	var out []session.Session
	for _, r := range l.live() {
		out = append(out, r)
	}
	return out
}

// stop ends everything that was started, and waits for it.
func (l *launcher) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.runs {
		r.stop()
	}
	for _, s := range l.sweeps {
		s.mu.Lock()
		cancel, done := s.cancel, s.done
		s.mu.Unlock()
		if cancel != nil {
			cancel()
			<-done
		}
	}
	for _, s := range l.stored {
		s.Close()
	}
	if l.replay != nil {
		l.replay.Close()
	}
}
