package charts

import (
	"cmp"
	"fmt"
	"slices"

	"verge/runner/event"
	"verge/tui/chart"
	"verge/tui/pane"
	"verge/tui/text"
	"verge/tui/theme"
)

// asksFor is what a policy on context has learned to ask for: of each factor its likeliest options, against what each was at the start, where
// all options of a factor are alike. Where there is little room a factor has one line.
func asksFor(c pane.Context, learned event.ContextUpdated, width, height int) []string {
	each := max(1, (height-1)/max(1, len(learned.Factors)))
	bars := chart.Bars{Max: 1, Head: []string{"asks for", "probability", "", "× start"}}
	for _, f := range learned.Factors {
		order := make([]int, len(f.Options))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case f.Probabilities[a] > f.Probabilities[b]:
				return -1
			case f.Probabilities[a] < f.Probabilities[b]:
				return 1
			}
			return 0
		})
		for _, o := range order[:min(each, len(order))] {
			p := f.Probabilities[o]
			bars.Rows = append(bars.Rows, chart.Bar{
				Label: text.Safe(f.Name + ": " + cmp.Or(f.Options[o], "nothing said")), Value: p, Low: p, High: p,
				Note: fmt.Sprintf("%.2f", p*float64(len(f.Options))), Token: theme.SeriesA,
			})
		}
	}
	bars.Text = func(b chart.Bar) string { return fmt.Sprintf("%.1f %%", 100*b.Value) }
	return bars.Draw(c.Theme, width, height)
}
