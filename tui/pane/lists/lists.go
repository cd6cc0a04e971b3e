// Package lists holds the panes that list what happened in a run: what gates decided, the tasks, the log.
package lists

import "verge/tui/pane"

// Panes makes them.
func Panes() []pane.Pane { return []pane.Pane{newGates(), newTasks(), newLog()} }
