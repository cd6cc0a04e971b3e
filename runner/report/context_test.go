package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verge/domains"
	"verge/runner/event"
)

// A run of a context policy: the oracle agrees on two of four tasks and an answer of one cannot be had; one of the two is in band.
func steered() []event.Event {
	events := []event.Event{event.RunStarted{Recipe: "propel", Arms: []string{"propel"}, Attempts: 2, Low: .5, High: .5,
		Provenance: event.Provenance{Models: []event.Model{{Role: "generator", Name: "m"}}}}}
	verdicts := []domains.Verdict{domains.Right, domains.Right, domains.Right, domains.Wrong}
	for i, answers := range []string{"7 7", "7 7", "7 8", "7 !"} {
		k := event.Key{Arm: "propel", Stage: event.Eval, Proposal: i}
		events = append(events, event.TaskProposed{Key: k}, event.TaskValidated{Key: k, Validity: domains.Validity{Valid: true},
			Task: domains.Task{ID: fmt.Sprint(i), Statement: fmt.Sprint("task ", i)}})
		e := event.OracleAnswered{Key: k}
		for _, a := range strings.Fields(answers) {
			if a == "!" {
				e.Answers = append(e.Answers, event.OracleAnswer{Error: "timeout"})
				continue
			}
			e.Answers = append(e.Answers, event.OracleAnswer{Answer: domains.Some(a)})
		}
		if e.Agreed = i < 2; e.Agreed {
			e.Answer = domains.Some("7")
		}
		events = append(events, e)
	}
	for i, v := range verdicts {
		events = append(events, event.AttemptGraded{Key: event.Key{Arm: "propel", Stage: event.Eval, Proposal: i / 2}, Attempt: i % 2, Grading: domains.Grading{Verdict: v}})
	}
	learned := func(step int, p float64) event.Event {
		return event.ContextUpdated{Arm: "propel", Step: step, Factors: []event.FactorLearned{{Name: "difficulty", Options: []string{"", "hard"}, Probabilities: []float64{1 - p, p}}}}
	}
	return append(events, learned(1, .25), learned(2, .75), event.Measured{Arm: "propel", Steps: 2, KL: .125, Entropy: .5, PerCue: true}, event.Evaluated{Arm: "propel"})
}

func TestOraclesAndCuesAreReported(t *testing.T) {
	s := summarise(t, steered()...)
	a := s.Arms[0]
	if diff := cmp.Diff(&Oracles{Asked: 4, Agreed: 2, Disagreed: 1, Calls: 8, Errors: 1}, a.Oracles); diff != "" {
		t.Error(diff)
	}
	// One in band of two with an answer, of four valid ones: what is conditional on agreement is told apart.
	if *a.PostOracle != 0.5 || *a.InBandGivenValid != 0.25 || a.Ungraded != 2 || !a.PerCue {
		t.Errorf("%+v", a)
	}
	if len(a.AsksFor) != 1 || a.AsksFor[0].Probabilities[1] != .75 {
		t.Errorf("asks for %+v", a.AsksFor)
	}
	var b bytes.Buffer
	if err := Table(&b, s, Style{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"propel    4             50.0 %      1              8         1        50.0 %", "0.125 a cue", "propel     difficulty   hard          75.0 %      50.0 %"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("want %q in\n%s", want, b.String())
		}
	}
}
