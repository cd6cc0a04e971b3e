package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"verge/domains"
	"verge/runner/event"
	"verge/tui/compare"
	"verge/tui/fixture"
	"verge/tui/keys"
	"verge/tui/screentest"
	"verge/tui/session"
)

// run is the events of a run whose arm propel evaluates tasks of which other runs have some: of task i, right[i] of 8 attempts are right.
func run(kl string, low float64, right map[string]int, order []string) []event.Event {
	events := []event.Event{event.RunStarted{
		Profile: "quick", Recipe: "propel", Domain: "math", Seed: 1, Arms: []string{"base", "propel"}, Attempts: 8, Low: low, High: 3.0 / 8,
		Resolved:   "title = \"Quick\"\n[policy]\nkl = " + kl + "\nsteps = 30\n",
		Provenance: event.Provenance{Version: "v1", Models: []event.Model{{Role: "generator", Name: "micro-1", Digest: "sha256:01"}}},
	}}
	events = append(events, event.StageStarted{Arm: "propel", Stage: event.Eval, Total: len(order)})
	for i, statement := range order {
		k := event.Key{Arm: "propel", Stage: event.Eval, Step: 30, Proposal: i}
		events = append(events,
			event.TaskProposed{Key: k, Episode: domains.Episode{Turns: []domains.Turn{{Reply: statement}}}},
			event.TaskValidated{Key: k, Task: domains.Task{ID: domains.TaskID("math", statement), Statement: statement, Type: "sum"}, Validity: domains.Validity{Valid: true}})
		for a := range 8 {
			g := domains.Grading{Verdict: domains.Wrong, Answer: domains.Some("41"), Reason: "the answer is 42"}
			if a < right[statement] {
				g = domains.Grading{Verdict: domains.Right, Answer: domains.Some("42")}
			}
			events = append(events, event.AttemptGraded{Key: k, Attempt: a, Grading: g})
		}
	}
	return append(events, event.Evaluated{Arm: "propel"}, event.RunEnded{})
}

// runs are two runs with four tasks in common: one in band in both, one in A only, one in B only, one in neither.
func runs() (a, b session.Session) {
	first := run("0.1", 1.0/8, map[string]int{"both": 2, "onlyA": 1, "onlyB": 8, "neither": 8, "own": 3}, []string{"both", "onlyA", "onlyB", "neither", "own", "both"})
	second := run("0.3", 1.0/8, map[string]int{"both": 3, "onlyA": 6, "onlyB": 3, "neither": 0, "other": 1}, []string{"neither", "both", "onlyA", "onlyB", "other"})
	return fixture.NewSession(first), fixture.NewSession(second)
}

func open(t *testing.T, a, b session.Session) *screentest.App {
	t.Helper()
	return screentest.New(t, compare.New(screentest.Env(t, &fixture.Launcher{}), a, b))
}

func TestGolden(t *testing.T) {
	t.Run("runs", func(t *testing.T) {
		first, second := runs()
		a := open(t, first, second)
		a.Golden("tasks")
		a.Press("down", "enter")
		a.Golden("task")
		a.Press("esc", "tab")
		a.Golden("settings")
	})
	t.Run("arms", func(t *testing.T) {
		s := fixture.NewSession(fixture.PROPEL())
		open(t, s, s).Golden("arms")
	})
	t.Run("loading", func(t *testing.T) {
		first, _ := runs()
		s := fixture.NewSession(nil)
		s.State, s.Loaded = session.Loading, 0.37
		open(t, first, s).Golden("loading")
	})
}

// What a run that is still being read has come to is not known, also in the moment after it has been read.
func TestNothingIsComparedBeforeItHasBeenRead(t *testing.T) {
	first, second := runs()
	s := second.(*fixture.Session)
	s.State = session.Loading
	a := open(t, first, s)
	a.Tick()
	s.State = session.Done
	if drawn := a.Draw(120, 38); !strings.Contains(drawn, "comparing") || strings.Contains(drawn, "in band") {
		t.Errorf("before it has been compared:\n%s", drawn)
	}
	a.Tick()
	if drawn := a.Draw(120, 38); !strings.Contains(drawn, "4 shared tasks") {
		t.Errorf("compared:\n%s", drawn)
	}
}

// damaged is a run that cannot be read.
type damaged struct{ *fixture.Session }

func (damaged) Status() session.Status {
	return session.Status{State: session.Failed, Error: "cannot read the events: \x1b[31mmalformed"}
}

func TestARunThatCannotBeReadSaysWhy(t *testing.T) {
	first, _ := runs()
	a := open(t, first, damaged{fixture.NewSession(nil)})
	a.Tick()
	if drawn := a.Draw(80, 22); !strings.Contains(drawn, "! run B: cannot read the events: ") || strings.Contains(drawn, "has not begun") {
		t.Errorf("drawn\n%s", drawn)
	}
}

func TestTasksArePairedByTheirStatements(t *testing.T) {
	first, second := runs()
	a := open(t, first, second)
	drawn := a.Draw(200, 57)
	for _, want := range []string{
		"4 shared tasks, paired by statement: in band in both 1, in A only 1, in B only 1. Left out: 1 that repeat one",
		"flipped tasks 2",
		"settings that differ 1",
		"★ 1/8", "6/8", "8/8", "★ 3/8",
		// The differences of the solve rates are +1, +5, -5 and -8 eighths: mean -7/32, standard deviation 0.7316, of which half times
		// Student's 3.1824 is 1.1642; no difference of shares is below -1.
		"solve rate -21.9 [-100.0, +94.5]",
		// Those of "in band" are 0, -1, +1, 0.
		"in band +0.0 [-100.0, +100.0]",
	} {
		if !strings.Contains(drawn, want) {
			t.Errorf("%q is not shown:\n%s", want, drawn)
		}
	}
	if strings.Contains(drawn, "own") {
		t.Errorf("a task of one side alone is listed:\n%s", drawn)
	}
	// Swapped, the differences change their signs.
	a.Press("x")
	a.Tick()
	if drawn := a.Draw(200, 57); !strings.Contains(drawn, "solve rate +21.9 [-94.5, +100.0]") {
		t.Errorf("swapped:\n%s", drawn)
	}
}

// Of a long statement the board keeps the beginning: two that begin alike are not taken for one.
func TestLongStatementsAreNotPaired(t *testing.T) {
	long := strings.Repeat("a long story ", 60)
	one := fixture.NewSession(run("0.1", 1.0/8, map[string]int{long + "1": 2}, []string{long + "1", "short"}))
	two := fixture.NewSession(run("0.1", 1.0/8, map[string]int{}, []string{long + "2", "short"}))
	if drawn := open(t, one, two).Draw(120, 37); !strings.Contains(drawn, "1 shared tasks") || !strings.Contains(drawn, "Left out: 2") {
		t.Errorf("paired:\n%s", drawn)
	}
}

func TestRatesHaveIntervalsWhereTheirErrorsAreKnown(t *testing.T) {
	s := fixture.NewSession(fixture.PROPEL())
	drawn := open(t, s, s).Draw(120, 37)
	state := s.Board()
	base, propel := state.Arm("base").Eval, state.Arm("propel").Eval
	want := fmt.Sprintf("%.1f %%", 100*float64(propel.InBand)/float64(propel.Proposed))
	if !strings.Contains(drawn, want) || base.InBand == propel.InBand {
		t.Errorf("%q is not shown:\n%s", want, drawn)
	}
	// 0 of the proposals failed on either side; all of one task's are valid: no interval where the standard error says nothing.
	first, second := runs()
	for line := range strings.Lines(open(t, first, second).Draw(120, 37)) {
		if strings.HasPrefix(line, "  valid ") && (!strings.Contains(line, "+0.0") || strings.Contains(line, "[")) {
			t.Errorf("valid: %s", line)
		}
	}
}

func TestArmsOfOneRun(t *testing.T) {
	s := fixture.NewSession(fixture.PROPEL())
	a := open(t, s, s)
	if drawn := a.Draw(80, 21); !strings.Contains(drawn, "A base") || !strings.Contains(drawn, "B propel") {
		t.Errorf("base is not beside the recipe's own arm:\n%s", drawn)
	}
	a.Press("a", "A")
	a.Tick()
	if drawn := a.Draw(80, 21); !strings.Contains(drawn, "A propel") || !strings.Contains(drawn, "B base") {
		t.Errorf("the next arms:\n%s", drawn)
	}
}

func TestBandsThatDifferAreSaid(t *testing.T) {
	first, _ := runs()
	other := fixture.NewSession(run("0.1", 2.0/8, map[string]int{"both": 2}, []string{"both"}))
	if drawn := open(t, first, other).Draw(120, 37); !strings.Contains(drawn, "The bands differ: A 0.125 to 0.375 and B 0.25 to 0.375.") {
		t.Errorf("not said:\n%s", drawn)
	}
}

func TestATaskIsLookedUpOnBothSides(t *testing.T) {
	first, second := runs()
	a := open(t, first, second)
	a.Press("enter")
	drawn := a.Draw(120, 37)
	for _, want := range []string{"✓ 1  42", "✗ 7  41  (the answer is 42)", "A  ", "B  "} {
		if !strings.Contains(drawn, want) {
			t.Errorf("%q is not shown:\n%s", want, drawn)
		}
	}
	a.Press("n")
	if next := a.Draw(120, 37); next == drawn || !strings.Contains(next, "✗ 7  41") {
		t.Errorf("the next task:\n%s", next)
	}
}

// Differences that are all alike have no interval, not one of no width.
func TestNoIntervalWithoutSpread(t *testing.T) {
	same := run("0.1", 1.0/8, map[string]int{"one": 2, "two": 2}, []string{"one", "two"})
	if drawn := open(t, fixture.NewSession(same), fixture.NewSession(same)).Draw(120, 37); !strings.Contains(drawn, "in band +0.0, solve rate +0.0.") {
		t.Errorf("an interval:\n%s", drawn)
	}
}

// A comparison follows runs that go on.
func TestARunThatGoesOn(t *testing.T) {
	s := &growing{Session: fixture.NewSession(fixture.PROPEL()[:1])}
	a := open(t, s, s)
	before := a.Draw(120, 37)
	s.Session = fixture.NewSession(fixture.PROPEL())
	a.Tick()
	if after := a.Draw(120, 37); after == before {
		t.Errorf("still:\n%s", after)
	}
}

type growing struct{ *fixture.Session }

func TestEveryKeyIsAnswered(t *testing.T) {
	for _, b := range keys.Bindings.Of(keys.Comparison, keys.Scroll) {
		first, second := runs()
		a := open(t, first, second)
		if b.Action == keys.Up || b.Action == keys.PageUp || b.Action == keys.Top || b.Action == keys.Previous {
			a.Press("end")
		}
		before := a.Draw(120, 37)
		a.Press(b.Keys[0])
		if len(a.Said()) == 0 && a.Draw(120, 37) == before {
			t.Errorf("%s, key %q: nothing happens", b.Action, b.Keys[0])
		}
		// Whatever is open, no key breaks the screen.
		for _, open := range [][]string{{"enter"}, {"tab"}} {
			a.Press(open...)
			a.Press(b.Keys[0])
			a.AnySize()
		}
	}
}

func TestHostileTextStaysInTheBox(t *testing.T) {
	texts := fixture.HostileTexts()
	first, second := map[string]int{}, map[string]int{}
	for i, s := range texts {
		first[s], second[s] = i%2*2, (i+1)%2*2
	}
	one, two := run("0.1", 1.0/8, first, texts), run("\"\\u001b[31m"+strings.Repeat("x", 9000)+"\"", 1.0/8, second, texts)
	started := two[0].(event.RunStarted)
	started.Profile, started.Provenance.Models[0].Name = texts[0], texts[2]
	two[0] = started
	a := open(t, fixture.NewSession(one), fixture.NewSession(two))
	a.AnySize()
	a.Press("tab")
	a.AnySize()
	a.Press("tab")
	for range texts {
		a.Press("enter")
		a.AnySize()
		a.Press("esc", "down")
	}
	hostile := fixture.NewSession(fixture.Hostile())
	b := open(t, hostile, hostile)
	b.AnySize()
	b.Press("tab")
	b.AnySize()
}
