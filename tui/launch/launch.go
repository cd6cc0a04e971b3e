// Package launch goes to the screen of a run once its session is there.
package launch

import (
	tea "github.com/charmbracelet/bubbletea"

	"verge/profiles"
	"verge/tui/screen"
	"verge/tui/session"
	"verge/tui/work"
)

// Session is the command that makes a session and goes to its screen, or says why there is none. what says in words what is done.
func Session(env *screen.Env, one *work.One, what string, open func() (session.Session, error)) tea.Cmd {
	return one.Ask(what, func() tea.Msg {
		s, err := open()
		if err != nil {
			return screen.Say{Text: err.Error(), Bad: true}
		}
		return screen.Go{Screen: env.Run(s)}
	})
}

// Start is the command that starts a run of a profile, name being what it is loaded by, and goes to its screen, from which it is one step back home.
func Start(env *screen.Env, one *work.One, name string, p *profiles.Profile) tea.Cmd {
	return one.Ask("starting "+name, func() tea.Msg {
		s, err := env.Launcher.Start(p)
		if err != nil {
			return screen.Say{Text: err.Error(), Bad: true}
		}
		return screen.Go{Screen: env.Run(s), Started: s.Status().Dir}
	})
}

// Wait is why a screen can ask for nothing more now; "" when it can.
func Wait(one *work.One) string {
	if doing := one.Doing(); doing != "" {
		return doing + " is not done yet; Esc gives it up"
	}
	return ""
}
