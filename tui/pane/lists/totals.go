package lists

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"verge/runner/event"
	"verge/tui/figure"
	"verge/tui/pane"
	"verge/tui/text"
	"verge/tui/theme"
)

// outcomes counts what became of proposals at the gates.
type outcomes struct {
	proposed, valid, errors int
	refused                 map[string]int // by reason
}

func (o *outcomes) add(tallies ...*event.Tally) {
	if o.refused == nil {
		o.refused = map[string]int{}
	}
	for _, t := range tallies {
		o.proposed += t.Proposed
		o.valid += t.Valid
		o.errors += t.Errors
		for reason, n := range t.Invalid {
			o.refused[reason] += n
		}
	}
}

// gateOutcomes counts an arm's proposals, and those of the whole run.
func gateOutcomes(s *event.State, arm string) (ofArm, all outcomes) {
	if a := s.Arm(arm); a != nil {
		ofArm.add(a.Train, a.Start, a.Choice, a.Eval)
	}
	all.add(s.Corpus, s.Sample)
	for _, a := range s.Arms {
		all.add(a.Train, a.Start, a.Choice, a.Eval)
	}
	return ofArm, all
}

// total is a line of the totals.
type total struct {
	name       string
	token      theme.Token
	ofArm, all int
}

// gateTotals draws the shares of what passed and of what was refused for each reason: of the arm that is looked at and of all, as bars
// where there is room, else in one line.
func gateTotals(c pane.Context, width, height int) []string {
	ofArm, all := gateOutcomes(c.State, c.Arm)
	totals := []total{{"passed", theme.Good, ofArm.valid, all.valid}}
	reasons := slices.SortedFunc(maps.Keys(all.refused), func(a, b string) int {
		return cmp.Or(cmp.Compare(all.refused[b], all.refused[a]), cmp.Compare(a, b))
	})
	for _, r := range reasons {
		totals = append(totals, total{r, theme.Bad, ofArm.refused[r], all.refused[r]})
	}
	room := height/2 - 2
	if room < 3 || width < 36 {
		return []string{totalsInOneLine(c, totals, all.proposed, width)}
	}
	var left string
	if len(totals) > room {
		left = fmt.Sprintf("%d more reasons", len(totals)-room)
		totals = totals[:room]
	}
	lines := totalsTable(c, totals, ofArm.proposed, all.proposed, width)
	if all.errors > 0 {
		left = strings.TrimPrefix(left+" · "+figure.Counted(all.errors, "proposal")+" failed, in no share", " · ")
	}
	return append(lines, c.Paint(theme.Border, text.Fit(left, width)))
}

func totalsInOneLine(c pane.Context, totals []total, proposed, width int) string {
	var parts []string
	for _, t := range totals {
		parts = append(parts, fmt.Sprintf("%s %s", text.Safe(t.name), figure.Percent(figure.Share(t.all, proposed))))
	}
	return c.Paint(theme.Muted, text.Whole(parts, " · ", width))
}

// totalsTable has a column of bars for the arm that is looked at, where there is one and room for two, and one for all.
func totalsTable(c pane.Context, totals []total, ofArm, all, width int) []string {
	name := min(20, width/4)
	two := ofArm > 0 && width >= 60
	column := width - name - 1
	if two {
		column = (column - 1) / 2
	}
	head := text.Fit("", name+1)
	if two {
		head += text.Fit(text.Safe(c.Arm)+", of "+figure.Count(ofArm), column) + " "
	}
	lines := []string{c.Paint(theme.Muted, head+text.Cut("all arms, of "+figure.Count(all), column))}
	for _, t := range totals {
		line := text.Fit(text.Safe(t.name), name) + " "
		if two {
			line += shareBar(c, t.token, t.ofArm, ofArm, column) + " "
		}
		lines = append(lines, line+shareBar(c, t.token, t.all, all, column))
	}
	return lines
}

// shareBar draws n of a number as a bar, its share and itself, in exactly width cells.
func shareBar(c pane.Context, k theme.Token, n, of, width int) string {
	figures := fmt.Sprintf(" %6s %6s", figure.Percent(figure.Share(n, of)), figure.Count(n))
	bar := max(0, width-len(figures))
	filled := 0
	if of > 0 {
		filled = (bar*n + of/2) / of
		if n > 0 {
			filled = max(1, filled)
		}
	}
	filled = min(filled, bar)
	return c.Paint(k, strings.Repeat("█", filled)) + text.Fit("", bar-filled) + text.Cut(figures, width)
}
