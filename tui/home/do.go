package home

import (
	tea "github.com/charmbracelet/bubbletea"

	"verge/runner/store"
	"verge/tui/compare"
	"verge/tui/edit"
	"verge/tui/grid"
	"verge/tui/keys"
	"verge/tui/launch"
	"verge/tui/screen"
	"verge/tui/session"
	"verge/tui/sweepboard"
)

// Refusal implements screen.Screen.
func (h *Home) Refusal(a keys.Action) string {
	switch a {
	case keys.Open:
		if h.selected() == nil {
			return "there is nothing to open"
		}
		if p, ok := h.selected().(problemEntry); ok {
			return p.err.Error()
		}
		if p, ok := h.selected().(profileEntry); ok && p.err != nil {
			return p.err.Error()
		}
		if s, ok := h.selected().(sweepEntry); ok && s.Problem != "" {
			return s.Problem
		}
		return h.wait()
	case keys.StartRun, keys.EditValues, keys.StartSweep:
		return h.refuseProfile()
	case keys.Delete:
		if s, ok := h.selected().(sweepEntry); ok {
			if s.Running {
				return "the sweep is being run: stop it first"
			}
			return h.wait()
		}
		if _, ok := h.selected().(runEntry); !ok {
			return "select a run or a sweep: this is about none"
		}
		return h.refuseRun(a)
	case keys.ResumeRun, keys.ReplayRun, keys.Mark, keys.Annotate:
		return h.refuseRun(a)
	case keys.Compare:
		if _, ok := h.selected().(runEntry); !ok && len(h.marked) < len(sides) {
			return "select a run: it is compared with the marked one, or its arms with each other"
		}
		return h.wait()
	case keys.Sort:
		if h.focus == profilesList {
			return "profiles are listed by their names; runs and sweeps can be ordered"
		}
	}
	return ""
}

func (h *Home) refuseProfile() string {
	p, ok := h.selected().(profileEntry)
	switch {
	case !ok:
		return "select a profile: this is about none"
	case p.err != nil:
		return p.err.Error()
	}
	return h.wait()
}

func (h *Home) refuseRun(a keys.Action) string {
	r, ok := h.selected().(runEntry)
	switch {
	case !ok:
		return "select a run: this is about none"
	case a == keys.ResumeRun && r.State == store.Running:
		return "the run goes on already"
	case a == keys.ResumeRun && r.State == store.Done:
		return "the run is done: there is nothing to resume"
	case a == keys.Delete && r.State == store.Running:
		return "the run is being carried out: stop it first"
	}
	return h.wait()
}

// Do implements screen.Screen.
func (h *Home) Do(a keys.Action) tea.Cmd {
	if l := &h.lists[h.focus]; l.cursor.Move(a, len(l.shown)) {
		return nil
	}
	switch a {
	case keys.NextList:
		h.focus = (h.focus + 1) % len(h.lists)
	case keys.PreviousList:
		h.focus = (h.focus + len(h.lists) - 1) % len(h.lists)
	case keys.Filter:
		h.filter.Start()
	case keys.Sort:
		h.order = (h.order + 1) % orders
		h.arrange()
	case keys.Compare:
		return h.compare()
	default:
		switch e := h.selected().(type) {
		case profileEntry:
			return h.doProfile(a, e)
		case runEntry:
			return h.doRun(a, e)
		case sweepEntry:
			switch a {
			case keys.Open:
				return show(sweepboard.New(h.env, e.Dir, e.Name))
			case keys.Delete:
				return h.askDeleteSweep(e)
			}
		}
	}
	return nil
}

func show(s screen.Screen) tea.Cmd { return func() tea.Msg { return screen.Go{Screen: s} } }

func (h *Home) doProfile(a keys.Action, e profileEntry) tea.Cmd {
	switch a {
	case keys.Open:
		return show(newPage(h, e))
	case keys.StartRun:
		return launch.Start(h.env, &h.one, e.name, e.profile)
	case keys.EditValues:
		return show(edit.New(h.env, e.name, e.profile))
	case keys.StartSweep:
		h.grid = grid.Ask(e.profile)
	}
	return nil
}

func (h *Home) doRun(a keys.Action, e runEntry) tea.Cmd {
	switch a {
	case keys.Open, keys.ReplayRun:
		return launch.Session(h.env, &h.one, "opening "+e.Run, func() (session.Session, error) { return h.env.Launcher.Watch(e.Dir, a == keys.ReplayRun) })
	case keys.ResumeRun:
		return launch.Session(h.env, &h.one, "resuming "+e.Run, func() (session.Session, error) { return h.env.Launcher.Resume(e.Dir) })
	case keys.Mark:
		h.toggle(e.Dir)
	case keys.Annotate:
		h.question = askTags(e.RunInfo)
	case keys.Delete:
		return h.askDelete(e)
	}
	return nil
}

// toggle marks a run or unmarks it; a third that is marked takes the place of the second.
func (h *Home) toggle(dir string) {
	switch n := len(h.marked); {
	case n > 0 && h.marked[0] == dir:
		h.marked = h.marked[1:]
	case n > 1 && h.marked[1] == dir:
		h.marked = h.marked[:1]
	case n == len(sides):
		h.marked[1] = dir
	default:
		h.marked = append(h.marked, dir)
	}
	h.markRuns()
}

// compared brings the comparison of the marked runs.
type compared struct {
	home   *Home
	screen screen.Screen
}

// compare opens the two marked runs, or the marked and the selected one, or the selected one alone for its arms.
func (h *Home) compare() tea.Cmd {
	a, b := "", ""
	if len(h.marked) > 0 {
		a = h.marked[0]
	}
	if len(h.marked) > 1 {
		b = h.marked[1]
	} else {
		b = h.selected().(runEntry).Dir
	}
	if a == b {
		a = ""
	}
	return h.one.Ask("opening the runs to compare", func() tea.Msg {
		right, err := h.env.Launcher.Watch(b, false)
		left := right
		if err == nil && a != "" {
			left, err = h.env.Launcher.Watch(a, false)
		}
		if err != nil {
			return screen.Say{Text: err.Error(), Bad: true}
		}
		return compared{h, compare.New(h.env, left, right)}
	})
}
