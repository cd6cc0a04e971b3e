// Package grid asks which axes and seeds a sweep has, on a line that begins with those of the profile.
package grid

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"verge/profiles"
	"verge/tui/figure"
	"verge/tui/prompt"
	"verge/tui/rows"
	"verge/tui/theme"
)

// Question is what is asked, and the answer as far as it is typed.
type Question struct {
	profile *profiles.Profile
	line    *prompt.Line
	result  *profiles.Profile // with the sweep that is typed; nil where it is wrong
	wrong   string
	typed   bool // something was, so that what is wrong is the person's
}

// The parts of an answer.
const (
	separator = ";"
	seeds     = "seeds"
)

// alone is what is wrong with a grid of one run.
const alone = "one run is no sweep; give it an axis, as in policy.kl=0,0.1, or more seeds"

// Ask asks for a profile's sweep.
func Ask(p *profiles.Profile) *Question {
	var parts []string
	for _, a := range p.Sweep.Axes {
		parts = append(parts, a.String())
	}
	parts = append(parts, seeds+"="+p.Sweep.Seeds.String())
	q := &Question{profile: p, line: prompt.New("sweep:", strings.Join(parts, separator+" "))}
	q.check()
	return q
}

// Type takes a key. An answer that is wrong is not entered.
func (q *Question) Type(k tea.KeyMsg) prompt.Outcome {
	before := q.line.Value()
	outcome := q.line.Type(k)
	switch {
	case outcome == prompt.Typing:
		q.typed = q.typed || q.line.Value() != before
		q.check()
	case outcome == prompt.Entered && q.result == nil:
		q.typed = true
		return prompt.Typing
	}
	return outcome
}

// Profile is the profile with the sweep that was entered.
func (q *Question) Profile() *profiles.Profile { return q.result }

// check reads what is typed.
func (q *Question) check() {
	q.result, q.wrong = nil, ""
	var axes []string
	count := ""
	seen := map[string]bool{}
	for part := range strings.SplitSeq(q.line.Value(), separator) {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		key, value, _ := strings.Cut(part, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch {
		case seen[key]: // the profile would take the last one
			q.wrong = key + " is given twice; write all of its values in one"
		case value == "" && key == seeds:
			q.wrong = "seeds: no value; write their number, or the seeds themselves, as in seeds=11,12,13"
		case value == "":
			q.wrong = key + ": no values; write them with commas between, as in policy.kl=0,0.1"
		case key == seeds:
			count = value
		default:
			axes = append(axes, part)
		}
		if seen[key] = true; q.wrong != "" {
			return
		}
	}
	p, err := q.profile.WithGrid(axes, count)
	if err == nil {
		err = together(p)
	}
	switch {
	case err != nil:
		q.wrong = blame(err)
	case Runs(p) == 1:
		q.wrong = alone
	default:
		q.result = p
	}
}

// together looks whether values of the axes go together, in as many combinations as can be looked at between two keys; the others are looked at
// when the sweep is started.
func together(p *profiles.Profile) error {
	const most = 32
	n := 1
	for _, a := range p.Sweep.Axes {
		n *= len(a.Values)
	}
	for i := range min(n, most) {
		values := make([]any, len(p.Sweep.Axes))
		for k, a := range p.Sweep.Axes {
			values[k] = a.Values[i%len(a.Values)]
			i /= len(a.Values)
		}
		if _, err := p.Cell(values, p.Run.Seed); err != nil {
			return err
		}
	}
	return nil
}

// blame says what is wrong in terms of what is typed.
func blame(err error) string {
	e, ok := errors.AsType[*profiles.Error](err)
	if !ok {
		return err.Error()
	}
	text := e.Problem + "; " + e.Fix
	switch key := strings.TrimPrefix(e.Key, "sweep.axes."); key {
	case "":
		return text
	case "sweep.seeds":
		return seeds + ": " + text
	default:
		return key + ": " + text
	}
}

// Runs is the number of runs that a profile's sweep has.
func Runs(p *profiles.Profile) int {
	n := len(p.Sweep.Seeds.From(p.Run.Seed))
	for _, a := range p.Sweep.Axes {
		n *= len(a.Values)
	}
	return n
}

// Size is a sweep's number of runs, and what it comes of.
func Size(p *profiles.Profile) string {
	var factors []string
	for _, a := range p.Sweep.Axes {
		factors = append(factors, fmt.Sprintf("%d of %s", len(a.Values), a.Key))
	}
	factors = append(factors, figure.Counted(len(p.Sweep.Seeds.From(p.Run.Seed)), "seed"))
	return figure.Counted(Runs(p), "run") + ": " + strings.Join(factors, " × ")
}

// View draws the question into lines of a width.
func (q *Question) View(look *theme.Theme, width int) []string {
	verdict := rows.Cell{Text: theme.Fail + " " + q.wrong, Token: theme.Bad}
	if q.wrong == alone && !q.typed {
		verdict = rows.Cell{Text: "For example: policy.kl=0,0.1" + separator + " seeds=3", Token: theme.Muted}
	}
	if q.result != nil {
		verdict = rows.Cell{Text: Size(q.result) + ". Enter starts those that are not done; Esc starts none.", Token: theme.Accent}
	}
	const most = 3
	lines := rows.Paragraphs(look, []rows.Cell{{Text: "Sweep of " + q.profile.Name + ": KEY=VALUE,VALUE for each axis, and seeds, with " + separator + " between.", Token: theme.Strong}}, width, most)
	lines = append(lines, q.line.View(look, width))
	return append(lines, rows.Paragraphs(look, []rows.Cell{verdict}, width, most)...)
}
