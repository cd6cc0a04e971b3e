package home

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"verge/runner/store"
)

// askCost works out what one profile's run takes, if one is left whose cost is not known or was worked out from fewer runs. It may read
// every run that is stored: profiles are listed before.
func (h *Home) askCost() tea.Cmd {
	e, ok := h.nextCost()
	if !ok || !h.read {
		return nil
	}
	if e.cost == nil {
		h.working.Soon()
	}
	runs := h.done()
	return h.working.Tick(h.now, func() cost { return cost{e.hash, runs, h.env.Launcher.Cost(e.profile)} })
}

// nextCost is the profile whose cost is wanted most: the selected one, then one without, then one that new runs tell more of.
func (h *Home) nextCost() (profileEntry, bool) {
	var open []profileEntry
	for _, e := range h.lists[profilesList].all {
		if p, ok := e.(profileEntry); ok && p.profile != nil && (p.cost == nil || p.cost.runs != h.done()) {
			open = append(open, p)
		}
	}
	if len(open) == 0 {
		return profileEntry{}, false
	}
	selected, _ := h.lists[profilesList].selected().(profileEntry)
	for _, wanted := range []func(profileEntry) bool{
		func(p profileEntry) bool { return p.cost == nil && p.name == selected.name },
		func(p profileEntry) bool { return p.cost == nil },
	} {
		if i := slices.IndexFunc(open, wanted); i >= 0 {
			return open[i], true
		}
	}
	return open[0], true
}

// done counts the runs that a cost can be worked out from.
func (h *Home) done() int {
	n := 0
	for _, e := range h.lists[runsList].all {
		if e.state() == store.Done {
			n++
		}
	}
	return n
}

// putCosts writes into the profiles what is known of their costs.
func (h *Home) putCosts() {
	l := &h.lists[profilesList]
	for i, e := range l.all {
		p, ok := e.(profileEntry)
		if !ok {
			continue
		}
		if c, known := h.costs[p.hash]; known {
			p.cost = &c
			l.all[i] = p
		}
	}
	h.arrange()
}
