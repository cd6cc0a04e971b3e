package walkthrough

import (
	"fmt"
	"path/filepath"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/board"
	"verge/tui/session"
)

// bothEnds are the weights of the KL of the runs that a page shows beside the walk's own.
var bothEnds = []float64{0, 2}

// ends are the runs of bothEnds, begun one after the other.
type ends struct {
	runs  []session.Session
	begun int // asked for
}

// endView is such a run, as pages draw it.
type endView struct {
	kl     float64
	board  *board.Snapshot
	status session.Status
}

func (e ends) views() []endView {
	var out []endView
	for i, run := range e.runs {
		out = append(out, endView{bothEnds[i], run.Board(), run.Status()})
	}
	return out
}

// startedEnd is a run of bothEnds that was begun, or taken up, beside a run of the walk's.
type startedEnd struct {
	beside session.Session
	run    session.Session
	err    error
}

// startEnds begins the next of the runs that the page shows, when the walk's own and the one before it have ended.
func (s *Screen) startEnds() tea.Cmd {
	e := &s.ends
	if !s.page().ends || e.begun == len(bothEnds) || e.begun > len(e.runs) || !over(s.run) || len(e.runs) > 0 && !over(e.runs[len(e.runs)-1]) {
		return nil
	}
	beside, i := s.run, e.begun
	e.begun++
	known := ""
	if i < len(s.state.Ends) {
		known = s.state.Ends[i]
	}
	sets := append(slices.Clone(s.lesson.Sets), fmt.Sprintf("policy.kl=%g", bothEnds[i]), "policy.max_kl=0", `run.arms=["propel"]`)
	return func() tea.Msg {
		if known != "" {
			if run, err := s.reopen(filepath.Join(s.env.Out, known)); err == nil {
				return startedEnd{beside: beside, run: run}
			}
		}
		run, err := s.start(sets...)
		return startedEnd{beside, run, err}
	}
}

func over(run session.Session) bool {
	return run.Board().Ended != nil
}

func (s *Screen) takeEnd(m startedEnd) tea.Cmd {
	if m.err != nil {
		return complain(m.err)
	}
	if m.beside != s.run { // the walk was begun anew meanwhile
		m.run.Control().Do(session.Stop, 0)
		return nil
	}
	name := filepath.Base(m.run.Status().Dir)
	if i := len(s.ends.runs); i < len(s.state.Ends) {
		s.state.Ends[i] = name
	} else {
		s.state.Ends = append(s.state.Ends, name)
	}
	s.ends.runs = append(s.ends.runs, m.run)
	return complain(s.state.save())
}
