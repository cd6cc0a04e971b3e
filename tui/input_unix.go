//go:build unix

package tui

import (
	"bytes"
	"errors"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// keyboard is the terminal's input as the program reads it.
func keyboard() tea.ProgramOption { return tea.WithInput(&input{os.Stdin, splitWait}) }

// splitWait is how long the rest of a key is waited for: so long is Escape, which begins others, not answered.
const splitWait = 25 * time.Millisecond

// input is a terminal's input, in which a key that comes in pieces, as over a slow line, is read whole: Bubble Tea takes what comes at once for all
// there is of a key, and the pieces of an arrow for Escape and letters.
type input struct {
	*os.File
	wait time.Duration
}

// Read implements io.Reader.
func (in *input) Read(p []byte) (int, error) {
	n, err := in.File.Read(p)
	for err == nil && n > 0 && n < len(p) && unfinished(p[:n]) && in.more() {
		var m int
		m, err = in.File.Read(p[n:])
		n += m
	}
	return n, err
}

// more waits for something to read.
func (in *input) more() bool {
	files := []unix.PollFd{{Fd: int32(in.Fd()), Events: unix.POLLIN}}
	_, err := unix.Poll(files, int(in.wait.Milliseconds()))
	for errors.Is(err, unix.EINTR) { // a signal to the process, such as that of another size
		_, err = unix.Poll(files, int(in.wait.Milliseconds()))
	}
	return err == nil && files[0].Revents&unix.POLLIN != 0
}

// unfinished says that the text ends within a sequence that Escape begins, or with Escape.
func unfinished(p []byte) bool {
	at := bytes.LastIndexByte(p, '\x1b')
	if at < 0 {
		return false
	}
	rest := p[at+1:]
	switch {
	case len(rest) == 0, len(rest) == 1 && rest[0] == 'O':
		return true
	case rest[0] != '[':
		return false
	}
	const final = 0x40 // and above: the last byte of a control sequence
	return bytes.IndexFunc(rest[1:], func(r rune) bool { return r >= final }) < 0
}
