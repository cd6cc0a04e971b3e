// Package compare is the screen of a comparison: two runs, or two arms of one, with the tasks that both evaluated paired.
package compare

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/keys"
	"verge/tui/rows"
	"verge/tui/screen"
	"verge/tui/session"
	"verge/tui/work"
)

// Screen compares two sides, A and B. It implements screen.Screen.
type Screen struct {
	env      *screen.Env
	sessions [2]session.Session // the same twice when arms of one run are compared
	arms     [2]string          // "": not chosen yet, the runs having not begun
	result   *result            // nil until it has been worked out
	poll     work.Poll[*result]
	settings bool        // shown instead of the tasks
	tasks    rows.Cursor // over the tasks that flipped
	scroll   rows.Scroll // of the settings
	opened   *opened
}

// every is how often a comparison is worked out anew while its runs go on.
const every = time.Second

// New makes the screen of two sessions, which may be the same one. The recipe's own arm is looked at on both sides; of one session,
// beside the base.
func New(env *screen.Env, a, b session.Session) *Screen {
	s := &Screen{env: env, sessions: [2]session.Session{a, b}}
	s.poll.Every = every
	return s
}

// Title implements screen.Screen.
func (s *Screen) Title() string { return "compare" }

// Scopes implements screen.Screen.
func (s *Screen) Scopes() []keys.Scope { return []keys.Scope{keys.Comparison, keys.Scroll} }

// Reading implements screen.Screen.
func (s *Screen) Reading() bool { return false }

// Type implements screen.Screen.
func (s *Screen) Type(tea.KeyMsg) tea.Cmd { return nil }

// Back implements screen.Screen.
func (s *Screen) Back() bool {
	open := s.opened != nil
	s.opened = nil
	return open
}

// choice is what a person has chosen to compare.
type choice struct {
	sessions [2]session.Session
	arms     [2]string
}

func (s *Screen) chosen() choice { return choice{s.sessions, s.arms} }

// sides is what is compared, as of now.
func (s *Screen) sides() [2]side {
	var out [2]side
	for i, session := range s.sessions {
		out[i] = side{session.Board(), s.arms[i]}
	}
	return out
}

// reading says that a side is not read to its end yet, so that what it has come to is not known.
func (s *Screen) reading() bool {
	return slices.ContainsFunc(s.sessions[:], func(run session.Session) bool { return run.Status().State == session.Loading })
}

// choose takes an arm on each side for which none has been chosen.
func (s *Screen) choose() {
	one := s.sessions[0] == s.sessions[1]
	for i, session := range s.sessions {
		b := session.Board()
		if s.arms[i] != "" || b.Run == nil || len(b.Run.Arms) == 0 {
			continue
		}
		arms := b.Run.Arms
		s.arms[i] = arms[len(arms)-1]
		if slices.Contains(arms, b.Run.Recipe) {
			s.arms[i] = b.Run.Recipe
		}
		if one && i == 0 {
			s.arms[i] = arms[0]
		}
	}
}

// Refusal implements screen.Screen.
func (s *Screen) Refusal(a keys.Action) string {
	switch a {
	case keys.LeftArm, keys.RightArm:
		if b := s.sessions[sideOf(a)].Board(); b.Run == nil || len(b.Run.Arms) < 2 {
			return "that side has no other arm"
		}
	case keys.Open, keys.Next, keys.Previous:
		switch {
		case s.result == nil || len(s.result.flipped) == 0:
			return "no task flipped"
		case s.settings:
			return "this is the list of settings; " + key(keys.NextPart) + " goes to the tasks"
		}
	}
	return ""
}

func sideOf(a keys.Action) int {
	if a == keys.LeftArm {
		return 0
	}
	return 1
}

// key is the key of an action on this screen, as a person reads it.
func key(a keys.Action) string { return keys.Bindings.Name(a, keys.Comparison) }

// Do implements screen.Screen.
func (s *Screen) Do(a keys.Action) tea.Cmd {
	switch a {
	case keys.NextPart:
		s.settings, s.opened = !s.settings, nil
	case keys.LeftArm, keys.RightArm:
		s.nextArm(sideOf(a))
	case keys.Swap:
		s.sessions[0], s.sessions[1] = s.sessions[1], s.sessions[0]
		s.arms[0], s.arms[1] = s.arms[1], s.arms[0]
		s.opened = nil
	case keys.Open:
		return s.open()
	case keys.Next, keys.Previous:
		move := keys.Down
		if a == keys.Previous {
			move = keys.Up
		}
		s.tasks.Move(move, len(s.result.flipped))
		if s.opened != nil {
			return s.open()
		}
	default:
		switch {
		case s.opened != nil:
			s.opened.scroll.Move(a)
		case s.settings:
			s.scroll.Move(a)
		case s.result != nil:
			s.tasks.Move(a, len(s.result.flipped))
		}
	}
	return nil
}

func (s *Screen) nextArm(i int) {
	arms := s.sessions[i].Board().Run.Arms
	s.arms[i] = arms[(slices.Index(arms, s.arms[i])+1)%len(arms)]
	s.opened = nil
}

// Receive implements screen.Screen.
func (s *Screen) Receive(msg tea.Msg) tea.Cmd {
	if r, ok := s.poll.Take(msg); ok {
		s.result = r
		return nil
	}
	switch m := msg.(type) {
	case screen.Tick:
		s.choose()
		if s.reading() {
			return nil
		}
		now, of := s.sides(), s.chosen()
		if s.result != nil && s.result.of != of {
			s.poll.Soon()
		} else if s.result != nil && s.result.sides == now {
			return nil
		}
		return s.poll.Tick(time.Time(m), func() *result { return compareSides(of, now) })
	case details:
		if s.opened != nil && s.opened.details.screen == m.screen && s.opened.pair == m.pair {
			s.opened.details = m
		}
	case tea.MouseMsg:
		if a := rows.Wheel(m); a != "" {
			return s.Do(a)
		}
	}
	return nil
}
