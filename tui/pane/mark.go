package pane

import (
	"verge/tui/session"
	"verge/tui/theme"
)

// Mark is the glyph and style of where a run, or a part of it, stands; "": still to come.
func Mark(s session.State) (string, theme.Token) {
	switch s {
	case session.Running, session.Watching, session.Replaying:
		return theme.Running, theme.Accent
	case session.Paused:
		return theme.Paused, theme.Warn
	case session.Done:
		return theme.Done, theme.Good
	case session.Failed:
		return theme.Fail, theme.Bad
	case session.Interrupted, session.Stopping:
		return theme.Stopped, theme.Warn
	}
	return theme.Waiting, theme.Muted
}
