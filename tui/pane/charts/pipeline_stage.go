package charts

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"verge/domains"
	"verge/runner/event"
	"verge/tui/figure"
	"verge/tui/pane"
	"verge/tui/session"
	"verge/tui/text"
)

// stage is one part of a recipe as an arm goes through it.
type stage struct {
	name  string
	short string        // name, where a stage has one line
	what  string        // it does, in a few words
	state session.State // "": still to come
	nodes []node
	drops []string // what did not come through, and why
	// done of total units, where the stage counts them
	done, total int
	unit        string
}

// node is a station of a stage.
type node struct {
	name  string
	unit  string // of count, where a stage has one line
	count string // what came through, as it is read
	share string // of what came before, on the arrow that leads here
}

// stateOf is where a stage of an arm stands, "" where it is still to come; began says that something of it has happened.
func stateOf(c pane.Context, arm string, kind event.Stage, began bool) session.State {
	if atArm, at := present(c); at == kind && (arm == "" || arm == atArm) {
		switch c.Status.State {
		case session.Failed, session.Stopping:
			return session.Interrupted
		case session.Paused, session.Interrupted, session.Done:
			return c.Status.State
		}
		return session.Running
	}
	if began {
		return session.Done
	}
	return ""
}

// present is the arm and the stage that the run is at; no stage once it has ended.
func present(c pane.Context) (arm string, kind event.Stage) {
	if c.Ended != nil && c.Ended.Failed == "" || c.Stage == nil {
		return "", ""
	}
	// Progress tells of the training of probes, which is no stage in which proposals are announced.
	if p := c.Status.Progress; p.Arm == string(event.Probe) {
		return "", event.Probe
	}
	return c.Stage.Arm, c.Stage.Stage
}

// attempted is the stations of a tally whose valid tasks the solver attempts.
func attempted(c pane.Context, t *event.Tally) []node {
	return append(proposed(t),
		node{fmt.Sprintf("solver ×%d", c.Run.Attempts), "graded", figure.Count(t.Graded), share(t.Graded, t.Valid)},
		node{namedInBand, namedInBand, figure.Count(t.InBand), share(t.InBand, t.Graded)})
}

// proposed is the stations that every proposal passes.
func proposed(t *event.Tally) []node {
	return []node{{"generator", "proposed", figure.Count(t.Proposed), ""}, {"W valid", namedValid, figure.Count(t.Valid), share(t.Valid, t.Proposed)}}
}

// share is a part in percent, as it stands on an arrow; "" of nothing.
func share(n, of int) string {
	if of == 0 {
		return ""
	}
	return percent(n, of)
}

// drops says what of a tally did not come through, the commonest first; tasks that were not attempted are not among it.
func drops(t *event.Tally) []string {
	var out []string
	if t.Errors > 0 {
		out = append(out, figure.Counted(t.Errors, "generation")+" failed")
	}
	reasons := slices.SortedFunc(maps.Keys(t.Invalid), func(a, b string) int {
		return cmp.Or(cmp.Compare(t.Invalid[b], t.Invalid[a]), cmp.Compare(a, b))
	})
	for _, reason := range reasons {
		out = append(out, fmt.Sprintf("%s refused by W: %s", figure.Count(t.Invalid[reason]), text.Safe(reason)))
	}
	if n := t.Verdicts[domains.Error] + t.Verdicts[domains.Undecided]; n > 0 {
		out = append(out, figure.Counted(n, "attempt")+" failed or undecided")
	}
	return out
}
