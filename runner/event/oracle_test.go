package event

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verge/domains"
)

// answered is an oracle's answers, a letter each: y for the same answer, n for another, e for one that could not be had.
func answered(k Key, oracle int, answers string, last bool) OracleAnswered {
	e := OracleAnswered{Key: k, Oracle: oracle, Tokens: 5, Agreed: !strings.ContainsAny(answers, "ne")}
	for _, a := range answers {
		if a == 'e' {
			e.Answers = append(e.Answers, OracleAnswer{Error: "timeout"})
			continue
		}
		e.Answers = append(e.Answers, OracleAnswer{Answer: domains.Some(string(a))})
	}
	if e.Agreed && last {
		e.Answer = domains.Some("y")
	}
	return e
}

func TestOraclesAreCountedByTaskAndByCall(t *testing.T) {
	k := func(i int) Key { return key("base", Eval, i) }
	events := []Event{started("base"), StageStarted{Arm: "base", Stage: Eval, Total: 4}}
	for i, statement := range []string{"a", "b", "c", "d"} {
		events = append(events, propose(k(i), statement, "", true, "")...)
	}
	events = append(events, answered(k(0), 0, "yy", false), answered(k(1), 0, "yy", false), answered(k(2), 0, "yn", false), answered(k(3), 0, "ye", false))
	if s := fold(t, events...).Arm("base").Eval; s.Settled() || s.Agreed != 0 {
		t.Errorf("before the second oracle: settled %v, agreed on %d", s.Settled(), s.Agreed)
	}
	events = append(events, answered(k(0), 1, "yy", true), answered(k(1), 1, "yn", true))
	events = append(events, AttemptGraded{Key: k(0), Attempt: 0, Grading: domains.Grading{Verdict: domains.Right}},
		AttemptGraded{Key: k(0), Attempt: 1, Grading: domains.Grading{Verdict: domains.Wrong}})
	s := fold(t, events...).Arm("base").Eval
	type counts struct{ Asked, Agreed, Disagreed, Calls, Errors, Tokens, Oracled, InBandOracled, InBand, Ungraded int }
	want := counts{Asked: 4, Agreed: 1, Disagreed: 2, Calls: 12, Errors: 1, Tokens: 30, Oracled: 1, InBandOracled: 1, InBand: 1, Ungraded: 3}
	got := counts{s.Asked, s.Agreed, s.Disagreed, s.OracleCalls, s.OracleErrors, s.OracleTokens, s.Oracled, s.InBandOracled, s.InBand, s.Ungraded()}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// Nothing is to come: three tasks have no answer.
	if !s.Settled() {
		t.Error("not settled")
	}
}

func TestOracleAnswersThatContradictAreRefused(t *testing.T) {
	k := key("base", Eval, 0)
	var f Fold
	for _, e := range append([]Event{started("base")}, propose(k, "a", "", true, "")...) {
		if err := f.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(e OracleAnswered, want string) {
		t.Helper()
		if err := f.Apply(e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	refused(answered(key("base", Eval, 1), 0, "yy", true), "no valid task")
	refused(answered(k, 1, "yy", true), "oracle 1 comes when 0 have answered")
	if err := f.Apply(answered(k, 0, "yy", true)); err != nil {
		t.Fatal(err)
	}
	refused(answered(k, 0, "yy", true), "answer already")
	refused(answered(k, 1, "yy", true), "answer already")
}

func TestWhatAContextPolicyAsksForIsKeptByUpdate(t *testing.T) {
	s := fold(t, started("base", "propel"), ContextUpdated{Arm: "propel", Step: 1}, ContextUpdated{Arm: "propel", Step: 2})
	if c := s.Arm("propel").Contexts; len(c) != 2 || c[1].Step != 2 || len(s.Arm("base").Contexts) != 0 {
		t.Errorf("%+v", c)
	}
	var f Fold
	if err := f.Apply(started("base")); err != nil {
		t.Fatal(err)
	}
	if err := f.Apply(ContextUpdated{Arm: "other", Step: 1}); err == nil {
		t.Error("an arm that the run does not have")
	}
}
