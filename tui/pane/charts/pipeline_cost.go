package charts

import (
	"fmt"
	"strings"

	"verge/runner/event"
	"verge/tui/chart"
	"verge/tui/figure"
	"verge/tui/pane"
	"verge/tui/session"
	"verge/tui/text"
	"verge/tui/theme"
)

// pipelineFoot says how far what runs now has come and what the arm has cost: two lines, or four where the width is short.
func pipelineFoot(c pane.Context, a *event.Arm, width int) []string {
	cost := costs(c, a)
	lines := []string{progressLine(c, width)}
	line := ""
	for _, part := range cost {
		if line != "" && text.Width(line+part)+3 > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += note(c, " "+theme.Separator+" ")
		}
		line += part
	}
	return append(lines, text.Cut(line, width))
}

// progressLine is how far the present stage has come: a bar, what is left, how fast.
func progressLine(c pane.Context, width int) string {
	if e := c.Ended; e != nil {
		if e.Failed != "" {
			return c.Paint(theme.Bad, text.Cut(theme.Fail+" failed: "+text.Safe(e.Failed), width))
		}
		line := theme.Done + " all stages are done"
		if t := c.Status.Progress.Elapsed; t > 0 {
			line += ", in " + figure.Clock(t)
		}
		return c.Paint(theme.Good, text.Cut(line, width))
	}
	p := c.Status.Progress
	if p.Total <= 0 {
		p = announced(c)
	}
	what := text.Safe(strings.TrimSpace(p.Arm + " " + p.Stage))
	if p.Arm == p.Stage {
		what = text.Safe(p.Stage)
	}
	if p.Total <= 0 {
		return note(c, text.Cut(theme.Waiting+" "+what+" has not begun", width))
	}
	tail := fmt.Sprintf(" %s/%s %s", figure.Count(p.Done), figure.Count(p.Total), text.Safe(p.Unit))
	if p.Left > 0 {
		tail += ", " + figure.Clock(p.Left) + " left"
	}
	if p.Tokens > 0 {
		tail += ", " + figure.Count(int(p.Tokens)) + " tokens/s"
	}
	room := min(30, width-text.Width(what)-text.Width(tail)-1)
	if room >= 5 {
		what += " " + chart.Gauge(c.Theme, float(p.Done)/float(p.Total), room)
	}
	return text.Cut(what+tail, width)
}

// announced is how far the present stage has come by its events alone, for a run that another process carries out.
func announced(c pane.Context) session.Progress {
	s := c.Stage
	if s == nil {
		return session.Progress{Stage: "the first stage"}
	}
	p := session.Progress{Arm: s.Arm, Stage: string(s.Stage), Unit: "proposals", Total: s.Total}
	a := c.Snapshot.Arm(s.Arm)
	switch {
	case s.Stage == event.Corpus:
		p.Done = c.Corpus.Proposed + c.Corpus.Errors
	case s.Stage == event.Probe:
		p.Done = c.Sample.Proposed + c.Sample.Errors
	case a == nil:
	case s.Stage == event.Train:
		p.Done, p.Unit = len(a.Curve), "updates"
	case s.Stage == event.Start:
		p.Done = a.Start.Proposed + a.Start.Errors
	case s.Stage == event.Choice:
		p.Done = a.Choice.Proposed + a.Choice.Errors
	case s.Stage == event.Eval:
		p.Done = a.Eval.Proposed + a.Eval.Errors
	}
	return p
}

// costs are the attempts that the arm has cost so far, by what they were for, and of an arm that a probe pays, what its training would have
// cost with the solver in the loop.
func costs(c pane.Context, a *event.Arm) []string {
	part := func(label string, n int) string { return note(c, label+" ") + c.Paint(theme.Strong, figure.Count(n)) }
	parts := []string{part("attempts: to train", attemptsToTrain(c, a)), part("to measure", a.AttemptsEval())}
	if n, ok := attemptsInLoop(c, a); ok {
		said := part("with the solver in the loop", n)
		if saved := n - attemptsToTrain(c, a); saved > 0 {
			said += note(c, ", so ") + c.Paint(theme.Strong, figure.Count(saved)) + note(c, " saved")
		} else {
			said += note(c, ", so none saved")
		}
		parts = append(parts, said)
	}
	return parts
}

// attemptsToTrain is what training the arm has cost so far, the corpus of its probe included before the arm is done.
func attemptsToTrain(c pane.Context, a *event.Arm) int {
	n := a.AttemptsTrain()
	if a.Evaluated == nil && propelArms[a.Name].probe != "" {
		n += c.Corpus.Attempts
	}
	return n
}

// attemptsInLoop is how many attempts the solver would have made at the arm's valid training proposals had it paid for them: K each. It made
// none of them, so that this is no count but what would have been. false of an arm that no probe pays, or not yet.
func attemptsInLoop(c pane.Context, a *event.Arm) (int, bool) {
	if kind := propelArms[a.Name]; kind.probe == "" || !kind.trains || !begun(a.Train) {
		return 0, false
	}
	return a.Train.Valid * c.Run.Attempts, true
}

// armTable has a row for each arm: where it stands, what it made and what it cost.
func armTable(c pane.Context, width int) []string {
	var rows []row
	for _, a := range c.Arms {
		glyph, _ := pane.Mark(stateOf(c, a.Name, atOf(c, a), a.Evaluated != nil))
		loop := figure.Unknown
		if n, ok := attemptsInLoop(c, a); ok {
			loop = figure.Count(n)
		}
		proposed := 0
		for _, t := range generatedBy(a) {
			proposed += t.Proposed
		}
		r := row{[]string{glyph + " " + text.Safe(a.Name), number(a.Eval.InBandRate()), fmt.Sprint(len(a.Curve)), figure.Count(attemptsToTrain(c, a)),
			figure.Count(a.AttemptsEval()), loop, figure.Count(proposed)}, theme.Text}
		if a.Name == c.Arm {
			r.token, r.cells[0] = theme.Select, r.cells[0]+" "+theme.Selected
		}
		rows = append(rows, r)
	}
	return table(c, width, []string{"arm", namedInBand + " %", "updates", "attempts to train", "to measure", "solver in the loop", "proposed"}, rows)
}

// atOf is the stage that the run is at, if it is one of the arm's.
func atOf(c pane.Context, a *event.Arm) event.Stage {
	if arm, at := present(c); arm == a.Name {
		return at
	}
	return ""
}
