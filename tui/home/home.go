// Package home is the first screen: the profiles that there are, the runs and the sweeps.
package home

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/grid"
	"verge/tui/keys"
	"verge/tui/launch"
	"verge/tui/prompt"
	"verge/tui/rows"
	"verge/tui/screen"
	"verge/tui/sweepboard"
	"verge/tui/work"
)

// The lists, in the order they are shown.
const (
	profilesList = iota
	runsList
	sweepsList
)

// Home is the screen. It implements screen.Screen.
type Home struct {
	env      *screen.Env
	runs     Runs
	shipped  []string
	lists    [3]list
	focus    int
	tabbed   bool   // only the list in focus is drawn, below the names of all,
	tabs     [3]int // each of which ends at one of these cells
	filter   prompt.Filter
	order    order
	marked   []string // folders of runs, two at the most
	carried  []screen.Standing
	begun    string // folder of what is to be selected once it is listed
	question *question
	grid     *grid.Question // while a sweep's axes and seeds are typed
	one      work.One
	now      time.Time // of the last tick
	stored   work.Poll[storedReading]
	known    work.Poll[[]entry]
	working  work.Poll[cost]
	costs    map[string]cost // by the hash of the profile
	read     bool            // the runs have been
	failures [3]string       // why a list cannot be read
}

// How often what is listed is looked at.
const (
	runsEvery     = 2 * time.Second
	profilesEvery = 5 * time.Second
	costsEvery    = 10 * time.Second // once all are known
)

// New makes the screen over the runs that are stored, the profiles that ship, by their names, and those in the working directory.
func New(env *screen.Env, runs Runs, shipped []string) *Home {
	h := &Home{env: env, runs: runs, shipped: shipped, now: env.Now(), costs: map[string]cost{}}
	h.lists = [...]list{{name: "profiles", columns: profileColumns}, {name: "runs", columns: runColumns}, {name: "sweeps", columns: sweepColumns}}
	h.stored.Every, h.known.Every, h.working.Every = runsEvery, profilesEvery, costsEvery
	return h
}

// Select selects a run or a sweep by its folder, once it is listed.
func (h *Home) Select(dir string) { h.begun = dir }

// Title implements screen.Screen.
func (h *Home) Title() string { return "home" }

// Scopes implements screen.Screen.
func (h *Home) Scopes() []keys.Scope { return []keys.Scope{keys.Home, keys.Scroll} }

// Reading implements screen.Screen.
func (h *Home) Reading() bool { return h.filter.Reading() || h.question != nil || h.grid != nil }

// Type implements screen.Screen.
func (h *Home) Type(k tea.KeyMsg) tea.Cmd {
	if h.question != nil {
		return h.answer(k)
	}
	if h.grid != nil {
		return sweepboard.Type(h.env, &h.one, &h.grid, k)
	}
	h.filter.Type(k)
	h.arrange()
	return nil
}

// Back implements screen.Screen.
func (h *Home) Back() bool {
	switch {
	case h.one.GiveUp():
	case h.filter.Drop():
		h.arrange()
	case len(h.marked) > 0:
		h.marked = nil
		h.markRuns()
	default:
		return false
	}
	return true
}

// Receive implements screen.Screen.
func (h *Home) Receive(msg tea.Msg) tea.Cmd {
	if r, ok := h.stored.Take(msg); ok {
		h.take(r)
		return h.askCost()
	}
	if entries, ok := h.known.Take(msg); ok {
		h.takeProfiles(entries)
		return h.askCost()
	}
	if c, ok := h.working.Take(msg); ok {
		h.costs[c.hash] = c
		h.putCosts()
		return h.askCost()
	}
	switch m := msg.(type) {
	case screen.Tick:
		h.now = time.Time(m)
		if now := h.env.Launcher.Standing(); !slices.Equal(now, h.carried) {
			h.carried = now
			h.markRuns()
		}
		return h.look()
	case screen.Go:
		h.Select(m.Started)
		h.filter.Drop()
		h.arrange()
		h.stored.Soon()
		return h.look() // so that it is selected by the time that it is left
	case screen.Shown:
		h.stored.Soon()
		return h.look()
	case sized:
		if m.home == h {
			h.question = m.question
		}
	case changed:
		if m.home == h {
			h.stored.Soon()
			return tea.Batch(h.look(), func() tea.Msg { return m.say })
		}
	case compared:
		if m.home == h {
			h.marked = nil
			h.markRuns()
			return func() tea.Msg { return screen.Go{Screen: m.screen} }
		}
	case tea.MouseMsg:
		if h.question == nil && h.grid == nil { // which are about the selected entry
			h.mouse(m)
		}
	}
	return nil
}

// mouse selects what is clicked, and moves in the list in focus.
func (h *Home) mouse(m tea.MouseMsg) {
	if h.tabbed && m.Y == 0 && m.Action == tea.MouseActionPress && m.Button == tea.MouseButtonLeft {
		if i := slices.IndexFunc(h.tabs[:], func(end int) bool { return m.X < end }); i >= 0 {
			h.focus = i
		}
		return
	}
	for i := range h.lists {
		if row := h.lists[i].places.Clicked(m); row != rows.None {
			h.focus, h.lists[i].cursor.At = i, row
		}
	}
	l := &h.lists[h.focus]
	l.cursor.Move(rows.Wheel(m), len(l.shown))
}

// look reads what is due.
func (h *Home) look() tea.Cmd {
	return tea.Batch(h.stored.Tick(h.now, h.readStored), h.known.Tick(h.now, h.readProfiles), h.askCost())
}

func (h *Home) arrange() {
	for i := range h.lists {
		h.lists[i].arrange(h.filter.Text, h.order, h.now)
	}
}

// selectBegun selects what was started last, once it is listed.
func (h *Home) selectBegun() {
	for _, i := range []int{runsList, sweepsList} {
		if h.lists[i].pick(h.begun) {
			h.focus, h.begun = i, ""
		}
	}
}

// selected is the entry that actions are about, nil when there is none.
func (h *Home) selected() entry { return h.lists[h.focus].selected() }

// markRuns writes into the runs which of them are marked, and how those stand that are carried out here.
func (h *Home) markRuns() {
	l := &h.lists[runsList]
	for i, e := range l.all {
		if r, ok := e.(runEntry); ok {
			r.mark, r.live = "", nil
			if at := slices.IndexFunc(h.carried, func(s screen.Standing) bool { return s.Dir == r.Dir }); at >= 0 {
				r.live = &h.carried[at]
			}
			if at := slices.Index(h.marked, r.Dir); at >= 0 {
				r.mark = sides[at]
			}
			l.all[i] = r
		}
	}
	h.arrange()
}

// sides are the names of the two that are compared.
var sides = [...]string{"A", "B"}

// wait is why nothing more can be asked for now.
func (h *Home) wait() string { return launch.Wait(&h.one) }
