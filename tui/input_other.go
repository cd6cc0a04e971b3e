//go:build !unix

package tui

import (
	"os"

	tea "github.com/charmbracelet/bubbletea"
)

// keyboard is the terminal's input, which has whole keys here.
func keyboard() tea.ProgramOption { return tea.WithInput(os.Stdin) }
