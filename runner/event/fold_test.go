package event

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verge/domains"
)

// started opens a run with K = 2 and the band [0.5, 0.5]: one of two right.
func started(arms ...string) RunStarted {
	return RunStarted{Arms: arms, Attempts: 2, Low: 0.5, High: 0.5}
}

func key(arm string, stage Stage, proposal int) Key {
	return Key{Arm: arm, Stage: stage, Proposal: proposal}
}

// propose is the events of one proposal: its statement ("" for none), type and validity, and the verdicts on it, a
// letter an attempt: r, w, u or e.
func propose(k Key, statement, typ string, valid bool, verdicts string) []Event {
	validity := domains.Validity{Valid: valid}
	if !valid {
		validity.Reason = "syntax"
	}
	events := []Event{
		TaskProposed{Key: k, Tokens: 10},
		TaskValidated{Key: k, Validity: validity,
			Task: domains.Task{ID: domains.TaskID("d", statement), Statement: statement, Type: typ}},
	}
	names := map[rune]domains.Verdict{'r': domains.Right, 'w': domains.Wrong, 'u': domains.Undecided, 'e': domains.Error}
	for i, v := range verdicts {
		events = append(events, AttemptGraded{Key: k, Attempt: i, Tokens: 3, Grading: domains.Grading{Verdict: names[v]}})
	}
	return events
}

func fold(t *testing.T, events ...Event) *State {
	t.Helper()
	var f Fold
	for _, e := range events {
		if err := f.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	return f.Snapshot()
}

func TestFigures(t *testing.T) {
	events := []Event{started("base")}
	for i, p := range []struct {
		statement, typ string
		valid          bool
		verdicts       string
	}{
		{"a", "add", true, "rw"},
		{"a", "add", true, "wr"}, // proposed twice, in band twice
		{"b", "add", true, "rr"},
		{"c", "mul", true, "ru"}, // ungraded
		{"d", "mul", true, "ew"}, // ungraded
		{"x", "", false, ""},
	} {
		events = append(events, propose(key("base", Eval, i), p.statement, p.typ, p.valid, p.verdicts)...)
	}
	events = append(events,
		TaskProposed{Key: key("base", Eval, 6), Error: "connection refused"},
		TaskProposed{Key: key("base", Eval, 7), Tokens: 10}, // no verdict of W yet
	)
	tally := fold(t, events...).Arm("base").Eval

	counts := map[string][2]int{
		"proposed":        {tally.Proposed, 7},
		"errors":          {tally.Errors, 1},
		"valid":           {tally.Valid, 5},
		"invalid syntax":  {tally.Invalid["syntax"], 1},
		"attempts":        {tally.Attempts, 10},
		"right":           {tally.Verdicts[domains.Right], 5},
		"wrong":           {tally.Verdicts[domains.Wrong], 3},
		"undecided":       {tally.Verdicts[domains.Undecided], 1},
		"error":           {tally.Verdicts[domains.Error], 1},
		"graded":          {tally.Graded, 3},
		"ungraded":        {tally.Ungraded(), 2},
		"in band":         {tally.InBand, 2},
		"types":           {len(tally.Types), 2},
		"proposal tokens": {tally.ProposalTokens, 70},
		"attempt tokens":  {tally.AttemptTokens, 30},
	}
	for name, c := range counts {
		if c[0] != c[1] {
			t.Errorf("%s = %d, want %d", name, c[0], c[1])
		}
	}
	if diff := cmp.Diff([]int{0, 2, 1}, tally.Histogram); diff != "" {
		t.Errorf("histogram (-want +got):\n%s", diff)
	}
	if top, ok := tally.TopType(); !ok || top != 3.0/5 {
		t.Errorf("top type = %v, %v, want 0.6", top, ok)
	}
	// Clusters of proposals: a twice, b, c, d, x, the one without a verdict: 6.
	// valid, p = 5/7: residuals a 2·2/7, b c d 2/7, x and the last −5/7, so 16+4+4+4+25+25 = 78 forty-ninths.
	// in band, p = 2/7: a 2·5/7, the five others −2/7: 100 + 5·4 = 120.
	// in band given valid, p = 2/5: a 2·3/5, b c d −2/5: 36 + 12 = 48 twenty-fifths.
	for _, test := range []struct {
		name      string
		rate      Rate
		value, se float64
		clusters  int
	}{
		{"valid", tally.ValidRate(), 5.0 / 7, math.Sqrt(78.0/49) / 7, 6},
		{"in band", tally.InBandRate(), 2.0 / 7, math.Sqrt(120.0/49) / 7, 6},
		{"in band given valid", tally.InBandGivenValid(), 2.0 / 5, math.Sqrt(48.0/25) / 5, 4},
	} {
		value, ok := test.rate.Value()
		se, okSE := test.rate.SE()
		if !ok || !okSE || math.Abs(value-test.value) > 1e-15 || math.Abs(se-test.se) > 1e-15 || test.rate.Clusters() != test.clusters {
			t.Errorf("%s = %v ± %v of %d tasks, want %v ± %v of %d", test.name, value, se, test.rate.Clusters(), test.value, test.se, test.clusters)
		}
	}
}

func TestStandardErrorOfDistinctTasksIsBinomial(t *testing.T) {
	events := []Event{started("base")}
	for i := range 40 {
		events = append(events, propose(key("base", Eval, i), fmt.Sprint("task ", i), "", i%4 == 0, "")...)
	}
	rate := fold(t, events...).Arm("base").Eval.ValidRate()
	if se, ok := rate.SE(); !ok || math.Abs(se-math.Sqrt(.25*.75/40)) > 1e-15 {
		t.Errorf("se = %v, %v, want %v", se, ok, math.Sqrt(.25*.75/40))
	}
}

// The fold's running sums against the definition, on a random stream.
func TestStandardErrorAgreesWithItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	events := []Event{started("base")}
	type cluster struct{ n, s float64 }
	clusters := map[string]*cluster{}
	n, s := 0.0, 0.0
	for i := range 300 {
		statement := fmt.Sprint("task ", r.IntN(20))
		verdicts := []string{"rr", "rw", "ww", "rw"}[r.IntN(4)]
		events = append(events, propose(key("base", Eval, i), statement, "", true, verdicts)...)
		c := clusters[statement]
		if c == nil {
			c = &cluster{}
			clusters[statement] = c
		}
		c.n++
		n++
		if verdicts == "rw" {
			c.s++
			s++
		}
	}
	sum := 0.0
	for _, c := range clusters {
		sum += (c.s - c.n*s/n) * (c.s - c.n*s/n)
	}
	se, ok := fold(t, events...).Arm("base").Eval.InBandRate().SE()
	if want := math.Sqrt(sum) / n; !ok || math.Abs(se-want) > 1e-12 {
		t.Errorf("se = %v, %v, want %v", se, ok, want)
	}
}

func TestCollapsedGeneratorIsNotPrecise(t *testing.T) {
	collapsed, diverse := []Event{started("base")}, []Event{started("base")}
	for i := range 500 {
		verdicts := []string{"rw", "rr"}[i%2]
		collapsed = append(collapsed, propose(key("base", Eval, i), "1+1", "", true, verdicts)...)
		diverse = append(diverse, propose(key("base", Eval, i), fmt.Sprint(i, "+1"), "", true, verdicts)...)
	}
	if se, ok := fold(t, collapsed...).Arm("base").Eval.InBandRate().SE(); ok {
		t.Errorf("500 proposals of one task have a standard error of %v, want none", se)
	}
	if _, ok := fold(t, diverse...).Arm("base").Eval.InBandRate().SE(); !ok {
		t.Error("500 different tasks have no standard error")
	}
}

// Proposals that hold no statement are not repetitions of one task.
func TestUnreadableProposalsAreTheirOwnClusters(t *testing.T) {
	events := []Event{started("base")}
	for i := range 4 {
		events = append(events, propose(key("base", Eval, i), "", "", false, "")...)
	}
	if n := fold(t, events...).Arm("base").Eval.ValidRate().Clusters(); n != 4 {
		t.Errorf("%d clusters, want 4", n)
	}
}

func TestUndefinedRates(t *testing.T) {
	tally := fold(t, started("base")).Arm("base").Eval
	for name, rate := range map[string]Rate{"valid": tally.ValidRate(), "in band": tally.InBandRate(), "given valid": tally.InBandGivenValid()} {
		if v, ok := rate.Value(); ok {
			t.Errorf("%s of nothing = %v, want undefined", name, v)
		}
		if se, ok := rate.SE(); ok {
			t.Errorf("standard error of %s of nothing = %v, want undefined", name, se)
		}
	}
	if top, ok := tally.TopType(); ok {
		t.Errorf("top type of nothing = %v, want undefined", top)
	}
}

func TestBand(t *testing.T) {
	math8, swe := RunStarted{Attempts: 8, Low: 0.125, High: 0.375}, RunStarted{Attempts: 3, Low: 0.333333333, High: 0.666666667}
	// What a run recorded counts, and not how its bounds round.
	zero, one := 0, 1
	recorded := RunStarted{Attempts: 3, Low: 0.34, High: 0.66, Fewest: &zero, Most: &one}
	for _, test := range []struct {
		run           RunStarted
		right, graded int
		want          bool
	}{
		{math8, 0, 8, false}, {math8, 1, 8, true}, {math8, 3, 8, true}, {math8, 4, 8, false}, {math8, 0, 0, false}, {math8, 1, 7, false},
		{swe, 0, 3, false}, {swe, 1, 3, true}, {swe, 2, 3, true}, {swe, 3, 3, false},
		{RunStarted{Attempts: 3, Low: 0.33, High: 0.66}, 1, 3, true}, {RunStarted{Attempts: 3, Low: 0.34, High: 0.67}, 1, 3, false},
		{recorded, 0, 3, true}, {recorded, 1, 3, true}, {recorded, 2, 3, false},
	} {
		if got := test.run.Band().Holds(test.right, test.graded); got != test.want {
			t.Errorf("%d/%d in %+v: %v, want %v", test.right, test.graded, test.run.Band(), got, test.want)
		}
	}
}

func TestStagesAndArmsAreKeptApart(t *testing.T) {
	events := []Event{started("base", "propel")}
	events = append(events, StageStarted{Arm: "base", Stage: Corpus, Total: 4})
	events = append(events, propose(key("base", Corpus, 0), "a", "", true, "rw")...)
	events = append(events, ProbeTrained{Probe: "main", Layer: 2})
	events = append(events, propose(key("base", Probe, 0), "a", "", true, "")...)
	events = append(events, ProbeScored{Key: key("base", Probe, 0), Probe: "main", Logit: 4})
	events = append(events, propose(key("propel", Train, 0), "a", "", true, "r")...)
	events = append(events, ProbeScored{Key: key("propel", Train, 0), Probe: "main", Logit: 1})
	events = append(events, propose(key("propel", Train, 1), "b", "", true, "")...)
	events = append(events, ProbeScored{Key: key("propel", Train, 1), Probe: "main", Logit: 2})
	events = append(events, PolicyUpdated{Arm: "propel", Step: 1, Reward: 1.5}, PolicyUpdated{Arm: "propel", Step: 2})
	events = append(events, propose(key("propel", Eval, 0), "a", "", true, "ww")...)
	events = append(events,
		Measured{Arm: "propel", Steps: 2, KL: 0.1, Entropy: 1.2},
		Evaluated{Arm: "propel", Probe: "main", CorpusAttempts: 2},
		Warned{Code: "dead-groups"}, RunEnded{})
	s := fold(t, events...)
	base, propel := s.Arm("base"), s.Arm("propel")

	if s.Corpus.Proposed != 1 || s.Corpus.InBand != 1 || s.Corpus.Total != 4 {
		t.Errorf("corpus: %+v", s.Corpus)
	}
	if s.Sample.Proposed != 1 || s.Sample.Scores["main"] != (Mean{N: 1, Value: 4}) {
		t.Errorf("sample: %+v", s.Sample)
	}
	if base.Train.Proposed+base.Eval.Proposed != 0 {
		t.Error("the corpus or the sample is counted in the arm that its keys name")
	}
	if propel.Train.Proposed != 2 || propel.Eval.Proposed != 1 || len(propel.Curve) != 2 {
		t.Errorf("propel: train %+v, eval %+v, curve %+v", propel.Train, propel.Eval, propel.Curve)
	}
	if got := propel.Train.Scores["main"]; got != (Mean{N: 2, Value: 1.5}) {
		t.Errorf("scores %+v", got)
	}
	if propel.AttemptsTrain() != 3 || propel.AttemptsEval() != 2 || base.AttemptsTrain() != 0 {
		t.Errorf("attempts: propel train %d eval %d, base train %d; want 3, 2, 0", propel.AttemptsTrain(), propel.AttemptsEval(), base.AttemptsTrain())
	}
	if propel.Measured.KL != 0.1 || s.Probe("main").Layer != 2 || len(s.Warnings) != 1 || s.Ended == nil || s.Events != len(events) {
		t.Errorf("state %+v", s)
	}
}

func TestContradictionsAreRefusedAndChangeNothing(t *testing.T) {
	valid, invalid := key("base", Eval, 0), key("base", Eval, 1)
	failed, unjudged := key("base", Eval, 2), key("base", Eval, 3)
	var f Fold
	stream := []Event{started("base")}
	stream = append(stream, propose(valid, "a", "", true, "r")...)
	stream = append(stream, propose(invalid, "b", "", false, "")...)
	stream = append(stream, TaskProposed{Key: failed, Error: "timeout"}, TaskProposed{Key: unjudged}, PolicyUpdated{Arm: "base", Step: 3})
	for _, e := range stream {
		if err := f.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	before := f.Snapshot()
	right := domains.Grading{Verdict: domains.Right}
	for _, test := range []struct {
		event Event
		want  string
	}{
		{started("base"), "started already"},
		{TaskProposed{Key: valid}, "base/eval/0/0 was proposed already"},
		{TaskProposed{Key: key("soar", Eval, 0)}, `arm "soar"`},
		{TaskProposed{Key: key("base", "dream", 0)}, `stage "dream"`},
		{TaskValidated{Key: key("base", Eval, 9)}, "not proposed"},
		{TaskValidated{Key: failed}, "is an error"},
		{TaskValidated{Key: valid}, "validated already"},
		{AttemptGraded{Key: invalid, Grading: right}, "base/eval/0/1 is no valid task"},
		{AttemptGraded{Key: unjudged, Grading: right}, "no valid task"},
		{AttemptGraded{Key: valid, Grading: right}, "attempt 0 was graded already"},
		{AttemptGraded{Key: valid, Attempt: 2, Grading: right}, "outside 0 … 1"},
		{AttemptGraded{Key: valid, Attempt: 1}, `verdict ""`},
		{ProbeScored{Key: invalid}, "no valid task"},
		{PolicyUpdated{Arm: "base", Step: 3}, "step 3 comes after step 3"},
		{PolicyUpdated{Arm: "soar"}, `arm "soar"`},
		{Measured{Arm: "soar"}, `arm "soar"`},
		{Evaluated{Arm: "base", Probe: "main"}, `probe "main"`},
		{StageStarted{Arm: "soar", Stage: Train}, `arm "soar"`},
		{&Warned{}, "by value"},
	} {
		err := f.Apply(test.event)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%T: error %v, want it to say %s", test.event, err, test.want)
		}
	}
	if f.Snapshot() != before {
		t.Error("a refused event changed the state")
	}
}

func TestRunStartedIsChecked(t *testing.T) {
	for want, e := range map[string]Event{
		"attempts = 0": RunStarted{}, "empty": RunStarted{Attempts: 1, Low: 1}, "twice": started("a", "a"), "comes first": Warned{},
	} {
		var f Fold
		if err := f.Apply(e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%#v: error %v, want it to say %s", e, err, want)
		}
	}
}

func TestEventsAfterTheEnd(t *testing.T) {
	var f Fold
	for _, e := range []Event{started("base"), RunEnded{Failed: "disk full"}, Warned{Code: "resumed"}} {
		if err := f.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	if f.Snapshot().Ended != nil {
		t.Error("a failed run that goes on still counts as ended")
	}
	if err := f.Apply(RunEnded{}); err != nil {
		t.Fatal(err)
	}
	if err := f.Apply(Warned{}); err == nil {
		t.Error("an event after the end of the run is folded")
	}
}

// Readers see consistent states while events come in, and no snapshot changes afterwards. Run with -race.
func TestSnapshotsWhileApplying(t *testing.T) {
	var f Fold
	if err := f.Apply(started("base")); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				s := f.Snapshot()
				eval := s.Arm("base").Eval
				graded := 0
				for _, n := range eval.Histogram {
					graded += n
				}
				if graded != eval.Graded || s.Events < eval.Proposed || len(s.Arm("base").Curve) > eval.Proposed {
					t.Errorf("inconsistent snapshot: %+v", eval)
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := range 500 {
		events := propose(key("base", Eval, i), fmt.Sprint(i%50), "add", true, "rw")
		for _, e := range append(events, PolicyUpdated{Arm: "base", Step: i + 1}) {
			if err := f.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	close(done)
	readers.Wait()
	if s := f.Snapshot(); s != f.Snapshot() || s.Arm("base").Eval.InBand != 500 {
		t.Errorf("last snapshot: %+v", s.Arm("base").Eval)
	}
}

func BenchmarkApply(b *testing.B) {
	var f Fold
	if err := f.Apply(started("base")); err != nil {
		b.Fatal(err)
	}
	i := 0
	for b.Loop() {
		for _, e := range propose(key("base", Eval, i), fmt.Sprint(i%1000), "add", true, "rw") {
			if err := f.Apply(e); err != nil {
				b.Fatal(err)
			}
		}
		i++
	}
}
