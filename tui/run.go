package tui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"verge/tui/guard"
	"verge/tui/runscreen"
	"verge/tui/screen"
	"verge/tui/session"
	"verge/tui/theme"
)

// Options are what the workbench is opened with.
type Options struct {
	Out      string // the folder of runs
	Theme    string // its name; "": dark or light, as the terminal says it is
	Launcher screen.Launcher
	// First makes the screens that are open at the start, the last on top.
	First func(*screen.Env) ([]screen.Screen, error)
	// GoesOn lists the folders of the runs and sweeps that this process carries out, for leaving to ask about. It is asked on every q, and must
	// not wait.
	GoesOn func() []string
	Guard  *guard.Guard
}

// ErrTerminal is the error of a terminal that cannot be read or written any more.
var ErrTerminal = errors.New("the terminal was lost")

// Run opens the workbench on the terminal and returns when it is left. An error is that of a wrong option, of a part that broke, or of
// the terminal; what runs is for the caller to stop.
func Run(ctx context.Context, o Options) error {
	if o.Theme == "" {
		o.Theme = "light"
		if lipgloss.HasDarkBackground() { // asks the terminal, which only works before the program reads it
			o.Theme = "dark"
		}
	}
	t, err := theme.New(o.Theme)
	if err != nil {
		return err
	}
	env := &screen.Env{Theme: t, Out: o.Out, Launcher: o.Launcher, Now: time.Now}
	env.Run = func(s session.Session) screen.Screen { return runscreen.New(env, s) }
	stack, err := o.First(env)
	if err != nil {
		return err
	}
	a := &app{env: env, stack: stack, goesOn: o.GoesOn}
	return show(ctx, a, o.Guard, keyboard(), tea.WithAltScreen(), tea.WithMouseCellMotion())
}

// show runs the program until it is left.
func show(ctx context.Context, a *app, g *guard.Guard, options ...tea.ProgramOption) error {
	signals := &terminalSignals{}
	options = append(options, tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithoutCatchPanics(), tea.WithFilter(signals.before))
	program := tea.NewProgram(&guarded{app: a, guard: g}, options...)
	g.OnCrash(func(err error) { go program.Send(broken{err}) })
	defer signals.watch(program, g)()
	if _, err := program.Run(); err != nil && !errors.Is(err, tea.ErrProgramKilled) {
		return fmt.Errorf("%w: %w", ErrTerminal, err)
	}
	return a.failed
}

// guarded keeps a panic of the screen from leaving the terminal as it is: it ends the program with an error instead.
type guarded struct {
	app   *app
	guard *guard.Guard
}

// Init implements tea.Model.
func (g *guarded) Init() tea.Cmd { return g.command(g.app.Init()) }

// Update implements tea.Model.
func (g *guarded) Update(msg tea.Msg) (model tea.Model, cmd tea.Cmd) {
	defer g.guard.Recover("the screen")
	model = g
	switch msg.(type) {
	case again:
		return g, nil // it is drawn after every message
	case tea.KeyMsg:
		_, cmd = g.app.Update(msg)
		return g, tea.Batch(g.command(cmd), tea.Tick(soon, func(time.Time) tea.Msg { return again{} }))
	}
	_, cmd = g.app.Update(msg)
	return g, g.command(cmd)
}

// soon is when the screen is drawn once more after a key: what the key asked of a run is not left to the next frame.
const soon = 30 * time.Millisecond

type again struct{}

// continued says that the process goes on after it was stopped: the terminal is its own again.
type continued struct{}

// View implements tea.Model.
func (g *guarded) View() (view string) {
	defer g.guard.Recover("the screen")
	return g.app.View()
}

// command guards what a command does on its own goroutine.
func (g *guarded) command(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.guard.Recover("a command of the screen")
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, c := range batch {
				batch[i] = g.command(c)
			}
		}
		return msg
	}
}
