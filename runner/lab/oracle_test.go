package lab

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verge/domains"
	"verge/domains/math"
	"verge/domains/prompt"
	"verge/runner/backend"
	"verge/runner/event"
)

// asked is a domain whose tasks have no exact answer: oracles say "yes", "no", or nothing.
type asked struct{ math.Domain }

func (asked) Validate(t *domains.Task) domains.Validity {
	return domains.Validity{Valid: t.Statement != ""}
}

func (asked) OracleTurn(_ domains.Dialect, t domains.Task, e domains.Episode) (prompt.Prompt, bool) {
	return prompt.Prompt{prompt.Text("oracle " + t.Statement)}, len(e.Turns) == 0
}

func (asked) ReadAnswer(_ domains.Dialect, e domains.Episode) domains.Answer {
	return domains.Answer{Text: e.Last(), Known: e.Last() != ""}
}

func (asked) Agree(a, b string) bool { return a == b }

// statements proposes one after another.
func statements(list ...string) *scripted {
	n := 0
	return &scripted{reply: func(string, uint64) backend.Reply {
		n++
		return backend.Reply{Text: list[(n-1)%len(list)], Count: 4}
	}}
}

// answering is an oracle that answers a task by its script, one answer after another; "!" is a call that comes to nothing.
func answering(script map[string]string) *scripted {
	next := map[string]int{}
	return &scripted{reply: func(p string, _ uint64) backend.Reply {
		task := strings.TrimPrefix(p, "oracle ")
		answers := strings.Fields(script[task])
		a := answers[next[task]%len(answers)]
		next[task]++
		switch a {
		case "!":
			return backend.Reply{Err: errors.New("connection lost")}
		case "-":
			return backend.Reply{}
		}
		return backend.Reply{Text: a, Count: 2}
	}}
}

func oracledLab(solver *scripted, l *log, oracles ...*scripted) *Lab {
	b := newLab(solver, l)
	b.Domain, b.Answers, b.MaxErrors = asked{}, 2, 0.5
	for _, o := range oracles {
		b.Oracles = append(b.Oracles, Oracle{Model: o})
	}
	return b
}

func TestOnlyTasksWhoseOraclesAgreeAreAttempted(t *testing.T) {
	tasks := []string{"all-agree", "second-differs", "first-differs", "says-nothing", "lost"}
	one := answering(map[string]string{"all-agree": "yes yes", "second-differs": "yes yes", "first-differs": "yes no", "says-nothing": "yes -", "lost": "yes !"})
	two := answering(map[string]string{"all-agree": "yes yes", "second-differs": "yes no"})
	solver := &scripted{reply: func(string, uint64) backend.Reply { return backend.Reply{Text: "yes"} }}
	var events log
	l := oracledLab(solver, &events, one, two)
	proposals, err := l.Propose(context.Background(), Generator{Model: statements(tasks...)}, "a", event.Eval, 0, len(tasks))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // what was asked is not asked again
		if err := l.Attempt(context.Background(), proposals); err != nil {
			t.Fatal(err)
		}
	}
	for i, p := range proposals {
		if agreed := i == 0; !p.Valid() || agreed != p.Task.Oracle.Known || agreed != (p.Gradings != nil) {
			t.Errorf("%s: oracle %+v, gradings %v", p.Task.Statement, p.Task.Oracle, p.Gradings)
		}
	}
	if n := len(one.seeds); n != 2*len(tasks) {
		t.Errorf("the first oracle was asked %d times", n)
	}
	if n := len(two.seeds); n != 2*2 {
		t.Errorf("the second oracle was asked %d times, of two tasks that the first agrees on", n)
	}
	if n := len(solver.seeds); n != 4 {
		t.Errorf("%d attempts at one task", n)
	}

	s := folded(t, events.events)
	e := s.Arm("a").Eval
	type counts struct{ asked, agreed, disagreed, calls, errors, tokens, oracled, attempts, ungraded int }
	want := counts{asked: 5, agreed: 1, disagreed: 3, calls: 14, errors: 1, tokens: 2 * 12, oracled: 1, attempts: 4, ungraded: 4}
	if got := (counts{e.Asked, e.Agreed, e.Disagreed, e.OracleCalls, e.OracleErrors, e.OracleTokens, e.Oracled, e.Attempts, e.Ungraded()}); got != want {
		t.Errorf("folded %+v, want %+v", got, want)
	}
	if e.InBand != 0 || e.Graded != 1 || !e.Settled() {
		t.Errorf("in band %d, graded %d, settled %v", e.InBand, e.Graded, e.Settled())
	}
}

// folded is the state after events of an arm that is evaluated, and not ended.
func folded(t *testing.T, events []event.Event) *event.State {
	t.Helper()
	var fold event.Fold
	all := append([]event.Event{event.RunStarted{Arms: []string{"a"}, Attempts: 4, Low: .25, High: .75}, event.StageStarted{Arm: "a", Stage: event.Eval}}, events...)
	for _, e := range all {
		if err := fold.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	return fold.Snapshot()
}

func TestOraclesAreAskedInTurnAndBeforeTheSolver(t *testing.T) {
	var order []string
	note := func(who string, reply string) *scripted {
		return &scripted{reply: func(string, uint64) backend.Reply {
			if len(order) == 0 || order[len(order)-1] != who {
				order = append(order, who)
			}
			return backend.Reply{Text: reply}
		}}
	}
	var events log
	l := oracledLab(note("solver", "yes"), &events, note("first", "yes"), note("second", "yes"))
	n := 0
	generator := &scripted{reply: func(string, uint64) backend.Reply { n++; return backend.Reply{Text: fmt.Sprint("task ", n)} }}
	proposals, err := l.Propose(context.Background(), Generator{Model: generator}, "a", event.Eval, 0, attemptedAtOnce+10)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Attempt(context.Background(), proposals); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"first", "second", "solver"}, order); diff != "" {
		t.Error(diff)
	}
	seen := map[uint64]bool{}
	for _, m := range []*scripted{generator, l.Oracles[0].Model.(*scripted), l.Oracles[1].Model.(*scripted), l.Solver.Model.(*scripted)} {
		for _, s := range m.seeds {
			if seen[s] {
				t.Fatal("two samples have one seed")
			}
			seen[s] = true
		}
	}
}

// A domain whose tasks have their exact answers asks no oracle; one in whose runs there is none attempts what it can grade.
func TestATaskWithAnAnswerNeedsNoOracle(t *testing.T) {
	oracle := answering(map[string]string{"2+3": "5"})
	solver := &scripted{reply: func(string, uint64) backend.Reply { return backend.Reply{Text: "5"} }}
	var events log
	l := oracledLab(solver, &events, oracle)
	l.Domain = math.Domain{}
	proposals, err := l.Propose(context.Background(), Generator{Model: statements("2+3"), Dialect: domains.Compact}, "a", event.Eval, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Attempt(context.Background(), proposals); err != nil {
		t.Fatal(err)
	}
	if len(oracle.seeds) != 0 || len(solver.seeds) != 4 {
		t.Errorf("%d oracle calls, %d attempts", len(oracle.seeds), len(solver.seeds))
	}
}

func TestAResumedRunAsksNoOracleTwice(t *testing.T) {
	tasks := []string{"agree", "differ", "lost"}
	script := map[string]string{"agree": "yes yes", "differ": "yes no", "lost": "yes !"}
	run := func(k *Known) (*log, *scripted) {
		var events log
		oracle := answering(script)
		l := oracledLab(&scripted{reply: func(string, uint64) backend.Reply { return backend.Reply{Text: "yes"} }}, &events, oracle)
		l.Known = k
		proposals, err := l.Propose(context.Background(), Generator{Model: statements(tasks...)}, "a", event.Eval, 0, len(tasks))
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Attempt(context.Background(), proposals); err != nil {
			t.Fatal(err)
		}
		return &events, oracle
	}
	whole, oracle := run(nil)
	for _, stored := range []int{len(whole.events), 8} { // 6 of proposals, then oracle answers
		resumed, again := run(known(t, whole.events[:stored]))
		if want := max(0, len(oracle.seeds)-2*(stored-6)); len(again.seeds) != want {
			t.Errorf("with %d events stored the oracle is asked %d times, want %d", stored, len(again.seeds), want)
		}
		if diff := cmp.Diff(encoded(t, whole.events), encoded(t, resumed.events)); diff != "" {
			t.Errorf("(-undisturbed +resumed):\n%s", diff)
		}
	}
}
