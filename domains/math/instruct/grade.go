package instruct

import (
	"strings"

	"verge/domains"
	"verge/domains/math"
	"verge/domains/math/grade"
)

// Grade compares what an attempt answers with the oracle's answer, by the grader of package grade. Without an oracle's answer the attempt is
// undecided; one of no turns at all is an error.
func (Domain) Grade(_ domains.Dialect, _ domains.Style, t domains.Task, e domains.Episode) domains.Grading {
	if len(e.Turns) == 0 {
		return domains.Grading{Verdict: domains.Error, Reason: "the attempt has no turn"}
	}
	a := answer(e.Last(), e.Cut())
	switch {
	case !t.Oracle.Known:
		return domains.Grading{Verdict: domains.Undecided, Answer: a, Reason: "no oracle answer"}
	case !a.Known && e.Cut():
		return domains.Grading{Verdict: domains.Wrong, Reason: "cut off before it answered"}
	case !a.Known && number.MatchString(spoken(e.Last())):
		return domains.Grading{Verdict: domains.Wrong, Reason: "it does not say which of its numbers is the answer"}
	case !a.Known:
		return domains.Grading{Verdict: domains.Wrong, Reason: "no answer"}
	}
	r := grade.Judge(t.Oracle.Text, a.Text)
	switch r.Verdict {
	case grade.Equal:
		return domains.Grading{Verdict: domains.Right, Answer: a}
	case grade.Different:
		return domains.Grading{Verdict: domains.Wrong, Answer: a, Reason: r.Reason}
	}
	return domains.Grading{Verdict: domains.Undecided, Answer: a, Reason: r.Reason}
}

// Steps are the equations between numbers in an attempt, each with what it exercises and whether it holds, and the answer last. An answer
// has the mode of the equation before it; one without has that of reading the problem.
func (Domain) Steps(t domains.Task, e domains.Episode) []domains.Step {
	steps := math.Equations(spoken(e.Last()))
	a := answer(e.Last(), e.Cut())
	if !a.Known {
		return steps
	}
	mode := math.ModeReading
	if n := len(steps); n > 0 {
		mode = steps[n-1].Mode
	}
	ok := t.Oracle.Known && grade.Judge(t.Oracle.Text, a.Text).Verdict == grade.Equal
	if ok || len(steps) == 0 || !allHold(steps) {
		return append(steps, domains.Step{Text: strings.TrimSpace(a.Text), Mode: mode, OK: ok})
	}
	// Every equation holds and the answer is wrong: what was calculated was not what was asked.
	return append(steps, domains.Step{Text: strings.TrimSpace(a.Text), Mode: math.ModeReading, OK: false})
}

func allHold(steps []domains.Step) bool {
	for _, s := range steps {
		if !s.OK {
			return false
		}
	}
	return true
}
