package walkthrough

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"verge/profiles"
	"verge/runner/event"
	"verge/runner/store"
	"verge/tui/screen"
	"verge/tui/session"
)

// openRun takes up the walk's run, or begins one where there is none.
func (s *Screen) openRun() error {
	dir := filepath.Join(s.env.Out, s.state.Run)
	if _, missing := os.Stat(dir); s.state.Run != "" && missing == nil {
		run, err := s.reopen(dir)
		if err != nil {
			return err
		}
		s.adopt(run)
		return nil
	}
	s.state.Page, s.state.Ends = 0, nil
	run, err := s.start(s.lesson.Sets...)
	if err != nil {
		return err
	}
	s.adopt(run)
	return nil
}

// reopen goes on with a run of the walk, or shows one that is done.
func (s *Screen) reopen(dir string) (session.Session, error) {
	r, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	info, err := r.Info()
	if err := errors.Join(err, r.Close()); err != nil {
		return nil, err
	}
	if info.State == store.Interrupted || info.State == store.Failed {
		s.resumed = true
		return s.env.Launcher.Resume(dir)
	}
	run, err := s.env.Launcher.Watch(dir, false)
	if err != nil {
		return nil, err
	}
	if _, own := run.(session.Guided); info.State == store.Running && !own {
		return nil, fmt.Errorf("the walkthrough's run %s is carried out by another process; end that one first", dir)
	}
	return run, nil
}

func (s *Screen) adopt(run session.Session) {
	s.run = run
	s.state.Run = filepath.Base(run.Status().Dir)
	s.lead()
}

func (s *Screen) start(sets ...string) (session.Session, error) {
	p, err := profiles.Load(s.lesson.Profile, sets)
	if err != nil {
		return nil, err
	}
	return s.env.Launcher.Start(p)
}

// lead lets the run go on to the end of the page's phase. One that is done needs no leading.
func (s *Screen) lead() {
	if g, ok := s.run.(session.Guided); ok {
		last, phase := s.page().phase, s.lesson.phase()
		g.Guide(func(e event.Event) bool { return phase(e) <= last })
	}
}

// reopened is a new run for the walk, from a page on.
type reopened struct {
	run  session.Session
	page int
	why  string // "": it was asked for
	err  error
}

// restart begins the walk anew, with a new run; the old one is kept among the runs.
func (s *Screen) restart() tea.Cmd {
	s.stop()
	return func() tea.Msg {
		run, err := s.start(s.lesson.Sets...)
		return reopened{run: run, err: err}
	}
}

// stop ends the runs that the walk shows.
func (s *Screen) stop() {
	for _, run := range append([]session.Session{s.run}, s.ends.runs...) {
		run.Control().Do(session.Stop, 0)
	}
}

// anew makes a new run where an earlier one cannot go on, and leads it to the same page.
func (s *Screen) anew() tea.Cmd {
	page, why := s.state.Page, "a new run was begun: "+s.run.Status().Error
	return func() tea.Msg {
		run, err := s.start(s.lesson.Sets...)
		return reopened{run, page, why, err}
	}
}

func (s *Screen) takeUp(m reopened) tea.Cmd {
	if m.err != nil {
		return complain(m.err)
	}
	s.stop() // it may have been begun anew twice
	s.state.Page, s.state.Ends, s.beat, s.ends, s.asked = m.page, nil, watch, ends{}, nil
	s.adopt(m.run)
	if err := s.state.save(); err != nil || m.why == "" {
		return complain(err)
	}
	return func() tea.Msg { return screen.Say{Text: m.why} }
}

// complain says an error in the footer, if there is one.
func complain(err error) tea.Cmd {
	if err == nil {
		return nil
	}
	return func() tea.Msg { return screen.Say{Text: err.Error(), Bad: true} }
}
