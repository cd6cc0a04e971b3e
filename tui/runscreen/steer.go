package runscreen

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/keys"
	"verge/tui/screen"
	"verge/tui/session"
)

// asks is what each action asks of the session.
var asks = map[keys.Action]session.Action{
	keys.StepProposal: session.StepProposal, keys.StepUpdate: session.StepUpdate, keys.Stop: session.Stop,
	keys.Faster: session.Speed, keys.Slower: session.Speed,
	keys.Back10: session.Seek, keys.Ahead10: session.Seek, keys.First: session.Seek, keys.Last: session.Seek,
}

// jumps is how many jumps a recording has.
const jumps = 20

// Refusal implements screen.Screen.
func (s *Screen) Refusal(a keys.Action) string {
	b := s.board()
	switch a {
	case keys.NextArm, keys.PreviousArm:
		if b.Run == nil || len(b.Arms) < 2 {
			return "the run has no other arm"
		}
	case keys.PauseResume:
		return s.session.Control().Refusal(s.pauseOrResume())
	default:
		if ask, ok := asks[a]; ok {
			return s.session.Control().Refusal(ask)
		}
	}
	return ""
}

// Word implements screen.Worder.
func (s *Screen) Word(a keys.Action) string {
	switch {
	case a != keys.PauseResume || s.pauseOrResume() == session.Pause:
		return ""
	case s.replayed():
		return "play again"
	}
	return "go on"
}

func (s *Screen) pauseOrResume() session.Action {
	if s.session.Status().State == session.Paused || s.replayed() {
		return session.Resume
	}
	return session.Pause
}

// replayed says that a replay is at the recording's end.
func (s *Screen) replayed() bool {
	r := s.session.Status().Replay
	return r.Events > 0 && r.At >= r.Events
}

// Do implements screen.Screen.
func (s *Screen) Do(a keys.Action) tea.Cmd {
	_, steers := asks[a]
	s.held = !steers && a != keys.PauseResume
	control, replay := s.session.Control(), s.session.Status().Replay
	jump := float64(replay.Events) / jumps
	switch a {
	case keys.NextPane:
		s.focus = (s.focus + 1) % len(s.panes)
	case keys.PreviousPane:
		s.focus = (s.focus + len(s.panes) - 1) % len(s.panes)
	case keys.FullScreen:
		s.full = !s.full
	case keys.NextArm:
		s.lookAt(1)
	case keys.PreviousArm:
		s.lookAt(-1)
	case keys.PauseResume:
		control.Do(s.pauseOrResume(), 0)
	case keys.StepProposal, keys.StepUpdate:
		control.Do(asks[a], 0)
	case keys.Stop:
		return func() tea.Msg {
			return screen.Ask{Question: "Stop the run where it is? What is done is kept, and it can be resumed.", Do: "stop", Yes: func() tea.Msg {
				control.Do(session.Stop, 0)
				return nil
			}}
		}
	case keys.Faster:
		control.Do(session.Speed, 2)
	case keys.Slower:
		control.Do(session.Speed, 0.5)
	case keys.Back10:
		control.Do(session.Seek, float64(replay.At)-jump)
	case keys.Ahead10:
		control.Do(session.Seek, float64(replay.At)+jump)
	case keys.First:
		control.Do(session.Seek, 0)
	case keys.Last:
		control.Do(session.Seek, float64(replay.Events))
	default:
		if name, ok := strings.CutPrefix(string(a), keys.PanePrefix); ok {
			for i, p := range s.panes {
				if p.Name() == name {
					s.focus = i
				}
			}
			return nil
		}
		s.changes[s.focus]++
		return s.panes[s.focus].Do(a, s.context())
	}
	return nil
}

// lookAt goes to another arm.
func (s *Screen) lookAt(by int) {
	arms := s.board().Arms
	if len(arms) == 0 {
		return
	}
	at, now := 0, s.armNow()
	for i, a := range arms {
		if a.Name == now {
			at = i
		}
	}
	s.arm = arms[(at+by+len(arms))%len(arms)].Name
}

func number(n uint64) string { return strconv.FormatUint(n, 10) }
