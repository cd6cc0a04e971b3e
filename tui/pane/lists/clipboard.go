package lists

import (
	"fmt"
	"io"
	"os"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/figure"
	"verge/tui/pane"
	"verge/tui/screen"
	"verge/tui/text"
)

// terminal opens the terminal for writing.
type terminal func() (io.WriteCloser, error)

// openTerminal opens the terminal that the process is attached to. Bubble Tea owns standard output; a sequence that moves no cursor can
// reach the terminal beside it, in one write.
func openTerminal() (io.WriteCloser, error) { return os.OpenFile("/dev/tty", os.O_WRONLY, 0) }

// clipboardBytes is what terminals take in one OSC 52 sequence: 100,000 bytes, in base64.
const clipboardBytes = 74_990

// copy puts the selected task into the clipboard of the terminal, as plain text.
func (p *tasksPane) copy(c pane.Context) tea.Cmd {
	if p.listed.len() == 0 {
		return nil
	}
	row, state, tty := p.listed.row(p.place(c)), c.State, p.tty
	var read *reading
	if p.open != nil {
		row, read = p.open.row, p.open.read
	}
	return func() tea.Msg {
		if read == nil {
			var err error
			if read, err = look(c, row); err != nil {
				return screen.Say{Text: "not copied, the task could not be read: " + text.Safe(err.Error()), Bad: true}
			}
		}
		if err := toClipboard(tty, taskDocument(state, read, true).String()); err != nil {
			return screen.Say{Text: "not copied: " + text.Safe(err.Error()), Bad: true}
		}
		return screen.Say{Text: fmt.Sprintf("copied task %s, where the terminal lets programs write its clipboard (OSC 52)", text.Safe(read.detail.Proposal.Key.String()))}
	}
}

func toClipboard(tty terminal, s string) error {
	if len(s) > clipboardBytes {
		return fmt.Errorf("its %s are more than terminals take (%s); the mouse can select a part", figure.Bytes(int64(len(s))), figure.Bytes(clipboardBytes))
	}
	w, err := tty()
	if err != nil {
		return fmt.Errorf("there is no terminal to ask: %w", err)
	}
	sequence := osc52.New(s)
	if os.Getenv("STY") != "" { // GNU screen passes on what it is told to
		sequence = sequence.Screen()
	}
	if _, err = io.WriteString(w, sequence.String()); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}
