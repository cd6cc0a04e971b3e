package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"verge/profiles"
	"verge/runner"
	"verge/runner/sweep"
	"verge/tui/figure"
	"verge/tui/guard"
	"verge/tui/screen"
	"verge/tui/session"
)

// launcher starts what the workbench asks for. It implements screen.Launcher.
type launcher struct {
	ctx   context.Context
	guard *guard.Guard
	out   string

	estimator sweep.Estimator

	// mu is held for moments alone, never while files are read: the screen asks what goes on.
	mu     sync.Mutex
	runs   []*live
	stored []*session.Stored     // that were looked at, the last one last
	replay *session.Stored       // the last that was opened
	sweeps map[string]*liveSweep // by folder
}

// mostStored is how many stored runs are kept open: more than the screens in a stack show.
const mostStored = 8

// Cost implements screen.Launcher. The runs of sweeps tell of it too.
func (l *launcher) Cost(p *profiles.Profile) figure.Cost {
	folders := []string{l.out}
	if sweeps, err := sweep.List(l.out); err == nil { // home says why they cannot be listed
		folders = append(folders, sweeps...)
	}
	most, _ := runner.Cost(p)
	about := l.estimator.Estimate(p, folders...)
	return figure.Cost{Attempts: about.Attempts, Answers: most.Answers, Time: about.Time, Runs: about.Runs}
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
	if s := l.seen(dir); s != nil && !replay {
		return s, nil
	}
	s, err := session.Open(l.ctx, l.guard, dir, replay)
	if err != nil {
		return nil, err
	}
	if old := l.keep(s, replay); old != nil {
		old.Close()
	}
	return s, nil
}

// seen is the stored run of a folder that was looked at before, or nil.
func (l *launcher) seen(dir string) *session.Stored {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, s := range l.stored {
		if s.Status().Dir == dir {
			l.stored = append(slices.Delete(l.stored, i, i+1), s)
			return s
		}
	}
	return nil
}

// keep keeps a stored run open, and returns the one that it takes the place of, or nil.
func (l *launcher) keep(s *session.Stored, replay bool) (old *session.Stored) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if replay {
		old, l.replay = l.replay, s
		return old
	}
	if l.stored = append(l.stored, s); len(l.stored) > mostStored {
		old, l.stored = l.stored[0], l.stored[1:]
	}
	return old
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

// Standing implements screen.Launcher.
func (l *launcher) Standing() []screen.Standing {
	var out []screen.Standing
	for _, r := range l.live() {
		status := r.Status()
		out = append(out, screen.Standing{Dir: status.Dir, State: status.State, Progress: status.Progress, Away: r.Board().Backend.Away})
	}
	return out
}

// unattended are those that go on when nobody can watch them any more.
func (l *launcher) unattended() []*live {
	return slices.DeleteFunc(l.live(), func(r *live) bool { return r.profile.Run.OnHangup != profiles.Continue })
}

// goOnAlone lets those go on, paused or not, and waits for their end; all else is stopped.
func (l *launcher) goOnAlone() {
	alone := l.unattended()
	for _, r := range l.live() {
		if slices.Contains(alone, r) {
			r.control.Resume()
		} else {
			r.cancel()
		}
	}
	l.mu.Lock()
	sweeps := slices.Collect(maps.Values(l.sweeps))
	l.mu.Unlock()
	for _, s := range sweeps {
		s.stop()
	}
	for _, r := range alone {
		<-r.done
	}
}

// goesOn are the folders of the runs and sweeps that this process carries out.
func (l *launcher) goesOn() []string {
	var out []string
	for _, r := range l.live() {
		out = append(out, r.Status().Dir)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, dir := range slices.Sorted(maps.Keys(l.sweeps)) {
		if l.sweeps[dir].running() {
			out = append(out, dir)
		}
	}
	return out
}

// stop ends everything that was started, and waits for it. It returns the folders of what was interrupted.
func (l *launcher) stop() (runs, sweeps []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.runs {
		r.stop()
		if errors.Is(r.err, context.Canceled) {
			runs = append(runs, r.dir)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(l.sweeps)) {
		l.sweeps[dir].stop()
		if errors.Is(l.sweeps[dir].ended(), context.Canceled) {
			sweeps = append(sweeps, dir)
		}
	}
	for _, s := range l.stored {
		s.Close()
	}
	if l.replay != nil {
		l.replay.Close()
	}
	return runs, sweeps
}
