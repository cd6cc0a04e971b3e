// Package sweepboard is the screen of a sweep: what its cells have come to, arm by arm and seed by seed.
package sweepboard

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"verge/profiles"
	"verge/tui/compare"
	"verge/tui/grid"
	"verge/tui/keys"
	"verge/tui/launch"
	"verge/tui/prompt"
	"verge/tui/rows"
	"verge/tui/screen"
	"verge/tui/session"
	"verge/tui/text"
	"verge/tui/work"
)

// Screen shows one sweep. It implements screen.Screen.
type Screen struct {
	env     *screen.Env
	dir     string
	name    string
	board   *board // nil until the sweep has been read
	failure string // why it could not be read last
	figure  int
	rows    rows.Outline // the board's, below their settings
	seeds   rows.Cursor
	places  rows.Places // of the board's rows
	now     time.Time   // of the last tick
	one     work.One
	poll    work.Poll[reading]
}

// every is how often the sweep is read.
const every = 2 * time.Second

// reading is the sweep as it was read.
type reading struct {
	board *board
	err   error
}

// New makes the screen of the sweep in a folder.
func New(env *screen.Env, dir, name string) *Screen {
	s := &Screen{env: env, dir: dir, name: name, now: env.Now()}
	s.poll.Every = every
	return s
}

// Start is the command that begins a profile's sweep, or goes on with it, and goes to its board.
func Start(env *screen.Env, one *work.One, p *profiles.Profile) tea.Cmd {
	return one.Ask("starting the sweep of "+p.Name, func() tea.Msg {
		dir, err := env.Launcher.StartSweep(p)
		if err != nil {
			return screen.Say{Text: err.Error(), Bad: true}
		}
		return screen.Go{Screen: New(env, dir, p.Name), Started: dir}
	})
}

// Type takes a key of a sweep's axes and seeds, which are asked for until asked is nil, and starts the sweep once they are entered.
func Type(env *screen.Env, one *work.One, asked **grid.Question, k tea.KeyMsg) tea.Cmd {
	switch q := *asked; q.Type(k) {
	case prompt.Entered:
		*asked = nil
		return Start(env, one, q.Profile())
	case prompt.Left:
		*asked = nil
	}
	return nil
}

// read is called from a command.
func (s *Screen) read() reading {
	state, err := s.env.Launcher.Sweep(s.dir)
	if err != nil {
		return reading{err: err}
	}
	b, err := layOut(state)
	return reading{&b, err}
}

// Title implements screen.Screen.
func (s *Screen) Title() string { return "sweep " + text.Safe(s.name) }

// Scopes implements screen.Screen.
func (s *Screen) Scopes() []keys.Scope { return []keys.Scope{keys.Sweep} }

// Reading implements screen.Screen.
func (s *Screen) Reading() bool { return false }

// Type implements screen.Screen.
func (s *Screen) Type(tea.KeyMsg) tea.Cmd { return nil }

// Back implements screen.Screen.
func (s *Screen) Back() bool { return s.one.GiveUp() }

// selected is the row and the cell under the cursor; false of a board without any.
func (s *Screen) selected() (row, screen.SweepCell, bool) {
	if s.board == nil || s.rows.At >= len(s.board.rows) || s.seeds.At >= len(s.board.seeds) {
		return row{}, screen.SweepCell{}, false
	}
	r := s.board.rows[s.rows.At]
	cell, ok := s.board.groups[r.group].cells[s.board.seeds[s.seeds.At]]
	return r, cell, ok
}

// Refusal implements screen.Screen.
func (s *Screen) Refusal(a keys.Action) string {
	switch a {
	case keys.Open, keys.Compare:
		_, cell, ok := s.selected()
		switch {
		case !ok:
			return "no cell is selected"
		case cell.Run == "":
			return "the cell has no run yet: " + key(keys.GoOn) + " makes it"
		}
		return launch.Wait(&s.one)
	case keys.GoOn:
		switch {
		case s.board == nil:
			return "the sweep has not been read yet"
		case s.board.state.Running:
			return "the sweep goes on already"
		case s.board.state.Done == len(s.board.state.Cells):
			return "every cell is done"
		}
		return launch.Wait(&s.one)
	case keys.StopSweep:
		if s.board == nil || !s.board.state.Running {
			return "the sweep does not run"
		}
		return launch.Wait(&s.one)
	}
	return ""
}

// key is the key of an action on this screen, as a person reads it.
func key(a keys.Action) string { return keys.Bindings.Name(a, keys.Sweep) }

// Do implements screen.Screen.
func (s *Screen) Do(a keys.Action) tea.Cmd {
	switch a {
	case keys.Open:
		_, cell, _ := s.selected()
		return launch.Session(s.env, &s.one, "opening "+cell.Run, func() (session.Session, error) { return s.env.Launcher.Watch(cell.Run, false) })
	case keys.Compare:
		_, cell, _ := s.selected()
		return s.one.Ask("opening "+cell.Run, func() tea.Msg {
			run, err := s.env.Launcher.Watch(cell.Run, false)
			if err != nil {
				return screen.Say{Text: err.Error(), Bad: true}
			}
			return screen.Go{Screen: compare.New(s.env, run, run)}
		})
	case keys.GoOn:
		return s.steer("going on with the sweep", "the sweep goes on", s.env.Launcher.GoOn)
	case keys.StopSweep:
		return s.steer("stopping the sweep", "the sweep is stopped; "+key(keys.GoOn)+" goes on with it", s.env.Launcher.StopSweep)
	case keys.NextFigure:
		s.figure = (s.figure + 1) % len(figures)
	default:
		s.move(a)
	}
	return nil
}

// steered brings what came of a request to go on or to stop.
type steered struct {
	screen *Screen
	say    screen.Say
}

func (s *Screen) steer(doing, done string, request func(dir string) error) tea.Cmd {
	return s.one.Ask(doing, func() tea.Msg {
		if err := request(s.dir); err != nil {
			return steered{s, screen.Say{Text: err.Error(), Bad: true}}
		}
		return steered{s, screen.Say{Text: done}}
	})
}

// move goes to another cell; by pages, to other settings.
func (s *Screen) move(a keys.Action) {
	if s.board == nil {
		return
	}
	arms := len(s.board.state.Arms)
	switch a {
	case keys.Left:
		s.seeds.Move(keys.Up, len(s.board.seeds))
	case keys.Right:
		s.seeds.Move(keys.Down, len(s.board.seeds))
	case keys.PageUp:
		s.rows.At = max(0, s.rows.At-arms)
	case keys.PageDown:
		s.rows.At = max(0, min(s.rows.At+arms, len(s.board.rows)-1))
	default:
		s.rows.Move(a, len(s.board.rows))
	}
}

// Receive implements screen.Screen.
func (s *Screen) Receive(msg tea.Msg) tea.Cmd {
	if r, ok := s.poll.Take(msg); ok {
		s.failure = ""
		if r.err != nil {
			s.failure = r.err.Error()
		} else {
			s.board = r.board
		}
		return nil
	}
	switch m := msg.(type) {
	case screen.Tick:
		s.now = time.Time(m)
		return s.poll.Tick(s.now, s.read)
	case steered:
		if m.screen == s {
			s.poll.Soon()
			return tea.Batch(s.poll.Tick(s.now, s.read), func() tea.Msg { return m.say })
		}
	case tea.MouseMsg:
		if row := s.places.Clicked(m); row != rows.None {
			s.rows.At = row
		}
		s.move(rows.Wheel(m))
	}
	return nil
}
