package charts

import (
	"fmt"
	"strings"

	"verge/domains"
	"verge/runner/event"
	"verge/tui/figure"
	"verge/tui/pane"
	"verge/tui/text"
	"verge/tui/theme"
)

// rolesPane shows which models play which roles, what they have sampled, what went wrong with them, and where the numbers come from.
type rolesPane struct{ pane.Still }

func newRoles() rolesPane { return rolesPane{} }

func (rolesPane) Name() string { return "roles" }

func (rolesPane) Title(pane.Context) string { return "roles" }

func (rolesPane) View(c pane.Context, width, height int) []string {
	if c.Run == nil {
		return pane.Nothing(c, width, "Which model plays which role, behind which backend; what each has sampled and how fast; errors by kind; and what fixes the run's numbers.",
			"Every recipe has roles. They are known as soon as the run has started.")
	}
	models, work, errors, sent := c.Run.Provenance.Models, samplings(c), failures(c), sentModels(c)
	return arrange(width, height, 2,
		awayBlock(c),
		block{rank: 0, min: min(2, 1+len(models)), max: 1 + len(models), draw: func(width, _ int) []string { return modelTable(c, models, width) }},
		block{rank: 1, min: 1 + len(work), max: 2 + len(work), draw: func(width, height int) []string { return samplingTable(c, work, width) }},
		callsBlock(c),
		placedBlock(c),
		block{rank: 2, min: 1 + len(errors), max: 1 + len(errors), draw: func(width, _ int) []string { return failureTable(c, errors, width) }},
		block{rank: 3, min: 2, max: 6 + 2*len(sent), draw: func(width, height int) []string { return provenance(c, sent, width, height) }},
	)
}

func modelTable(c pane.Context, models []event.Model, width int) []string {
	var rows []row
	for _, m := range models {
		digest := strings.TrimPrefix(text.Safe(m.Digest), "sha256:")
		if digest == "" {
			digest = figure.Unknown
		}
		rows = append(rows, row{[]string{text.Safe(m.Role), text.Safe(m.Name), text.Safe(m.Backend), text.Cut(digest, 13)}, theme.Text})
	}
	return table(c, width, []string{"role", "model", "backend", "digest"}, rows)
}

// sampling is what a role has sampled over all stages of all arms.
type sampling struct {
	role            string
	samples, tokens int
}

func samplings(c pane.Context) []sampling {
	generator, solver, oracles := sampling{role: "generator"}, sampling{role: "solver"}, sampling{role: "oracles"}
	for _, t := range generated(c) {
		generator.samples += t.Proposed + t.Errors
		generator.tokens += t.ProposalTokens
	}
	for _, t := range attemptedOf(c) {
		solver.samples += t.Attempts
		solver.tokens += t.AttemptTokens
		oracles.samples += t.OracleCalls
		oracles.tokens += t.OracleTokens
	}
	if oracles.samples == 0 {
		return []sampling{generator, solver}
	}
	return []sampling{generator, solver, oracles}
}

// generated are the tallies whose proposals were sampled: those that an arm chose are entered into its evaluation, not sampled for it.
func generated(c pane.Context) []*event.Tally {
	out := []*event.Tally{c.Corpus, c.Sample}
	for _, a := range c.Arms {
		out = append(out, generatedBy(a)...)
	}
	return out
}

func generatedBy(a *event.Arm) []*event.Tally {
	if a.Choice.Proposed > 0 {
		return []*event.Tally{a.Train, a.Start, a.Choice}
	}
	return []*event.Tally{a.Train, a.Start, a.Eval}
}

// attemptedOf are the tallies whose tasks may be attempted.
func attemptedOf(c pane.Context) []*event.Tally {
	out := []*event.Tally{c.Corpus}
	for _, a := range c.Arms {
		out = append(out, a.Train, a.Start, a.Eval)
	}
	return out
}

func samplingTable(c pane.Context, work []sampling, width int) []string {
	var rows []row
	for _, s := range work {
		each := figure.Unknown
		if s.samples > 0 {
			v := float(s.tokens) / float(s.samples)
			each = figure.Number(&v, 1)
		}
		rows = append(rows, row{[]string{s.role, figure.Count(s.samples), figure.Count(s.tokens), each}, theme.Text})
	}
	lines := table(c, width, []string{"sampled", "replies", "tokens", "tokens/reply"}, rows)
	now := "in this stage: " + figure.Unknown + " tokens/s"
	if p := c.Status.Progress; p.Tokens > 0 {
		now = fmt.Sprintf("in this stage, %s %s: %s tokens/s", text.Safe(p.Arm), text.Safe(p.Stage), figure.Count(int(p.Tokens)))
	}
	return append(lines, note(c, text.Cut(now, width)))
}

// failure is a kind of error and how often it came about, of how many.
type failure struct {
	what  string
	n, of int
	token theme.Token
}

func failures(c pane.Context) []failure {
	generation := failure{what: "generation failed", token: theme.Bad}
	broken, undecided := failure{what: "attempt failed", token: theme.Bad}, failure{what: "grading undecided", token: theme.Warn}
	oracle := failure{what: "oracle failed", token: theme.Bad}
	for _, t := range generated(c) {
		generation.n += t.Errors
		generation.of += t.Proposed + t.Errors
	}
	for _, t := range attemptedOf(c) {
		broken.n += t.Verdicts[domains.Error]
		undecided.n += t.Verdicts[domains.Undecided]
		broken.of += t.Attempts
		oracle.n += t.OracleErrors
		oracle.of += t.OracleCalls
	}
	undecided.of = broken.of
	if oracle.of == 0 {
		return []failure{generation, broken, undecided}
	}
	return []failure{generation, broken, undecided, oracle}
}

func failureTable(c pane.Context, failures []failure, width int) []string {
	var rows []row
	for _, f := range failures {
		r := row{[]string{f.what, figure.Count(f.n), percent(f.n, f.of), "of " + figure.Count(f.of)}, theme.Text}
		if f.n > 0 {
			r.token, r.cells[0] = f.token, theme.Broken+" "+f.what
		}
		rows = append(rows, r)
	}
	return table(c, width, []string{"errors", "count", "share", ""}, rows)
}

// factLabel is the cells of what a fact of provenance is of.
const factLabel = 11

// provenance is where the run's numbers come from, as far as the height has room.
func provenance(c pane.Context, sent [][2]string, width, height int) []string {
	p := c.Run.Provenance
	repeat := "seeded: another run of the same seed need not give the same events"
	if p.Deterministic {
		repeat = "deterministic: on these CPU features a seed gives the same events"
	}
	cpu := strings.Join(p.CPU, " ")
	if cpu == "" {
		cpu = "no SIMD kernels"
	}
	facts := [][2]string{
		{"verge", p.Version + ", " + p.Go + ", " + p.OS + "/" + p.Arch + ", " + cpu},
		{"numbers", repeat},
		{"run", c.Run.Profile + ", recipe " + c.Run.Recipe + " on " + c.Run.Domain + ", seed " + fmt.Sprint(c.Run.Seed)},
	}
	var lines []string
	for _, f := range append(sent, facts...) {
		for i, line := range text.Wrap(f[1], max(1, width-factLabel)) {
			label := f[0]
			if i > 0 {
				label = ""
			}
			lines = append(lines, c.Paint(theme.Muted, text.Fit(label, factLabel))+line)
		}
	}
	if len(lines) > height && height > 0 {
		lines = lines[:height]
		lines[height-1] = text.Cut(lines[height-1]+" "+text.Ellipsis, width)
	}
	return lines
}
