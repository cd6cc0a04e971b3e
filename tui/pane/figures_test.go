package pane_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"verge/domains"
	"verge/profiles"
	"verge/runner/event"
	"verge/tui/fixture"
	"verge/tui/pane"
	"verge/tui/runscreen"
	"verge/tui/screentest"
	"verge/tui/session"
	"verge/tui/text"
)

// drawn is a pane's drawing on a large screen.
func drawn(t *testing.T, name string, c pane.Context) string {
	t.Helper()
	for _, p := range runscreen.Panes() {
		if p.Name() == name {
			return text.Box(p.View(c, 198, 56), 198, 56)
		}
	}
	t.Fatalf("no pane %s", name)
	return ""
}

// holds fails unless a drawing has a line with all of some pieces, in their order.
func holds(t *testing.T, drawing string, pieces ...string) {
	t.Helper()
	for line := range strings.SplitSeq(drawing, "\n") {
		rest, ok := line, true
		for _, piece := range pieces {
			if _, after, found := strings.Cut(rest, piece); found {
				rest = after
			} else {
				ok = false
			}
		}
		if ok {
			return
		}
	}
	t.Errorf("no line has %q in\n%s", pieces, drawing)
}

// run is the events of a run with K = 2 and the band [0.5, 0.5] of the arms base and another.
func run(arm string, events ...event.Event) []event.Event {
	return append([]event.Event{event.RunStarted{Profile: "test", Recipe: "propel", Domain: "math", Arms: []string{"base", arm}, Attempts: 2, Low: 0.5, High: 0.5}}, events...)
}

// proposal is the events of a proposal: with a type it is valid; verdicts are a letter an attempt, as domains.Right … begin with.
func proposal(arm string, stage event.Stage, step, i int, kind, verdicts string) []event.Event {
	k := event.Key{Arm: arm, Stage: stage, Step: step, Proposal: i}
	statement := fmt.Sprint(stage, step, i)
	validity := domains.Validity{Valid: kind != "", Reason: "syntax"}
	events := []event.Event{
		event.TaskProposed{Key: k, Tokens: 10},
		event.TaskValidated{Key: k, Validity: validity, Task: domains.Task{ID: domains.TaskID("math", statement), Statement: statement, Type: kind}},
	}
	for n, letter := range verdicts {
		verdict := map[rune]domains.Verdict{'r': domains.Right, 'w': domains.Wrong, 'u': domains.Undecided, 'e': domains.Error}[letter]
		events = append(events, event.AttemptGraded{Key: k, Attempt: n, Tokens: 3, Grading: domains.Grading{Verdict: verdict}})
	}
	return events
}

func TestTheFrontierShowsTheFiguresOfTheFold(t *testing.T) {
	c := context(t, fixture.PROPEL(), "propel")
	drawing := drawn(t, "frontier", c)
	propel, base := c.Snapshot.Arm("propel").Eval, c.Snapshot.Arm("base").Eval
	for name, rates := range map[string][2]event.Rate{
		"★ in band":          {propel.InBandRate(), base.InBandRate()},
		"= valid":            {propel.ValidRate(), base.ValidRate()},
		"× in band of valid": {propel.InBandGivenValid(), base.InBandGivenValid()},
	} {
		v, _ := rates[0].Value()
		low, high, _ := rates[0].Interval()
		times, from, to, _ := rates[0].Times(rates[1])
		holds(t, drawing, name, fmt.Sprintf("%.1f", 100*v), fmt.Sprintf("[%.1f, %.1f]", 100*low, 100*high), fmt.Sprintf("%.2f [%.2f, %.2f]", times, *from, *to))
	}
}

// What was not measured is never shown as nothing.
func TestUndefinedFiguresAreShownAsSuch(t *testing.T) {
	events := append(proposal("propel", event.Eval, 1, 0, "", ""), event.TaskProposed{Key: event.Key{Arm: "propel", Stage: event.Eval}, Error: "timeout"},
		event.PolicyUpdated{Arm: "propel", Step: 1, Proposals: 8, Unscorable: 8}, event.DiversityMeasured{Arm: "propel", Stage: event.Train})
	c := context(t, run("propel", events...), "propel")
	holds(t, drawn(t, "frontier", c), "base", "–", "–")
	holds(t, drawn(t, "frontier", c), "× in band of valid", "–")
	holds(t, drawn(t, "policy", c), "reward", "–")
	holds(t, drawn(t, "policy", c), "dead groups", "–")
	holds(t, drawn(t, "diversity", c), "Self-BLEU-3", "–", "–")
	holds(t, drawn(t, "roles", c), "solver", "0", "0", "–")
	holds(t, drawn(t, "roles", c), "! generation failed", "1", "50.0 %")
}

// A few tasks that were attempted to monitor a probe say nothing of a training's share in band.
func TestMonitoringIsNoTrainingInBand(t *testing.T) {
	events := append(proposal("propel", event.Train, 0, 0, "sum", "rw"), proposal("propel", event.Train, 0, 1, "sum", "")...)
	events = append(events, event.StageStarted{Arm: "propel", Stage: event.Eval, Total: 2})
	if drawing := drawn(t, "frontier", context(t, run("propel", events...), "propel")); strings.Contains(drawing, "training") {
		t.Errorf("the training stands for the arm:\n%s", drawing)
	}
}

func TestTheRatesOfUpdatesAreKnownWhereTheirTasksWereAttempted(t *testing.T) {
	var events []event.Event
	for step := range 3 {
		for i, p := range []struct{ kind, verdicts string }{{"sum", "rw"}, {"sum", "rr"}, {"sum", "rw"}, {"", ""}} {
			events = append(events, proposal("sil-long", event.Train, step, i, p.kind, p.verdicts)...)
		}
	}
	drawing := drawn(t, "frontier", context(t, run("sil-long", events...), "sil-long"))
	holds(t, drawing, "in band", "valid", "in band of valid")
	if strings.Contains(drawing, "not known") {
		t.Errorf("in band is said to be unknown:\n%s", drawing)
	}
	// One valid task of one update was not attempted, of another update none was.
	half := append(events[:len(events)-4:len(events)-4], proposal("sil-long", event.Train, 4, 0, "sum", "")...)
	if drawing := drawn(t, "frontier", context(t, run("sil-long", half...), "sil-long")); strings.Contains(drawing, "not known") {
		t.Errorf("in band is said to be unknown of all updates:\n%s", drawing)
	}
	none := proposal("propel", event.Train, 0, 0, "sum", "")
	none = append(none, proposal("propel", event.Train, 1, 0, "sum", "")...)
	holds(t, drawn(t, "frontier", context(t, run("propel", none...), "propel")), "In band by update is not known")
	none = append(none, event.ProbeMonitored{Arm: "propel", Step: 2, Tasks: 1, Recent: 1})
	holds(t, drawn(t, "frontier", context(t, run("propel", none...), "propel")), "in band of valid, monitored", "valid")
}

// What the solver would have been asked, had it paid, is told as that, beside what it was asked, the corpus included.
func TestThePipelineCountsWhatTheProbeSaved(t *testing.T) {
	var events []event.Event
	for i := range 3 {
		events = append(events, proposal("corpus", event.Corpus, 0, i, "sum", "rw")...)
	}
	events = append(events, event.ProbeTrained{Probe: "in-band", Tasks: 3})
	without(t, drawn(t, "pipeline", context(t, run("propel", events...), "propel")), "with the solver in the loop")
	for i := range 5 { // two of them attempted to monitor the probe
		events = append(events, proposal("propel", event.Train, 0, i, []string{"sum", ""}[i/4], []string{"rr", "rr", "", "", ""}[i])...)
	}
	events = append(events, proposal("propel", event.Eval, 1, 0, "sum", "rw")...)
	holds(t, drawn(t, "pipeline", context(t, run("propel", events...), "propel")), "to train 10", "to measure 2", "with the solver in the loop 8, so none saved")
	for i := range 4 {
		events = append(events, proposal("propel", event.Train, 1, i, "sum", "")...)
	}
	holds(t, drawn(t, "pipeline", context(t, run("propel", events...), "propel")), "to train 10", "to measure 2", "with the solver in the loop 16, so 6 saved")
	without(t, drawn(t, "pipeline", context(t, run("sil-long", proposal("sil-long", event.Train, 0, 0, "sum", "rw")...), "sil-long")), "with the solver in the loop")
}

func TestThePipelineMarksWhatRuns(t *testing.T) {
	events := run("propel", event.StageStarted{Arm: "corpus", Stage: event.Corpus, Total: 2})
	events = append(events, proposal("corpus", event.Corpus, 0, 0, "sum", "rw")...)
	events = append(events, event.ProbeTrained{Probe: "in-band"}, event.StageStarted{Arm: "propel", Stage: event.Train, Total: 4})
	c := context(t, events, "propel")
	for state, mark := range map[session.State]string{session.Running: "▶", session.Watching: "▶", session.Replaying: "▶", session.Paused: "‖", session.Interrupted: "◐", session.Failed: "◐"} {
		c.Status.State = state
		drawing := drawn(t, "pipeline", c)
		holds(t, drawing, "● collect")
		holds(t, drawing, "● train the probe")
		holds(t, drawing, mark+" train the policy", "0 of 4 updates")
		holds(t, drawing, "○ evaluate")
	}
	c.Status.State, c.Status.Progress = session.Running, session.Progress{Arm: "probe", Stage: "in-band", Unit: "steps", Done: 0, Total: 1}
	holds(t, drawn(t, "pipeline", c), "▶ train the probe")
	c.Status.Progress = session.Progress{Arm: "propel", Stage: "train", Unit: "steps", Done: 1, Total: 4, Tokens: 31234, Left: 90e9}
	holds(t, drawn(t, "pipeline", c), "propel train", "━", "1/4 steps", "1:30 left", "31,234 tokens/s")
	c = context(t, append(events, event.RunEnded{}), "propel")
	holds(t, drawn(t, "pipeline", c), "● all stages are done")
}

func TestAPolicyBeyondItsLimitIsMarked(t *testing.T) {
	p, err := profiles.Load("quick", []string{"policy.max_kl=0.25"})
	if err != nil {
		t.Fatal(err)
	}
	events := run("propel", event.PolicyUpdated{Arm: "propel", Step: 1, KL: 0.1}, event.PolicyUpdated{Arm: "propel", Step: 2, KL: 0.31})
	start := events[0].(event.RunStarted)
	start.Resolved = p.Resolved()
	events[0] = start
	drawing := drawn(t, "policy", context(t, events, "propel"))
	holds(t, drawing, "KL to base", "! 0.310", "limit 0.25")
	holds(t, drawing, "╌╌ limit 0.25")
}

func TestTheProbePaneTellsOfTheArmItLooksAt(t *testing.T) {
	events := fixture.PROPEL()
	drawing := drawn(t, "probe", context(t, events, "propel"))
	holds(t, drawing, "in-band", "0.742", "[0.611, 0.853]", "0.689", "0.781", "13/84")
	holds(t, drawing, "● Platt", "0.121", "0.035")
	holds(t, drawing, "AUROC 0.620 [0.420, 0.820], of 32 tasks")
	holds(t, drawn(t, "probe", context(t, events, "base")), "base -0.43", "this arm –")
	holds(t, drawn(t, "probe", context(t, run("sil-long"), "sil-long")), "PROPEL has it")
}

// What an arm chose was sampled once, though it is proposed twice.
func TestChosenProposalsAreSampledOnce(t *testing.T) {
	events := append(proposal("best-of-n", event.Choice, 0, 0, "sum", ""), proposal("best-of-n", event.Choice, 0, 1, "sum", "")...)
	events = append(events, proposal("best-of-n", event.Eval, 0, 0, "sum", "ru")...)
	drawing := drawn(t, "roles", context(t, run("best-of-n", events...), "best-of-n"))
	holds(t, drawing, "generator", "2", "20", "10.0")
	holds(t, drawing, "solver", "2", "6", "3.0")
	holds(t, drawing, "! grading undecided", "1", "50.0 %", "of 2")
}

// Figures that are no numbers leave every pane in its box.
func TestNotANumberIsDrawn(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	var events []event.Event
	for step := range 4 {
		for i := range 4 {
			events = append(events, proposal("propel", event.Train, step, i, "sum", "")...)
			events = append(events, event.ProbeScored{Key: event.Key{Arm: "propel", Stage: event.Train, Step: step, Proposal: i}, Probe: "in-band", Logit: []float64{nan, inf, -inf, 1e300}[i], Spread: &nan})
		}
		x := []float64{nan, inf, -inf, math.MaxFloat64}[step]
		events = append(events, event.DiversityMeasured{Arm: "propel", Stage: event.Train, Step: step, SelfBLEU3: &x, Distinct3: &nan, Vendi: &x, TopType: &x, EffectiveTypes: &inf},
			event.PolicyUpdated{Arm: "propel", Step: step + 1, Reward: x, RewardSD: x, KL: x, Entropy: nan, Length: x, GradNorm: inf, Rate: x},
			event.ProbeMonitored{Arm: "propel", Step: step + 1, Probe: "in-band", AUROC: &x, AUROCLow: &nan, AUROCHigh: &inf})
	}
	events = append([]event.Event{event.ProbeTrained{Probe: "in-band", Quality: event.ProbeQuality{AUROC: &nan, RVP: &inf,
		Calibrations: []event.Calibration{{Method: event.Platt, Brier: &nan, Bins: []event.Reliability{{Predicted: nan, Tasks: 1}, {Predicted: inf}}}}},
		Deciles: []event.Decile{{Low: -inf, High: nan, Tasks: 0}, {Low: nan, High: inf, Tasks: 3, InBand: 3}}}}, events...)
	c := context(t, run("propel", events...), "propel")
	for _, p := range runscreen.Panes() {
		for _, width := range []int{20, 58, 118, 198} {
			for _, height := range []int{4, 16, 56} {
				screentest.Fills(t, text.Box(p.View(c, width, height), width, height), width, height)
			}
		}
	}
}

func without(t *testing.T, drawing, part string) {
	t.Helper()
	if strings.Contains(drawing, part) {
		t.Errorf("%q is drawn:\n%s", part, drawing)
	}
}
