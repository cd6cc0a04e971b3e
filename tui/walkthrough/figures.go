package walkthrough

import (
	"fmt"
	"math"
	"strings"

	"verge/runner/event"
	"verge/tui/board"
	"verge/tui/figure"
	"verge/tui/text"
	"verge/tui/theme"
)

func utility(v view) []string {
	const formula = "U(task) = 1  if  a ≤ right/K ≤ b,  else 0"
	if v.Run == nil {
		return []string{formula}
	}
	b := v.Band()
	return []string{fmt.Sprintf("%s      K = %d   a = %d/%d   b = %d/%d", formula, b.Attempts, b.Fewest, b.Attempts, b.Most, b.Attempts)}
}

// frontierOfChance is the chance to be in the band, by the chance of one right attempt.
func frontierOfChance(v view, width, height int) []string {
	if v.Run == nil {
		return nil
	}
	b := v.Band()
	lines := []string{v.muted("chance to be right       chance that the task is in the band")}
	for _, p := range []float64{0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1} {
		in := 0.0
		for right := b.Fewest; right <= b.Most; right++ {
			in += choose(b.Attempts, right) * math.Pow(p, float64(right)) * math.Pow(1-p, float64(b.Attempts-right))
		}
		const full = 40
		bar := int(in*full + 0.5)
		lines = append(lines, fmt.Sprintf("%16.0f %%       %s%s %3.0f %%", 100*p, v.Theme.Paint(theme.Band, strings.Repeat("█", bar)), v.Theme.Paint(theme.Border, strings.Repeat("·", full-bar)), 100*in))
	}
	return lines[:min(len(lines), height)]
}

func choose(n, k int) float64 {
	out := 1.0
	for i := range k {
		out *= float64(n-i) / float64(i+1)
	}
	return out
}

// proposed lists the last proposals of the corpus.
func proposed(most int) func(v view, width, height int) []string {
	return func(v view, width, height int) []string {
		rows := v.last(min(most, height), func(board.Task) bool { return true })
		if len(rows) == 0 {
			return []string{v.muted("the generator writes …")}
		}
		var lines []string
		for _, t := range rows {
			lines = append(lines, v.muted(text.Right(fmt.Sprint(t.Key.Proposal+1), 6)+"  ")+v.strong("%s", statement(t, width-9)))
		}
		return lines
	}
}

func validity(v view) []string {
	if v.Run == nil {
		return nil
	}
	c := v.Corpus
	return []string{fmt.Sprintf("W(task) ∈ {0, 1}      so far %s of %s valid", v.strong("%s", figure.Count(c.Valid)), figure.Count(c.Proposed))}
}

// decided lists the last verdicts of W on the corpus.
func decided(most int) func(v view, width, height int) []string {
	return func(v view, width, height int) []string {
		half := width / 2
		var lines []string
		for _, t := range v.last(min(most, height), func(t board.Task) bool { return t.Validated }) {
			line := v.Theme.Paint(theme.Good, theme.Pass+" valid")
			if !t.Valid {
				line = v.Theme.Paint(theme.Bad, theme.Fail+" "+text.Safe(t.Reason))
			}
			lines = append(lines, statement(t, half)+"  "+line)
		}
		return lines
	}
}

func solveRate(v view) []string {
	rows := attemptedRows(v, 1)
	if len(rows) == 0 {
		return []string{fmt.Sprintf("solve rate = right / K      K = %s", v.k())}
	}
	t := rows[len(rows)-1]
	if t.Graded() < v.Run.Attempts {
		return []string{fmt.Sprintf("solve rate = right / K      not known: %d of %s attempts could be graded", t.Graded(), v.k())}
	}
	in := "outside the band"
	if v.Band().Holds(t.Right, t.Graded()) {
		in = theme.InBand + " in the band"
	}
	return []string{fmt.Sprintf("solve rate = right / K = %d / %s = %s      %s", t.Right, v.k(), v.strong("%.3f", float64(t.Right)/float64(t.Graded())), v.Theme.Paint(theme.Band, in))}
}

// attemptedRows are the last tasks of the corpus that have all their attempts.
func attemptedRows(v view, most int) []board.Task {
	return v.last(most, func(t board.Task) bool { return t.Attempts() == v.Run.Attempts })
}

func corpusFigures(v view) []string {
	if v.Run == nil {
		return nil
	}
	c := v.Corpus
	lines := []string{fmt.Sprintf("corpus   %s proposed, %s valid, %s in band; %s attempts", figure.Count(c.Proposed), figure.Count(c.Valid),
		v.strong("%s", figure.Count(c.InBand)), figure.Count(c.Attempts))}
	if base := v.Arm("base"); base != nil && base.Evaluated != nil {
		lines = append(lines, factors(v, base))
	}
	return lines
}

// factors is an arm's evaluated share of in-band tasks, and its two factors.
func factors(v view, a *event.Arm) string {
	percent := func(r event.Rate) string { return figure.Percent(figure.Defined(r.Value())) }
	return fmt.Sprintf("%-8s in band %s = valid %s × %s of valid", a.Name, v.strong("%s", figure.Rate(a.Eval.InBandRate())), percent(a.Eval.ValidRate()), percent(a.Eval.InBandGivenValid()))
}

func further(v view) []string {
	var lines []string
	for _, c := range [][2]string{
		{"verge run propel-math", "ten arms: variants and baselines"},
		{"verge sweep ablate-kl", "four weights of the KL, five seeds"},
		{"verge run quick --set policy.kl=0.02", "one run with less of it"},
		{"verge", "all of this, from one screen"},
	} {
		lines = append(lines, v.strong("%s", text.Fit(c[0], 38))+c[1])
	}
	return lines
}
