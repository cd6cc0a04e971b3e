package screentest

import (
	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/keys"
	"verge/tui/screen"
	"verge/tui/session"
)

// Run stands for the screen of a run.
type Run struct{ Session session.Session }

// NewRun is a screen.Env's Run.
func NewRun(s session.Session) screen.Screen { return &Run{s} }

// Title implements screen.Screen.
func (r *Run) Title() string { return "run" }

// View implements screen.Screen.
func (r *Run) View(int, int) []string { return nil }

// Scopes implements screen.Screen.
func (r *Run) Scopes() []keys.Scope { return nil }

// Refusal implements screen.Screen.
func (r *Run) Refusal(keys.Action) string { return "" }

// Do implements screen.Screen.
func (r *Run) Do(keys.Action) tea.Cmd { return nil }

// Reading implements screen.Screen.
func (r *Run) Reading() bool { return false }

// Type implements screen.Screen.
func (r *Run) Type(tea.KeyMsg) tea.Cmd { return nil }

// Receive implements screen.Screen.
func (r *Run) Receive(tea.Msg) tea.Cmd { return nil }

// Back implements screen.Screen.
func (r *Run) Back() bool { return false }
