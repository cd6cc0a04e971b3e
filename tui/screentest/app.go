// Package screentest drives screens in tests as the workbench does, and holds their drawings to golden files.
package screentest

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/fixture"
	"verge/tui/keys"
	"verge/tui/screen"
	"verge/tui/theme"
)

// App is a stack of screens.
type App struct {
	t      testing.TB
	stack  []screen.Screen
	now    time.Time
	said   []string
	screen screen.Screen // on top
}

// Env is what the screens of a test share: the dark theme, the folder runs, a clock that stands still.
func Env(t testing.TB, l screen.Launcher) *screen.Env {
	t.Helper()
	return &screen.Env{Theme: Look(t), Out: "runs", Launcher: l, Now: fixture.Now, Run: NewRun}
}

// Look is the dark theme, which draws for no terminal and so writes no escape sequences.
func Look(t testing.TB) *theme.Theme {
	t.Helper()
	look, err := theme.New("dark")
	if err != nil {
		t.Fatal(err)
	}
	return look
}

// New puts a screen on an empty stack and lets it read what it shows.
func New(t testing.TB, s screen.Screen) *App {
	a := &App{t: t, now: fixture.Now(), stack: []screen.Screen{s}, screen: s}
	a.Tick()
	return a
}

// Screen is the screen on top.
func (a *App) Screen() screen.Screen { return a.screen }

// Said is what the footer was given to say since it was last asked for, refusals among it.
func (a *App) Said() []string {
	said := a.said
	a.said = nil
	return said
}

// Tick lets a minute pass, and every screen read again what it shows.
func (a *App) Tick() {
	a.now = a.now.Add(time.Minute)
	a.receive(screen.Tick(a.now))
}

// Press presses keys as the table of bindings names them.
func (a *App) Press(names ...string) {
	a.t.Helper()
	for _, name := range names {
		if a.screen.Reading() {
			a.run(a.screen.Type(Key(name)))
			continue
		}
		action, ok := keys.Bindings.Find(name, append(a.screen.Scopes(), keys.App)...)
		switch {
		case !ok:
			a.t.Fatalf("key %q means nothing in %v", name, a.screen.Scopes())
		case action == keys.Back:
			if !a.screen.Back() && len(a.stack) > 1 {
				a.stack = a.stack[:len(a.stack)-1]
				a.screen = a.stack[len(a.stack)-1]
			}
		default:
			a.Do(action)
		}
	}
}

// Do asks the screen for an action. What it refuses is said.
func (a *App) Do(action keys.Action) {
	if why := a.screen.Refusal(action); why != "" {
		a.said = append(a.said, why)
		return
	}
	a.run(a.screen.Do(action))
}

// Type types a text, character by character.
func (a *App) Type(s string) {
	a.t.Helper()
	for _, r := range s {
		if !a.screen.Reading() {
			a.t.Fatalf("nothing reads %q of %q", r, s)
		}
		a.run(a.screen.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}))
	}
}

// Paste gives a text to what is typed, all at once as a terminal pastes it.
func (a *App) Paste(s string) {
	a.t.Helper()
	if !a.screen.Reading() {
		a.t.Fatalf("nothing reads %.40q", s)
	}
	a.run(a.screen.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true}))
}

// run carries out a command, and what comes of it.
func (a *App) run(cmd tea.Cmd) {
	if cmd != nil {
		a.receive(cmd())
	}
}

func (a *App) receive(msg tea.Msg) {
	switch m := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range m {
			a.run(cmd)
		}
	case screen.Go:
		if m.Started != "" {
			a.stack = a.stack[:1:1]
			a.run(a.stack[0].Receive(m))
		}
		a.stack = append(a.stack, m.Screen)
		a.screen = m.Screen
		a.Tick()
	case screen.Say:
		a.said = append(a.said, m.Text)
	case screen.Tick:
		a.run(a.screen.Receive(m))
	default:
		for _, s := range a.stack {
			a.run(s.Receive(m))
		}
	}
}

var special = map[string]tea.KeyType{
	"tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "up": tea.KeyUp, "down": tea.KeyDown, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
	" ": tea.KeySpace, "ctrl+c": tea.KeyCtrlC, "ctrl+z": tea.KeyCtrlZ, "ctrl+p": tea.KeyCtrlP,
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "backspace": tea.KeyBackspace, "left": tea.KeyLeft, "right": tea.KeyRight, "ctrl+u": tea.KeyCtrlU,
}

// Key is the message of a key, named as in the table of bindings.
func Key(name string) tea.KeyMsg {
	if k, ok := special[name]; ok {
		m := tea.KeyMsg{Type: k}
		if k == tea.KeySpace {
			m.Runes = []rune{' '}
		}
		return m
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}
