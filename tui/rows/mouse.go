package rows

import (
	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/keys"
)

// Wheel is the action that the mouse's wheel stands for in a list; "" of any other message of it.
func Wheel(m tea.MouseMsg) keys.Action {
	switch m.Button {
	case tea.MouseButtonWheelUp:
		return keys.Up
	case tea.MouseButtonWheelDown:
		return keys.Down
	}
	return ""
}

// Places is which row each line of the screen was drawn for, from its top on; None of a line that is no row's.
type Places struct {
	rows  []int
	width int
}

// None is no row.
const None = -1

// Draw forgets what was drawn before; what is drawn next is width cells wide.
func (p *Places) Draw(width int) { p.rows, p.width = p.rows[:0], width }

// Add says what the next lines are drawn for.
func (p *Places) Add(rows ...int) { p.rows = append(p.rows, rows...) }

// Clicked is the row that was clicked; None where there is none, or the message is no click.
func (p *Places) Clicked(m tea.MouseMsg) int {
	if m.Action != tea.MouseActionPress || m.Button != tea.MouseButtonLeft || m.Y < 0 || m.Y >= len(p.rows) || m.X >= p.width {
		return None
	}
	return p.rows[m.Y]
}
