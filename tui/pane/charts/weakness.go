package charts

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"verge/runner/event"
	"verge/tui/chart"
	"verge/tui/figure"
	"verge/tui/keys"
	"verge/tui/pane"
	"verge/tui/rows"
	"verge/tui/text"
	"verge/tui/theme"
)

// weaknessPane shows what the solver fails at: by mode of step for the arm that is looked at, and beside each other for all arms.
type weaknessPane struct {
	pane.Still
	scroll rows.Scroll
}

func newWeakness() *weaknessPane { return &weaknessPane{} }

func (*weaknessPane) Name() string              { return "weakness" }
func (*weaknessPane) Title(pane.Context) string { return "weakness of the solver" }
func (*weaknessPane) Scopes() []keys.Scope      { return []keys.Scope{keys.Scroll} }

func (w *weaknessPane) Do(a keys.Action, _ pane.Context) tea.Cmd {
	w.scroll.Move(a)
	return nil
}

// wideWeakness is the width from which the heat map stands beside the bars.
const wideWeakness = 130

func (w *weaknessPane) View(c pane.Context, width, height int) []string {
	arms := measuredArms(c)
	if len(arms) == 0 {
		return pane.Nothing(c, width, "How often the solver fails at each mode of step, such as a carry or a borrow, with the steps and tasks behind each figure. It is "+
			"measured at the end of each arm, from the steps of its attempts.",
			"PROPEL measures it. DIAG-POP aims with it: it would add the modes that each teacher has as targets, and how many tasks cover each.")
	}
	modes := modesOf(arms)
	if len(arms) == 1 {
		return pane.Scrolled(c, &w.scroll, failureBars(c, arms[0], width), width, height)
	}
	if width >= wideWeakness {
		left := width / 2
		bars, heat := failureBars(c, arms[0], left), failureHeat(c, arms, modes, width-left-2)
		lines := make([]string, max(len(bars), len(heat)))
		for i := range lines {
			lines[i] = text.Fit(lineOf(bars, i), left) + "  " + lineOf(heat, i)
		}
		return pane.Scrolled(c, &w.scroll, lines, width, height)
	}
	return pane.Scrolled(c, &w.scroll, slices.Concat(failureBars(c, arms[0], width), []string{""}, failureHeat(c, arms, modes, width)), width, height)
}

func lineOf(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// measuredArms are the arms whose weakness is known, the one that is looked at first.
func measuredArms(c pane.Context) []*event.Arm {
	var arms []*event.Arm
	for _, a := range c.Arms {
		switch {
		case a.Weakness == nil:
		case a.Name == c.Arm:
			arms = slices.Insert(arms, 0, a)
		default:
			arms = append(arms, a)
		}
	}
	return arms
}

// modesOf lists the modes that any of some arms exercised: those of the first one, the surest failures first, then what others add.
func modesOf(arms []*event.Arm) []string {
	var modes []string
	for _, a := range arms {
		for _, m := range bySureness(a.Weakness.Modes) {
			if !slices.Contains(modes, m.Mode) {
				modes = append(modes, m.Mode)
			}
		}
	}
	return modes
}

// bySureness orders modes by the lower ends of their intervals, so that one of a few steps, all failed, is not first.
func bySureness(modes []event.ModeRate) []event.ModeRate {
	return slices.SortedStableFunc(slices.Values(modes), func(a, b event.ModeRate) int { return cmp.Compare(b.Low, a.Low) })
}

// failureBars draws an arm's failure rates with their intervals and the counts behind them.
func failureBars(c pane.Context, arm *event.Arm, width int) []string {
	bars := chart.Bars{Max: 1, Head: []string{"mode of step", "failed, 95 % interval", "", "failed of steps, in tasks"}}
	figures := map[string]string{}
	for _, m := range bySureness(arm.Weakness.Modes) {
		figures[m.Mode] = fmt.Sprintf("%s [%.0f, %.0f]", percent(m.Failed, m.Steps), 100*m.Low, 100*m.High)
		bars.Rows = append(bars.Rows, chart.Bar{Label: m.Mode, Value: m.Rate, Low: m.Low, High: m.High, Token: theme.Bad,
			Note: fmt.Sprintf("%s of %s, in %s", figure.Count(m.Failed), figure.Count(m.Steps), figure.Count(m.Tasks))})
	}
	bars.Text = func(b chart.Bar) string { return figures[b.Label] }
	head := c.Paint(theme.Strong, "at the tasks of "+text.Safe(arm.Name))
	if w := arm.Weakness; w.Silent > 0 {
		head += note(c, fmt.Sprintf("; %s of %s attempts show no step and are in no rate", figure.Count(w.Silent), figure.Count(w.Attempts)))
	}
	return append([]string{text.Cut(head, width)}, bars.Draw(c.Theme, width, len(bars.Rows)+1)...)
}

// failureHeat draws the failure rates of all arms, in percent. A mode that an arm did not exercise has none.
func failureHeat(c pane.Context, arms []*event.Arm, modes []string, width int) []string {
	heat := chart.Heat{Rows: modes, Low: 0, High: 1, Text: func(v float64) string { return fmt.Sprintf("%.0f", 100*v) }}
	for _, a := range arms {
		name := a.Name
		if name == c.Arm {
			name = theme.Selected + name
		}
		heat.Columns = append(heat.Columns, name)
	}
	for _, mode := range modes {
		row := make([]float64, len(arms))
		for i, a := range arms {
			row[i] = math.NaN()
			for _, m := range a.Weakness.Modes {
				if m.Mode == mode {
					row[i] = m.Rate
				}
			}
		}
		heat.Values = append(heat.Values, row)
	}
	head := c.Paint(theme.Strong, text.Cut("% failed, by arm; "+chart.Undefined+" not exercised", width))
	return append([]string{head}, heat.Draw(c.Theme, width, len(modes)+1)...)
}
