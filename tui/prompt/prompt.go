// Package prompt is one line of text that a person types.
package prompt

import (
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/text"
	"verge/tui/theme"
)

// Outcome is what a key has made of a line.
type Outcome int

// The outcomes.
const (
	Typing Outcome = iota
	Entered
	Left // by Escape
)

// Line is a line that is typed.
type Line struct {
	label string
	input textinput.Model
}

// caret stands where the next character goes. It is a character, not a colour, so that it is seen on any terminal.
const caret = "▏"

// New opens a line with a value to be changed, the caret at its end.
func New(label, value string) *Line {
	l := &Line{label, textinput.New()}
	l.input.KeyMap.Paste = key.NewBinding() // a terminal pastes by itself; this would start a program
	l.input.SetValue(value)
	l.input.Focus()
	return l
}

// Type takes a key.
func (l *Line) Type(k tea.KeyMsg) Outcome {
	switch k.Type {
	case tea.KeyEnter:
		return Entered
	case tea.KeyEsc:
		return Left
	}
	l.input, _ = l.input.Update(k) // its command only blinks a caret that is not drawn
	return Typing
}

// Value is what the line holds.
func (l *Line) Value() string { return l.input.Value() }

// View draws the line into width cells, the part around the caret where it is longer.
func (l *Line) View(t *theme.Theme, width int) string {
	runes := []rune(l.input.Value())
	before, after := text.Safe(string(runes[:l.input.Position()])), text.Safe(string(runes[l.input.Position():]))
	room := max(1, width-text.Width(l.label)-1)
	return text.Fit(t.Paint(theme.Accent, l.label)+" "+t.Paint(theme.Strong, text.Tail(before, room-1)+caret)+t.Paint(theme.Strong, after), width)
}
