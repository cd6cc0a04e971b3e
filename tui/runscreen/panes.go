package runscreen

import (
	"slices"

	"verge/tui/keys"
	"verge/tui/pane"
	"verge/tui/pane/charts"
	"verge/tui/pane/lists"
)

// Panes makes a run's panes, in the order of keys.Panes.
func Panes() []pane.Pane {
	panes := slices.Concat(charts.Panes(), lists.Panes())
	slices.SortFunc(panes, func(a, b pane.Pane) int {
		return slices.Index(keys.Panes, a.Name()) - slices.Index(keys.Panes, b.Name())
	})
	return panes
}
