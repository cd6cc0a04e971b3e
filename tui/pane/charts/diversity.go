package charts

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"verge/runner/event"
	"verge/tui/board"
	"verge/tui/chart"
	"verge/tui/figure"
	"verge/tui/pane"
	"verge/tui/text"
	"verge/tui/theme"
)

// diversityPane shows how various the arm's tasks are: the measures of mode collapse against the base's and by update, and the shares of
// types.
type diversityPane struct{ pane.Still }

func newDiversity() diversityPane { return diversityPane{} }

func (diversityPane) Name() string { return "diversity" }

func (diversityPane) Title(pane.Context) string { return "diversity of valid tasks" }

func (diversityPane) View(c pane.Context, width, height int) []string {
	a := looked(c)
	if a == nil || len(a.Varieties) == 0 && a.Diversity == nil && len(a.Train.Types)+len(a.Eval.Types) == 0 {
		return pane.Nothing(c, width, "How various the arm's valid tasks are: Self-BLEU-3, Distinct-3, Vendi score, the share of the commonest type and the effective number of types, by update "+
			"and at evaluation, against the base's.", "Every recipe is measured. It comes with the first update, or with the first tasks of an evaluation.")
	}
	measures := []measure{selfBLEU, distinct, vendi, topType, effectiveTypes}
	blocks := []block{{rank: 0, min: max(2, min(1+len(measures), height/3)), max: 2 + len(measures), draw: func(width, _ int) []string { return varietyTable(c, a, measures, width) }}}
	if n := len(typeCounts(c, a)); n > 0 {
		blocks = append(blocks, block{rank: 1, min: min(3, n+1), max: n + 1, draw: func(width, height int) []string { return typeBars(c, a, width, height) }})
	}
	if steps := c.Steps[a.Name]; len(steps) > 1 && len(a.Train.Types) > 0 {
		blocks = append(blocks, block{rank: 2, min: 3, max: 1 + min(maxTypes, len(a.Train.Types)), draw: func(width, height int) []string { return typeSparks(c, a, steps, width, height) }})
	}
	if len(a.Varieties) > 1 {
		blocks = append(blocks,
			block{rank: 2, min: 6, max: height, draw: func(width, height int) []string {
				return varietyCurves(c, a, width, height, selfBLEU, distinct, topType)
			}},
			block{rank: 4, min: 6, max: height, draw: func(width, height int) []string { return varietyCurves(c, a, width, height, vendi, effectiveTypes) }})
	}
	return arrange(width, height, 2, blocks...)
}

// measure is one figure of diversity.
type measure struct {
	name string
	text func(*float64) string
	of   func(event.DiversityMeasured) *float64
}

func decimals(n int) func(*float64) string {
	return func(x *float64) string { return figure.Number(x, n) }
}

var (
	selfBLEU       = measure{"Self-BLEU-3", decimals(3), func(d event.DiversityMeasured) *float64 { return d.SelfBLEU3 }}
	distinct       = measure{"Distinct-3", decimals(3), func(d event.DiversityMeasured) *float64 { return d.Distinct3 }}
	vendi          = measure{"Vendi", decimals(1), func(d event.DiversityMeasured) *float64 { return d.Vendi }}
	topType        = measure{"top type", figure.Percent, func(d event.DiversityMeasured) *float64 { return d.TopType }}
	effectiveTypes = measure{"effective types", decimals(1), func(d event.DiversityMeasured) *float64 { return d.EffectiveTypes }}
)

// varietyTable has a row for each measure: at evaluation and the base's, at the last update and the first, and by update as a spark. What
// there is nothing of has no column.
func varietyTable(c pane.Context, a *event.Arm, measures []measure, width int) []string {
	type column struct {
		head string
		of   *event.DiversityMeasured
	}
	columns := []column{{"evaluation", a.Diversity}}
	if against := base(c); against != nil {
		columns = append(columns, column{baseArm, against.Diversity})
	}
	n := len(a.Varieties)
	if n > 0 {
		columns = append(columns, column{"last update", &a.Varieties[n-1]}, column{"first", &a.Varieties[0]})
	}
	head := []string{""}
	for _, col := range columns {
		head = append(head, col.head)
	}
	spark := min(40, n, width-58)
	if spark > 1 {
		head = append(head, text.Fit("by update", spark))
	}
	var rows []row
	for _, m := range measures {
		cells := []string{m.name}
		for _, col := range columns {
			figures := figure.Unknown
			if col.of != nil {
				figures = m.text(m.of(*col.of))
			}
			cells = append(cells, figures)
		}
		if spark > 1 {
			_, values := varietyCurve(a, m)
			cells = append(cells, chart.Spark(values, spark))
		}
		rows = append(rows, row{cells, theme.Text})
	}
	return append(table(c, width, head, rows), statementsLine(c, a, width))
}

func varietyCurve(a *event.Arm, m measure) (steps, values []float64) {
	for _, d := range a.Varieties {
		v := math.NaN()
		if x := m.of(d); x != nil {
			v = *x
		}
		steps, values = append(steps, float(d.Step+1)), append(values, v)
	}
	return steps, values
}

// varietyCurves draws measures by update, with a legend.
func varietyCurves(c pane.Context, a *event.Arm, width, height int, measures ...measure) []string {
	line := chart.Line{X: "update"}
	for i, m := range measures {
		s := chart.Series{Name: m.name, Token: theme.Series[i%len(theme.Series)], Stroke: chart.Stroke(i % 3)}
		s.X, s.Y = varietyCurve(a, m)
		line.Series = append(line.Series, s)
	}
	zero := 0.0
	line.From = &zero
	return line.Draw(c.Theme, width, height)
}

// typeCount is how often a type is among the tasks that stand for an arm, and among the base's.
type typeCount struct {
	name     string
	mine     int
	compared int
}

// typeCounts are the types of the arm's latest stage, the commonest first.
func typeCounts(c pane.Context, a *event.Arm) []typeCount {
	t, with, _ := typeTallies(c, a)
	names := map[string]bool{}
	for _, types := range []map[string]int{t.Types, with.Types} {
		for name := range types {
			names[name] = true
		}
	}
	var out []typeCount
	for name := range maps.Keys(names) {
		out = append(out, typeCount{name, t.Types[name], with.Types[name]})
	}
	slices.SortFunc(out, func(x, y typeCount) int {
		return cmp.Or(cmp.Compare(y.mine, x.mine), cmp.Compare(y.compared, x.compared), cmp.Compare(x.name, y.name))
	})
	return out
}

// typeTallies are the tallies whose types are shown: of the arm, and what it is compared with, by its name.
func typeTallies(c pane.Context, a *event.Arm) (mine, with *event.Tally, whom string) {
	mine = a.Eval
	if len(mine.Types) == 0 {
		mine = a.Train
	}
	if with, whom = compared(c, a); with == nil {
		with, whom = &event.Tally{}, baseArm
	}
	return mine, with, whom
}

// typeBars draws the share of each type among the arm's valid tasks, beside that among those it is compared with.
func typeBars(c pane.Context, a *event.Arm, width, height int) []string {
	mine, with, whom := typeTallies(c, a)
	of := "evaluation"
	if mine == a.Train {
		of = "training"
	}
	bars := chart.Bars{Max: 100, Head: []string{"type", of, "%", whom + " %"}, Text: func(b chart.Bar) string { return fmt.Sprintf("%.1f", b.Value) }}
	for _, n := range typeCounts(c, a) {
		b := chart.Bar{Label: n.name, Value: 100 * float(n.mine) / float(max(1, mine.Valid)), Low: math.NaN(), High: math.NaN(), Token: theme.SeriesA, Note: figure.Unknown}
		if with.Valid > 0 {
			b.Note = fmt.Sprintf("%.1f", 100*float(n.compared)/float(with.Valid))
		}
		bars.Rows = append(bars.Rows, b)
	}
	return bars.Draw(c.Theme, width, height)
}

// statementsLine says of how many statements the measures are, on which they depend.
func statementsLine(c pane.Context, a *event.Arm, width int) string {
	d := a.Diversity
	if d == nil && len(a.Varieties) > 0 {
		d = &a.Varieties[len(a.Varieties)-1]
	}
	if d == nil {
		return ""
	}
	return note(c, text.Cut(fmt.Sprintf("of %d statements, %d compared; Vendi of %s", d.Statements, d.Sampled, text.Safe(d.VendiFeatures)), width))
}

// maxTypes is the most types that are followed from update to update.
const maxTypes = 12

// typeSparks draws the shares of the commonest types by update, all on the scale from nothing to the largest share.
func typeSparks(c pane.Context, a *event.Arm, steps []board.Step, width, height int) []string {
	names := slices.SortedFunc(maps.Keys(a.Train.Types), func(x, y string) int {
		return cmp.Or(cmp.Compare(a.Train.Types[y], a.Train.Types[x]), cmp.Compare(x, y))
	})
	names = names[:min(len(names), height-1, maxTypes)]
	shares := make([][]float64, len(names))
	top := 0.0
	for i, name := range names {
		for _, s := range steps {
			share := ratio(s.Types[name], s.Valid)
			shares[i] = append(shares[i], share)
			if share > top {
				top = share
			}
		}
	}
	room := max(8, min(len(steps), width-40))
	var rows []row
	for i, name := range names {
		first, last := shares[i][0], shares[i][len(steps)-1]
		rows = append(rows, row{[]string{text.Safe(name), text.Fit(chart.SparkOver(shares[i], room, 0, top), room), figure.Number(&first, 1), figure.Number(&last, 1)}, theme.Text})
	}
	return table(c, width, []string{"type by update", text.Fit(fmt.Sprintf("0 to %s %%", chart.Number(top)), room), "first %", "last %"}, rows)
}
