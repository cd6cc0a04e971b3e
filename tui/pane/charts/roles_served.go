package charts

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"verge/runner/event"
	"verge/tui/figure"
	"verge/tui/pane"
	"verge/tui/text"
	"verge/tui/theme"
)

// awayBlock says that a server is waited for; nothing of a run whose servers are there.
func awayBlock(c pane.Context) block {
	if c.Backend.Away == "" {
		return block{}
	}
	return block{rank: 0, min: 1, max: 2, draw: func(width, height int) []string {
		lines := text.Wrap(theme.Broken+" waiting: "+text.Safe(c.Backend.Away), width)
		return c.PaintAll(theme.Bad, lines[:min(len(lines), height)])
	}}
}

// callsBlock is what became of the calls to servers; nothing of a run without any.
func callsBlock(c pane.Context) block {
	rows := callRows(c.Backend)
	if len(rows) == 0 {
		return block{}
	}
	return block{rank: 2, min: 2, max: 1 + len(rows), draw: func(width, _ int) []string {
		return table(c, width, []string{"calls", "ended as", "count"}, rows)
	}}
}

// placedBlock is what servers did with their models; nothing of a run without any.
func placedBlock(c pane.Context) block {
	rows := servedRows(c.Backend)
	if len(rows) == 0 {
		return block{}
	}
	return block{rank: 2, min: 2, max: 1 + len(rows), draw: func(width, _ int) []string {
		return table(c, width, []string{"server's model", "loads", "loading", "in GPU", "context"}, rows)
	}}
}

// callRows are the calls of each role by what became of them, the replies first.
func callRows(b event.Backend) []row {
	var rows []row
	for _, role := range slices.Sorted(maps.Keys(b.Outcomes)) {
		counts := b.Outcomes[role]
		kinds := slices.SortedFunc(maps.Keys(counts), func(x, y string) int {
			if counts[x] != counts[y] {
				return counts[y] - counts[x]
			}
			if x < y {
				return -1
			}
			return 1
		})
		for _, kind := range kinds {
			rows = append(rows, row{[]string{text.Safe(role), text.Safe(kind), figure.Count(counts[kind])}, theme.Text})
		}
	}
	return rows
}

func servedRows(b event.Backend) []row {
	var rows []row
	for _, name := range slices.Sorted(maps.Keys(b.Models)) {
		m := b.Models[name]
		share, context := figure.Unknown, figure.Unknown
		if p := m.Placement; p != nil {
			share, context = percent(int(p.VRAM>>10), int(p.Size>>10)), fmt.Sprint(p.Context)
		}
		loading := figure.Clock(time.Duration(m.Seconds * float64(time.Second)))
		rows = append(rows, row{[]string{text.Safe(name), figure.Count(m.Loads), loading, share, context}, theme.Text})
	}
	return rows
}

// sentModels are the models that the run sent to a server, by role: what the server calls each, and how often it loaded it.
func sentModels(c pane.Context) [][2]string {
	var out [][2]string
	for _, m := range c.Run.Provenance.Models {
		if m.Served == nil || m.Served.Tag == "" {
			continue
		}
		said := m.Name + " as " + m.Served.Tag + " on a server of version " + cmp.Or(m.Served.Server, "unknown")
		if on := c.Backend.Models[m.Served.Tag]; on.Loads > 0 {
			said += fmt.Sprintf(", loaded %s in %s", figure.Counted(on.Loads, "time"), figure.Clock(time.Duration(on.Seconds*float64(time.Second))))
		}
		out = append(out, [2]string{text.Safe(m.Role), said})
	}
	return out
}
