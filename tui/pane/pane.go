// Package pane says what a pane of a run's screen is: it draws a snapshot into a box, and keeps only what a person chose in it: where it is
// scrolled to, what it is filtered by. Below it, package charts has those of a run's figures, and package lists those of what happened in it.
package pane

import (
	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/board"
	"verge/tui/keys"
	"verge/tui/session"
	"verge/tui/text"
	"verge/tui/theme"
)

// Context is what panes draw from.
type Context struct {
	*board.Snapshot                // never nil; its Run is nil before the run has started
	Status          session.Status // beside the events
	Theme           *theme.Theme
	Arm             string // that is looked at; "" before the run has started
	Focused         bool
	// Detail looks up a proposal in the store; it blocks, so that it is called from a command.
	Detail func(board.Task) (session.Detail, error)
}

// Paint is a line in the style of a token.
func (c Context) Paint(k theme.Token, s string) string { return c.Theme.Paint(k, s) }

// PaintAll paints lines in place.
func (c Context) PaintAll(k theme.Token, lines []string) []string {
	for i, line := range lines {
		lines[i] = c.Paint(k, line)
	}
	return lines
}

// Pane is one pane. Its methods are called from one goroutine.
type Pane interface {
	// Name is the pane's name in keys.Panes, and the scope of its keys.
	Name() string
	// Title is what stands in its border: a few words, without styles.
	Title(Context) string
	// View draws the pane into width × height cells. What is too much is cut by the caller; a pane has to make good use of any size
	// from 20 × 4 on.
	View(c Context, width, height int) []string
	// Scopes are the scopes of keys that the pane understands, its own first.
	Scopes() []keys.Scope
	// Do carries out an action of these scopes.
	Do(a keys.Action, c Context) tea.Cmd
	// Open says that the pane has something open that Back closes before anything else: a task, a filter that is typed.
	Open() bool
	// Reading says that the pane reads text: keys go to Type first.
	Reading() bool
	// Type is a key of a text that is being typed.
	Type(key tea.KeyMsg, c Context) tea.Cmd
	// Receive takes what a command of the pane's brought. It is handed every message that the app does not know.
	Receive(msg tea.Msg, c Context)
}

// Still is a pane without keys of its own.
type Still struct{}

// Scopes implements Pane.
func (Still) Scopes() []keys.Scope { return nil }

// Do implements Pane.
func (Still) Do(keys.Action, Context) tea.Cmd { return nil }

// Open implements Pane.
func (Still) Open() bool { return false }

// Reading implements Pane.
func (Still) Reading() bool { return false }

// Type implements Pane.
func (Still) Type(tea.KeyMsg, Context) tea.Cmd { return nil }

// Receive implements Pane.
func (Still) Receive(msg tea.Msg, c Context) {}

// Nothing is what a pane shows that its recipe feeds nothing: what it would show, and which recipe has it.
func Nothing(c Context, width int, would, recipe string) []string {
	return c.PaintAll(theme.Muted, text.Wrap(would+"\n\n"+recipe, width))
}
