package pane

import (
	"fmt"
	"strings"

	"verge/runner/event"
	"verge/tui/figure"
	"verge/tui/session"
	"verge/tui/text"
	"verge/tui/theme"
)

// pipelineFoot says how far what runs now has come and what the arm has cost: two lines, or four where the width is short.
func pipelineFoot(c Context, a *event.Arm, width int) []string {
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
func progressLine(c Context, width int) string {
	if e := c.Ended; e != nil {
		if e.Failed != "" {
			return c.Paint(theme.Bad, text.Cut(theme.Fail+" failed: "+text.Safe(e.Failed), width))
		}
		line := theme.Done + " all stages are done"
		if t := c.Status.Progress.Elapsed; t > 0 {
			line += ", in " + figure.About(t)
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
	tail := fmt.Sprintf(" %d/%d %s", p.Done, p.Total, text.Safe(p.Unit))
	if p.Left > 0 {
		tail += ", " + figure.About(p.Left) + " left"
	}
	if p.Tokens > 0 {
		tail += ", " + figure.Count(int(p.Tokens)) + " tokens/s"
	}
	room := min(30, width-text.Width(what)-text.Width(tail)-1)
	if room >= 5 {
		what += " " + c.Paint(theme.Accent, gauge(float(p.Done)/float(p.Total), room))
	}
	return text.Cut(what+tail, width)
}

// announced is how far the present stage has come by its events alone, for a run that another process carries out.
func announced(c Context) session.Progress {
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

// gauge is a share as a bar of width cells.
func gauge(share float64, width int) string {
	n := min(width, max(0, int(share*float(width)+0.5)))
	return strings.Repeat("━", n) + strings.Repeat("╌", width-n)
}

// costs are the attempts that the arm has cost so far, by what they were for, and those that its probe has saved.
func costs(c Context, a *event.Arm) []string {
	part := func(label string, n int) string { return note(c, label+" ") + c.Paint(theme.Strong, figure.Count(n)) }
	train := a.AttemptsTrain()
	kind := propelArms[a.Name]
	if a.Evaluated == nil && kind.probe {
		train += c.Corpus.Attempts
	}
	parts := []string{part("attempts: to train", train), part("to measure", a.AttemptsEval())}
	if kind.probe && kind.trains {
		parts = append(parts, part("saved by the probe", max(0, a.Train.Valid*c.Run.Attempts-a.Train.Attempts)))
	}
	return parts
}
