// Package tui is the workbench: screens over what a run's events fold to. It starts and steers runs through what main hands it, and knows
// no model.
package tui

import (
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/keys"
	"verge/tui/layout"
	"verge/tui/screen"
	"verge/tui/text"
	"verge/tui/theme"
)

// frame is the time between two looks at what is shown.
const frame = 100 * time.Millisecond

// app is the root model: a stack of screens, and what lies over the one on top.
type app struct {
	env    *screen.Env
	stack  []screen.Screen
	width  int
	height int
	over   overlay // help, the palette, a question; nil: none
	said   screen.Say
	saidAt time.Time
	goesOn func() []string // folders of what this process carries out
	failed error
}

// overlay lies over a screen and takes every key.
type overlay interface {
	// key takes a key; the overlay goes when done.
	key(a *app, k tea.KeyMsg) (done bool, cmd tea.Cmd)
	// lines draws it into width × height cells.
	lines(a *app, width, height int) []string
}

func (a *app) top() screen.Screen { return a.stack[len(a.stack)-1] }

// Init implements tea.Model.
func (a *app) Init() tea.Cmd { return tick() }

func tick() tea.Cmd {
	return tea.Tick(frame, func(now time.Time) tea.Msg { return screen.Tick(now) })
}

// Update implements tea.Model.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		a.width, a.height = m.Width, m.Height
		if m.Width <= 0 || m.Height <= 0 { // some terminals do not know theirs
			a.width, a.height = 80, 24
		}
		return a, nil
	case tea.KeyMsg:
		return a, a.burst(m)
	case tea.MouseMsg:
		if a.over != nil {
			return a, nil
		}
		m.Y-- // the header
		return a, a.top().Receive(m)
	case screen.Tick:
		return a, tea.Batch(tick(), a.top().Receive(msg))
	case screen.Go:
		var cmd tea.Cmd
		if m.Started != "" {
			a.stack = a.stack[:1:1]
			cmd = a.top().Receive(m)
		}
		a.stack = append(a.stack, m.Screen)
		return a, cmd
	case screen.Say:
		a.said, a.saidAt = m, a.env.Now()
		return a, nil
	case screen.Ask:
		a.over = &question{text: m.Question, answers: []answer{{"y", m.Do, m.Yes}, {"n", "stay", nil}}}
		return a, nil
	case broken:
		a.failed = m.err
		return a, tea.Quit
	case leave:
		return a, a.quit()
	case continued:
		return a, tea.EnableMouseCellMotion // which Bubble Tea leaves off then
	}
	var cmds []tea.Cmd
	for _, s := range a.stack {
		cmds = append(cmds, s.Receive(msg))
	}
	return a, tea.Batch(cmds...)
}

// broken ends the workbench with an error; leave asks it to end, as q does.
type (
	broken struct{ err error }
	leave  struct{}
)

// burst takes characters that came faster than Bubble Tea reads, which are one message of several runes: they are keys each, but what is typed
// into a text comes to it at once, since it may look at a whole profile after each key.
func (a *app) burst(m tea.KeyMsg) tea.Cmd {
	if m.Type != tea.KeyRunes || len(m.Runes) < 2 || m.Paste {
		return a.key(m)
	}
	var cmds []tea.Cmd
	for i := 0; i < len(m.Runes); {
		n := 1
		if i > 0 && a.typing() { // the first may be an answer to a question
			n = len(m.Runes) - i
		}
		k := tea.KeyMsg{Type: tea.KeyRunes, Runes: m.Runes[i : i+n], Alt: m.Alt, Paste: n > 1} // pasted, "up" is no arrow
		if n == 1 && k.Runes[0] == ' ' {
			k.Type = tea.KeySpace
		}
		cmds = append(cmds, a.key(k))
		i += n
	}
	return tea.Batch(cmds...)
}

func (a *app) key(k tea.KeyMsg) tea.Cmd {
	if escaped(k) && (k.Type == tea.KeyEscape || !a.typing()) {
		k.Alt = false
		return tea.Batch(a.key(tea.KeyMsg{Type: tea.KeyEscape}), a.key(k))
	}
	a.said = screen.Say{}
	if a.over != nil {
		over := a.over
		done, cmd := over.key(a, k)
		if done && a.over == over {
			a.over = nil
		}
		return cmd
	}
	name := k.String()
	if a.top().Reading() && name != "ctrl+c" {
		return a.top().Type(k)
	}
	action, ok := keys.Bindings.Find(name, append(a.top().Scopes(), keys.App)...)
	if !ok {
		return nil
	}
	return a.do(action)
}

// escaped says that a key may have been Escape and another one, pressed so fast that they came in one go: terminals write Alt that way, to which
// nothing is bound.
func escaped(k tea.KeyMsg) bool {
	switch k.Type {
	case tea.KeyEscape, tea.KeyRunes, tea.KeySpace, tea.KeyEnter:
		return k.Alt
	}
	return false
}

// typing says that keys are text, in which Alt moves by words.
func (a *app) typing() bool {
	if _, ok := a.over.(*palette); ok {
		return true
	}
	return a.over == nil && a.top().Reading()
}

// do carries out an action, or says why it cannot be.
func (a *app) do(action keys.Action) tea.Cmd {
	switch action {
	case keys.Help:
		a.over = &help{}
	case keys.Palette:
		a.over = newPalette(a)
	case keys.NextTheme:
		return a.nextTheme()
	case keys.Back:
		return a.back()
	case keys.Quit:
		return a.quit()
	case keys.Suspend:
		return tea.Suspend
	default:
		if why := a.top().Refusal(action); why != "" {
			a.said, a.saidAt = screen.Say{Text: why}, a.env.Now()
			return nil
		}
		return a.top().Do(action)
	}
	return nil
}

func (a *app) nextTheme() tea.Cmd {
	names := theme.Names()
	for i, name := range names {
		if name != a.env.Theme.Name {
			continue
		}
		next, err := theme.New(names[(i+1)%len(names)])
		if err != nil {
			return func() tea.Msg { return broken{err} }
		}
		a.env.Theme = next
		a.said, a.saidAt = screen.Say{Text: "theme: " + next.Name}, a.env.Now()
		break
	}
	return nil
}

func (a *app) back() tea.Cmd {
	switch {
	case a.top().Back():
	case len(a.stack) > 1:
		a.stack = a.stack[:len(a.stack)-1]
		return a.top().Receive(screen.Shown{})
	default:
		a.said, a.saidAt = screen.Say{Text: "this is the first screen; q leaves"}, a.env.Now()
	}
	return nil
}

// quit leaves, or asks first when something goes on.
func (a *app) quit() tea.Cmd {
	dirs := a.goesOn()
	if len(dirs) == 0 {
		return tea.Quit
	}
	const most = 4 // named, so that the answers stay on the screen
	var b strings.Builder
	b.WriteString("Leaving stops what goes on here:\n")
	for _, dir := range dirs[:min(most, len(dirs))] {
		b.WriteString("  " + dir + "\n")
	}
	if more := len(dirs) - most; more > 0 {
		fmt.Fprintf(&b, "  and %d more\n", more)
	}
	b.WriteString("\nWhat is done is kept: verge run --resume goes on with a run, and verge sweep with a sweep.")
	a.over = &question{text: b.String(), answers: []answer{{"y", "leave", tea.Quit}, {"n", "stay", nil}}}
	return nil
}

// View implements tea.Model: exactly the screen, whatever its parts return.
func (a *app) View() string {
	switch {
	case a.width == 0 || a.height == 0:
		return "" // before the terminal has told its size
	case a.width < layout.MinWidth || a.height < layout.MinHeight:
		return text.Box(tooSmall(a.width, a.height), a.width, a.height)
	}
	height := a.height - 2
	var content []string
	if a.over != nil {
		content = a.over.lines(a, a.width, height)
	} else {
		content = a.top().View(a.width, height)
	}
	foot := a.footer() // of more than a line, it lies over the content's last ones
	return text.Box([]string{a.header()}, a.width, 1) + "\n" + text.Box(content, a.width, height-len(foot)+1) + "\n" + text.Box(foot, a.width, len(foot))
}

func tooSmall(width, height int) []string {
	return text.Wrap(sizes(width, height), width)
}
