// Package charts holds the panes that show a run's figures: its pipeline, what came of its tasks, its probes and policy, and the models behind it.
package charts

import "verge/tui/pane"

// Panes makes them.
func Panes() []pane.Pane {
	return []pane.Pane{newPipeline(), newFrontier(), newProbe(), newWeakness(), newDiversity(), newPolicy(), newRoles()}
}
