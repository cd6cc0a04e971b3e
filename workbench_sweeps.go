package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"verge/profiles"
	"verge/runner/lab"
	"verge/runner/report"
	"verge/runner/store"
	"verge/runner/sweep"
	"verge/tui/screen"
)

// liveSweep is a sweep as the workbench looks at it, and, while this process runs its cells, what ends that.
type liveSweep struct {
	info screen.SweepInfo

	looking sync.Mutex
	seen    *sweep.Sweep // for looking alone: its cells' summaries are read once

	mu     sync.Mutex
	cancel context.CancelFunc // nil while this process does not run it
	done   chan struct{}      // closed when it has stopped running it
	err    error              // why it ended
}

// running says that this process runs the sweep's cells.
func (s *liveSweep) running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cancel != nil
}

// ended is why this process does not run the sweep any more; nil where it went to its end, or never ran.
func (s *liveSweep) ended() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// stop ends running the sweep's cells, if this process does, and waits for it.
func (s *liveSweep) stop() {
	s.mu.Lock()
	cancel, done := s.cancel, s.done
	s.mu.Unlock()
	if cancel != nil {
		cancel()
		<-done
	}
}

// Sweeps implements screen.Launcher.
func (l *launcher) Sweeps() ([]screen.SweepInfo, error) {
	dirs, err := sweep.List(l.out)
	if err != nil {
		return nil, err
	}
	var out []screen.SweepInfo
	for _, dir := range dirs {
		s, err := l.Sweep(dir)
		if err != nil {
			s.SweepInfo = screen.SweepInfo{Dir: dir, Name: filepath.Base(dir), Problem: err.Error()}
		}
		out = append(out, s.SweepInfo)
	}
	return out, nil
}

// Sweep implements screen.Launcher.
func (l *launcher) Sweep(dir string) (screen.SweepState, error) {
	s, err := l.sweep(dir)
	if err != nil {
		return screen.SweepState{}, err
	}
	s.looking.Lock()
	defer s.looking.Unlock()
	if _, err := s.seen.Look(); err != nil {
		return screen.SweepState{}, err
	}
	result, err := s.seen.Result()
	if err != nil {
		return screen.SweepState{}, err
	}
	return s.state(result), nil
}

func (s *liveSweep) state(r report.Sweep) screen.SweepState {
	out := screen.SweepState{SweepInfo: s.info, Arms: s.seen.Cells[0].Profile.Run.Arms}
	out.Running = s.running()
	for _, a := range r.Axes {
		out.Axes = append(out.Axes, a.Key)
	}
	for i, c := range r.Cells {
		cell := screen.SweepCell{Seed: c.Seed, State: string(c.State), Error: c.Error, Run: s.seen.Cells[i].Dir, Figures: map[string]screen.SweepFigure{}}
		for _, setting := range c.Settings {
			cell.Values = append(cell.Values, report.ValueText(setting.Value))
		}
		for _, a := range c.Arms {
			cell.Figures[a.Name] = screen.SweepFigure{InBand: a.InBand, InBandGivenValid: a.InBandGivenValid, Valid: a.Valid}
		}
		out.Cells = append(out.Cells, cell)
		switch c.State {
		case store.Done:
			out.Done++
		case store.Failed:
			out.Failed++
		case store.Running:
			out.Running = true
		}
	}
	out.SweepInfo.Cells = len(out.Cells)
	out.Headline, out.Figure = r.Headline(), r.Figure()
	if err := s.ended(); err != nil && !errors.Is(err, context.Canceled) {
		out.Stopped = err.Error()
	}
	return out
}

// sweep is the sweep of a folder, opened once.
func (l *launcher) sweep(dir string) (*liveSweep, error) {
	l.mu.Lock()
	s := l.sweeps[dir]
	l.mu.Unlock()
	if s != nil {
		return s, nil
	}
	seen, created, err := sweep.Open(dir)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.sweeps[dir]; s != nil { // opened meanwhile
		return s, nil
	}
	s = &liveSweep{seen: seen, info: screen.SweepInfo{Dir: dir, Name: seen.Name, Profile: seen.Name, Recipe: seen.Cells[0].Profile.Run.Recipe, Started: created}}
	if l.sweeps == nil {
		l.sweeps = map[string]*liveSweep{}
	}
	l.sweeps[dir] = s
	return s, nil
}

// StartSweep implements screen.Launcher.
func (l *launcher) StartSweep(p *profiles.Profile) (string, error) {
	s, err := sweep.New(l.out, p)
	if err != nil {
		return "", err
	}
	if err := s.Keep(); err != nil {
		return "", err
	}
	l.mu.Lock()
	if known := l.sweeps[s.Dir]; known != nil && !known.running() {
		delete(l.sweeps, s.Dir) // its grid may be another now
	}
	l.mu.Unlock()
	return s.Dir, l.goOn(s.Dir, func() (*sweep.Sweep, error) { return s, nil })
}

// GoOn implements screen.Launcher.
func (l *launcher) GoOn(dir string) error {
	return l.goOn(dir, func() (*sweep.Sweep, error) {
		s, _, err := sweep.Open(dir)
		if err == nil {
			err = s.Check()
		}
		return s, err
	})
}

// goOn runs the cells of a sweep that are not done, unless this process does so already.
func (l *launcher) goOn(dir string, open func() (*sweep.Sweep, error)) error {
	s, err := l.sweep(dir)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		return errors.New("the sweep goes on already")
	}
	run, err := open()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(l.ctx)
	s.cancel, s.done, s.err = cancel, make(chan struct{}), nil
	l.guard.Go("the sweep "+run.Name, func() {
		defer close(s.done)
		defer cancel()
		failed := &lastFailed{}
		err := run.Run(ctx, 1, failed)
		if err == nil {
			err = failed.err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.cancel, s.err = nil, err
	})
	return nil
}

// StopSweep implements screen.Launcher.
func (l *launcher) StopSweep(dir string) error {
	s, err := l.sweep(dir)
	if err != nil {
		return err
	}
	s.mu.Lock()
	cancel := s.cancel
	s.mu.Unlock()
	if cancel == nil {
		return errors.New("this workbench does not run the sweep: stop it where it was started")
	}
	cancel()
	return nil
}

// RemoveSweep implements screen.Launcher.
func (l *launcher) RemoveSweep(dir string) error {
	if err := sweep.Remove(dir); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.sweeps, dir)
	return nil
}

// lastFailed keeps why the last of a sweep's cells failed that did. All else is in the sweep's folder, but a full disk keeps a reason from it.
type lastFailed struct{ err error }

// Started implements sweep.Observer.
func (*lastFailed) Started(*sweep.Cell, *lab.Meter) {}

// Ended implements sweep.Observer.
func (l *lastFailed) Ended(c *sweep.Cell) {
	if c.State == store.Failed {
		l.err = fmt.Errorf("%s: %s", c, c.Err)
	}
}

// Say implements sweep.Observer.
func (*lastFailed) Say(string) {}
