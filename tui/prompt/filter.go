package prompt

import (
	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/theme"
)

// Filter is a text that a list is filtered by: as it is typed, and after Enter until it is dropped. Its zero value filters nothing.
type Filter struct {
	Text string
	line *Line // while it is typed
}

// Start begins to type the text anew, from what it was.
func (f *Filter) Start() { f.line = New("filter:", f.Text) }

// Reading says that the text is being typed.
func (f *Filter) Reading() bool { return f.line != nil }

// Type takes a key while the text is typed: Enter keeps it, Escape drops it.
func (f *Filter) Type(k tea.KeyMsg) {
	switch f.line.Type(k) {
	case Typing:
		f.Text = f.line.Value()
	case Entered:
		f.line = nil
	case Left:
		f.Drop()
	}
}

// Drop filters nothing any more; false when nothing was filtered.
func (f *Filter) Drop() bool {
	filtered := *f != Filter{}
	*f = Filter{}
	return filtered
}

// View draws the text while it is typed.
func (f *Filter) View(t *theme.Theme, width int) string { return f.line.View(t, width) }
