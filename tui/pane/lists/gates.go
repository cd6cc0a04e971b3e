package lists

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/board"
	"verge/tui/figure"
	"verge/tui/keys"
	"verge/tui/pane"
	"verge/tui/text"
	"verge/tui/theme"
)

// gatesPane is a live feed of what gates decided, below totals by reason.
type gatesPane struct {
	record[board.Decision]
	refused bool // only these are shown
}

func newGates() *gatesPane { return &gatesPane{} }

func (*gatesPane) Name() string { return "gates" }

func (g *gatesPane) Title(c pane.Context) string {
	if g.refused {
		return "gates · refused only"
	}
	return "gates · " + figure.Counted(c.Decisions.Len(), "decision")
}

func (*gatesPane) Scopes() []keys.Scope { return []keys.Scope{"gates", keys.Scroll} }

// Do implements pane.Pane.
func (g *gatesPane) Do(a keys.Action, c pane.Context) tea.Cmd {
	if a != keys.Sort {
		return g.record.Do(a, c)
	}
	g.refused = !g.refused
	g.refilter()
	return nil
}

func (g *gatesPane) View(c pane.Context, width, height int) []string {
	if c.Decisions.Len() == 0 {
		return pane.Nothing(c, width, "Every proposal passes gates before it is attempted. Their decisions come here as they are made, with the reasons of those that are refused.",
			"PROPEL has one gate, validity; R-Quest adds novelty and agreement.")
	}
	var keep func(*board.Decision) bool
	if g.refused {
		keep = func(d *board.Decision) bool { return !d.Pass }
	}
	g.update(c.Decisions, keep, func(d *board.Decision, want matcher) bool {
		t := c.Tasks.At(d.Task)
		return want.any(t.Statement, d.Gate, d.Reason, d.Detail) || want.key(t.Key)
	})
	lines := gateTotals(c, width, height)
	lines = append(lines, g.search.view(c, width)...)
	if g.len() == 0 {
		return append(lines, c.PaintAll(theme.Muted, text.Wrap(fmt.Sprintf("None of %s is shown: %s.", figure.Counted(c.Decisions.Len(), "decision"), g.filters()), width))...)
	}
	return append(lines, g.lines(c, width, height-len(lines), func(d board.Decision) []string {
		return decisionLines(c, d, c.Tasks.At(d.Task), width)
	})...)
}

// filters says what is left out.
func (g *gatesPane) filters() string {
	var out []string
	if g.refused {
		out = append(out, "only refused ones are looked for")
	}
	if g.search.set() {
		out = append(out, "none contains the text")
	}
	return strings.Join(out, ", and ")
}

// wideDecision is the width from which a decision's detail stands in its first line.
const wideDecision = 100

// decisionLines draws a decision: one line, and where there is a detail and no room for it there a second.
func decisionLines(c pane.Context, d board.Decision, t board.Task, width int) []string {
	glyph, token, what := theme.Pass, theme.Good, "passed"
	if !d.Pass {
		glyph, token, what = theme.Fail, theme.Bad, text.Safe(d.Reason)
	}
	line := c.Paint(token, glyph) + " "
	reason := min(14, width/4)
	switch {
	case width >= wideDecision:
		line += c.Paint(theme.Muted, keyCell(t.Key, 28)+" "+text.Fit(text.Safe(d.Gate), 10)) + " "
		reason = 20
	case width >= 76:
		line += c.Paint(theme.Muted, keyCell(t.Key, 20)+" "+text.Fit(text.Safe(d.Gate), 10)) + " "
	case width >= 56:
		line += c.Paint(theme.Muted, keyCell(t.Key, 20)) + " "
	}
	line += c.Paint(token, text.Fit(what, reason)) + " "
	statement := text.Safe(t.Statement)
	if d.Detail == "" {
		return []string{line + statement}
	}
	detail := text.Safe(d.Detail)
	room := width - text.Width(line)
	if width >= wideDecision {
		return []string{line + text.Cut(statement, room/2) + "  " + c.Paint(theme.Muted, detail)}
	}
	return []string{line + text.Cut(statement, room), c.Paint(theme.Muted, "  "+detail)}
}
