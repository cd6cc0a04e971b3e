//go:build !unix

package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/guard"
)

// terminalSignals does nothing where no signal stops a process.
type terminalSignals struct{}

func (*terminalSignals) watch(*tea.Program, *guard.Guard) (stop func()) { return func() {} }

func (*terminalSignals) before(_ tea.Model, msg tea.Msg) tea.Msg { return msg }
