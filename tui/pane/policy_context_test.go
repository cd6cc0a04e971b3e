package pane

import (
	"strings"
	"testing"

	"verge/domains"
	"verge/runner/event"
	"verge/tui/fixture"
	"verge/tui/theme"
)

// steered is a run whose policy is one on context.
func steered() []event.Event {
	events := []event.Event{event.RunStarted{Profile: "small", Recipe: "propel", Domain: "math", Arms: []string{"propel"}, Attempts: 2, Low: 0.5, High: 0.5}}
	k := event.Key{Arm: "propel", Stage: event.Train}
	events = append(events,
		event.TaskProposed{Key: k, Cue: domains.Cue{Options: []int{1, 0}, Exemplars: []string{"What is 2+2?"}}, Episode: domains.Episode{Turns: []domains.Turn{{Reply: "What is 3+4?"}}}},
		event.TaskValidated{Key: k, Task: domains.Task{ID: "1", Statement: "What is 3+4?"}, Validity: domains.Validity{Valid: true}},
		event.OracleAnswered{Key: k, Agreed: true, Answer: domains.Some("7"), Answers: []event.OracleAnswer{
			{Answer: domains.Some("7"), Episode: domains.Episode{Turns: []domains.Turn{{Reply: "It is \\boxed{7}"}}}}, {Error: "the server went away"},
		}},
		event.PolicyUpdated{Arm: "propel", Step: 1, Proposals: 1, Valid: 1, KL: 0.2, Entropy: 1.1, PerCue: true},
		event.ContextUpdated{Arm: "propel", Step: 1, Factors: []event.FactorLearned{
			{Name: "topic", Options: []string{"", "shopping"}, Probabilities: []float64{0.25, 0.75}},
			{Name: "difficulty", Options: []string{"", "easy", "hard"}, Probabilities: []float64{0.2, 0.5, 0.3}},
		}})
	return events
}

func TestThePolicyPaneShowsWhatAContextPolicyAsksFor(t *testing.T) {
	s := fixture.NewSession(steered())
	look, err := theme.New("dark")
	if err != nil {
		t.Fatal(err)
	}
	c := Context{Snapshot: s.Board(), Theme: look, Arm: "propel"}
	lines := strings.Join(newPolicy().View(c, 80, 24), "\n")
	for _, want := range []string{"topic: shopping", "75.0 %", "1.50", "difficulty: easy", "nats/cue"} {
		if !strings.Contains(lines, want) {
			t.Errorf("%q is not shown:\n%s", want, lines)
		}
	}
	// The likeliest option comes first.
	if strings.Index(lines, "topic: shopping") > strings.Index(lines, "topic: nothing said") && strings.Contains(lines, "topic: nothing said") {
		t.Errorf("the options are not ordered:\n%s", lines)
	}
}

func TestATaskShowsItsCueAndWhatOraclesAnswered(t *testing.T) {
	s := fixture.NewSession(steered())
	d, err := s.Detail(event.Key{Arm: "propel", Stage: event.Train})
	if err != nil {
		t.Fatal(err)
	}
	document := taskDocument(s.Board().State, &reading{detail: d}, true)
	var text strings.Builder
	for _, p := range document {
		text.WriteString(p.mark + " " + p.text + "\n")
	}
	for _, want := range []string{"topic shopping", "difficulty says nothing of it", "exemplars 1", "oracle       7", "It is \\boxed{7}", "the server went away"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not shown:\n%s", want, text.String())
		}
	}
}
