package report

import (
	"fmt"
	"io"
	"math"
	"slices"

	"verge/runner/store"
)

// SweepTable writes a sweep for a person to read: what is not done, the means over seeds, the differences paired by seed, and what they
// cannot show. Rates are in percent, differences in percentage points.
func SweepTable(w io.Writer, s Sweep, style Style) error {
	p := &page{style: style}
	groups := s.groups()
	done := 0
	for _, g := range groups {
		done += g.done()
	}
	p.prose("sweep %s   profile %s   %s x %s   %d of %s done", clean(s.Name), clean(s.Profile),
		count(len(groups), "setting"), count(len(s.Seeds), "seed"), done, count(len(s.Cells), "cell"))
	lacking(p, s)
	means(p, s, groups)
	for _, reference := range s.references() {
		byArm := slices.DeleteFunc(slices.Clone(s.Comparisons), func(c SweepComparison) bool { return c.Axis != "" || c.Against.Arm != reference })
		differences(p, s, fmt.Sprintf("difference to arm %s under the same settings, paired by seed, in percentage points", clean(reference)), byArm)
	}
	for _, axis := range s.Axes {
		byAxis := slices.DeleteFunc(slices.Clone(s.Comparisons), func(c SweepComparison) bool { return c.Axis != axis.Key })
		title := fmt.Sprintf("difference to %s=%s, paired by seed, in percentage points", clean(axis.Key), ValueText(axis.Values[0]))
		differences(p, s, title, byAxis)
	}
	notes(p, s)
	p.WriteString("\nruns are stored in " + clean(s.Dir) + "\n")
	return p.print(w)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// axisHeadings are the columns that say which settings a row is of.
func (s *Sweep) axisHeadings() []string {
	var headings []string
	for _, a := range s.Axes {
		headings = append(headings, clean(a.Key))
	}
	return headings
}

func (s Settings) cells() []string {
	cells := make([]string, len(s))
	for i, x := range s {
		cells[i] = ValueText(x.Value)
	}
	return cells
}

func lacking(p *page, s Sweep) {
	var rows [][]string
	for _, c := range s.Cells {
		if c.State != store.Done {
			rows = append(rows, append(c.Settings.cells(), fmt.Sprint(c.Seed), string(c.State), clean(c.Run), clean(c.Error)))
		}
	}
	if len(rows) > 0 {
		p.title("NOT DONE, and in no figure below")
		p.grid(len(s.Axes)+1, append(s.axisHeadings(), "seed", "state", "run", "error"), rows)
	}
}

func means(p *page, s Sweep, groups []group) {
	headings := append(s.axisHeadings(), "arm", "seeds")
	for _, f := range sweepFigures {
		headings = append(headings, f.heading+" %")
	}
	var rows [][]string
	for _, g := range groups {
		seeds := fmt.Sprintf("%d/%d", g.done(), len(g.cells))
		if g.done() == 0 {
			rows = append(rows, append(g.settings.cells(), "-", seeds))
		}
		for _, arm := range g.arms() {
			row := append(g.settings.cells(), clean(arm), seeds)
			for _, f := range sweepFigures {
				row = append(row, meanText(g, arm, f.of))
			}
			rows = append(rows, row)
		}
	}
	p.title("mean over seeds (standard error over seeds)")
	p.grid(len(s.Axes)+1, headings, rows)
}

func meanText(g group, arm string, of func(Arm) *float64) string {
	mean, se, n := g.meanSE(arm, of)
	if n == 0 {
		return "-"
	}
	text := fmt.Sprintf("%.1f", 100*mean)
	if n > 1 {
		text += fmt.Sprintf(" (%.1f)", 100*se)
	}
	if n < g.done() {
		text += fmt.Sprintf(" of %d", n) // undefined at the other seeds
	}
	return text
}

func differences(p *page, s Sweep, title string, comparisons []SweepComparison) {
	var rows [][]string
	for block := range slices.Chunk(comparisons, len(sweepFigures)) {
		if !slices.ContainsFunc(block, func(c SweepComparison) bool { return c.N == 0 || c.Sign.Ties < c.N }) {
			c := block[0]
			rows = append(rows, append(c.Settings.cells(), clean(c.Arm), "all", fmt.Sprint(c.N), "the same at every seed"))
			continue
		}
		for i, c := range block {
			row := append(c.Settings.cells(), clean(c.Arm), sweepFigures[i].heading, fmt.Sprint(c.N))
			if c.N > 0 {
				row = append(row, differenceText(c), fmt.Sprintf("%d/%d/%d", c.Sign.Higher, c.Sign.Lower, c.Sign.Ties), pText(c.Sign.P))
			} else {
				row = append(row, "-")
			}
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return
	}
	p.title(title)
	p.grid(len(s.Axes)+2, append(s.axisHeadings(), "arm", "figure", "seeds", "difference [95 %]", "higher/lower/equal", "sign test p"), rows)
}

func differenceText(c SweepComparison) string {
	d := c.Difference
	text := fmt.Sprintf("%+.1f", 100**d.Value)
	if d.Low != nil && d.High != nil {
		text += fmt.Sprintf(" [%+.1f, %+.1f]", 100**d.Low, 100**d.High)
	}
	return text
}

func pText(p *float64) string {
	if p == nil {
		return "-"
	}
	return fmt.Sprintf("%.4f", *p)
}

// notes say what the differences cannot show.
func notes(p *page, s Sweep) {
	var lines []string
	most := 0
	for _, c := range s.Comparisons {
		most = max(most, c.N)
	}
	switch {
	case most == 0:
	case most == 1:
		lines = append(lines, "One seed shows no difference: there are no intervals and no tests.")
	default:
		lines = append(lines,
			fmt.Sprintf("Of %d seeds, all agreeing, the two-sided sign test gives p = %.4g and never less.", most, math.Pow(2, float64(1-most))),
			"Intervals are percentile bootstrap ones over seeds. Of few seeds they are too narrow: of three, a 95 % interval holds the true mean about three times in four, of five five times in six.",
			fmt.Sprintf("No p is corrected for the %d comparisons that were made.", len(s.Comparisons)))
	}
	lines = append(lines, s.Notes...)
	if len(lines) > 0 {
		p.WriteString("\n")
	}
	for _, l := range lines {
		p.prose("%s", clean(l))
	}
}
