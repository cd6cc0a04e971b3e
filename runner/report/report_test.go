package report

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verge/domains"
	"verge/runner/event"
	"verge/runner/store"
)

// small is a run with K = 2 and the band [0.5, 0.5] of two arms: base proposes a task in band, an easy one, a hard one and
// an invalid one; propel three tasks in band and an easy one. The corpus is one task that is tried twice.
func small() []event.Event {
	f := func(x float64) *float64 { return &x }
	events := []event.Event{event.RunStarted{
		Profile: "quick", Recipe: "propel", Domain: "math", Seed: 7, Arms: []string{"base", "propel"}, Attempts: 2, Low: .5, High: .5,
		Provenance: event.Provenance{Models: []event.Model{
			{Role: "solver", Name: "other", Digest: "ffff"}, {Role: "generator", Name: "micro", Digest: "0123456789abcdef"},
		}},
	}}
	propose := func(arm string, stage event.Stage, i int, typ, verdicts string) {
		k := event.Key{Arm: arm, Stage: stage, Proposal: i}
		statement := fmt.Sprint(arm, i)
		events = append(events, event.TaskProposed{Key: k}, event.TaskValidated{Key: k, Validity: domains.Validity{Valid: typ != ""},
			Task: domains.Task{ID: domains.TaskID("math", statement), Statement: statement, Type: typ}})
		for n, v := range verdicts {
			verdict := domains.Right
			if v == 'w' {
				verdict = domains.Wrong
			}
			events = append(events, event.AttemptGraded{Key: k, Attempt: n, Grading: domains.Grading{Verdict: verdict}})
		}
	}
	propose("base", event.Corpus, 0, "add", "rw")
	events = append(events, event.ProbeTrained{Probe: "main", Quality: event.ProbeQuality{AUROC: f(.75), AUROCLow: f(.625), AUROCHigh: f(.875), BalancedAccuracy: f(.625),
		Brier: f(.2), RVP: f(.145), Calibrations: []event.Calibration{
			{Method: event.Uncalibrated, Brier: f(.2), Bins: []event.Reliability{{Low: .25, High: .5, Tasks: 4, InBand: 1, Predicted: .375}}},
			{Method: event.Isotonic, Brier: f(.125), ECE: f(.0625)}}}})
	propose("base", event.Eval, 0, "add", "rw")
	propose("base", event.Eval, 1, "add", "rr")
	propose("base", event.Eval, 2, "mul", "ww")
	propose("base", event.Eval, 3, "", "")
	events = append(events, event.Measured{Arm: "base", Entropy: 1.5}, event.Evaluated{Arm: "base"})
	propose("propel", event.Train, 0, "mul", "")
	events = append(events, event.ProbeMonitored{Arm: "propel", Step: 1, Probe: "main", Tasks: 2, Recent: 4, InBand: 1, AUROC: f(.5)},
		event.PolicyUpdated{Arm: "propel", Step: 1, Proposals: 1, Reward: -.5, Length: 4, Groups: 2, Dead: 1, KL: 0, Entropy: 1.5},
		event.PolicyUpdated{Arm: "propel", Step: 2, Reward: 1.25, Length: 4.5, Groups: 2, KL: .25, Entropy: 1.25})
	for i, verdicts := range []string{"rw", "wr", "rw", "rr"} {
		propose("propel", event.Eval, i, "mul", verdicts)
	}
	return append(events, event.Measured{Arm: "propel", Steps: 2, KL: .25, Entropy: 1.25},
		event.Evaluated{Arm: "propel", Probe: "main", CorpusAttempts: 2, Overlap: &event.Overlap{Tasks: 4, InCorpus: 1}},
		event.Warned{Arm: "propel", Code: "collapse", Text: "one type:\x1b[31m mul"}, event.RunEnded{})
}

func summarise(t *testing.T, events ...event.Event) Summary {
	t.Helper()
	var f event.Fold
	for _, e := range events {
		if err := f.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	s, err := New(Source{Run: "20261129-162318-quick-1a2b", Dir: "runs/20261129-162318-quick-1a2b", Wall: 1750400 * time.Microsecond}, f.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Standard errors by hand: base √(¼·¾/4) for both rates of all, √(⅓·⅔/3) for the rate of valid; propel √(¾·¼/4), and 0 of 4/4.
const wantJSON = `{"run":"20261129-162318-quick-1a2b","profile":"quick","recipe":"propel","domain":"math","seed":7,"model":"micro@0123456789ab","wall_s":1.75,"arms":[` +
	`{"name":"base","proposed":4,"valid":0.75,"in_band":0.25,"in_band_given_valid":0.3333333333333333,` +
	`"se":{"valid":0.21650635094610965,"in_band":0.21650635094610965,"in_band_given_valid":0.2721655269759087},` +
	`"histogram":[1,1,1],"ungraded":0,"errors":0,"attempts_train":0,"attempts_eval":6,"top_type":0.6666666666666666,"types":2,` +
	`"steps":0,"kl":0,"entropy":1.5,"per_cue":false,"probe":null,"in_band_post_oracle":null,"oracles":null,"start":null,"diversity":null,"weakness":null,"silent_attempts":null,"corpus_overlap":null,"probe_on_policy":null,"training":null,"asks_for":null},` +
	`{"name":"propel","proposed":4,"valid":1,"in_band":0.75,"in_band_given_valid":0.75,` +
	`"se":{"valid":0,"in_band":0.21650635094610965,"in_band_given_valid":0.21650635094610965},` +
	`"histogram":[0,3,1],"ungraded":0,"errors":0,"attempts_train":2,"attempts_eval":8,"top_type":1,"types":1,` +
	`"steps":2,"kl":0.25,"entropy":1.25,"per_cue":false,"probe":{"auroc":0.75,"auroc_low":0.625,"auroc_high":0.875,"balanced_accuracy":0.625,"brier":0.2,"ece":null,"rvp":0.145,` +
	`"calibrations":[{"method":"none","brier":0.2,"ece":null,"bins":[{"low":0.25,"high":0.5,"tasks":4,"in_band":1,"predicted":0.375}]},` +
	`{"method":"isotonic","brier":0.125,"ece":0.0625,"bins":null}]},"in_band_post_oracle":null,"oracles":null,"start":null,"diversity":null,"weakness":null,"silent_attempts":null,"corpus_overlap":0.25,` +
	`"probe_on_policy":{"arm":"propel","step":1,"probe":"main","tasks":2,"recent":4,"in_band":1,"auroc":0.5,"auroc_low":null,"auroc_high":null},` +
	`"training":{"updates":2,"reward":{"first":-0.5,"last":1.25},"length":{"first":4,"last":4.5},"entropy":{"first":1.5,"last":1.25},"kl":{"first":0,"last":0.25},"dead_groups":0.25,"unused_proposals":0},"asks_for":null}],"warnings":[{"arm":"propel","code":"collapse","text":"one type:\u001b[31m mul"}],` +
	`"provenance":{"version":"","go":"","os":"","arch":"","cpu":null,"models":[{"role":"solver","backend":"","name":"other","digest":"ffff"},` +
	`{"role":"generator","backend":"","name":"micro","digest":"0123456789abcdef"}],"deterministic":false},"served":null}` + "\n"

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := WriteJSON(&b, summarise(t, small()...)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantJSON, b.String()); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}

func TestUndefinedFiguresAreNull(t *testing.T) {
	start := small()[0]
	k := event.Key{Arm: "base", Stage: event.Eval}
	for name, test := range map[string]struct {
		events []event.Event
		want   string
	}{
		"nothing proposed": {nil, `"proposed":0,"valid":null,"in_band":null,"in_band_given_valid":null,"se":{"valid":null,"in_band":null,"in_band_given_valid":null},` +
			`"histogram":[0,0,0],"ungraded":0,"errors":0,"attempts_train":0,"attempts_eval":0,"top_type":null,"types":0,"steps":0,"kl":null,"entropy":null,"per_cue":false,"probe":null,"in_band_post_oracle":null,"oracles":null,"start":null,"diversity":null,"weakness":null,"silent_attempts":null,"corpus_overlap":null,"probe_on_policy":null,"training":null,"asks_for":null}`},
		"only errors": {[]event.Event{event.TaskProposed{Key: k, Error: "timeout"}}, `"proposed":0,"valid":null,`},
		"nothing valid": {[]event.Event{event.TaskProposed{Key: k}, event.TaskValidated{Key: k, Task: domains.Task{ID: "1", Statement: "x"}}},
			`"proposed":1,"valid":0,"in_band":0,"in_band_given_valid":null,"se":{"valid":null,`},
	} {
		var b bytes.Buffer
		if err := WriteJSON(&b, summarise(t, append([]event.Event{start}, test.events...)...)); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), `{"name":"base",`+test.want) {
			t.Errorf("%s: %s\nwant %s", name, b.String(), test.want)
		}
	}
}

func TestSummaryNeedsARunAndItsGenerator(t *testing.T) {
	var f event.Fold
	if _, err := New(Source{Run: "r1"}, f.Snapshot()); err == nil || !strings.Contains(err.Error(), "r1") {
		t.Errorf("no events: error %v, want one that names the run", err)
	}
	if err := f.Apply(event.RunStarted{Attempts: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Source{Run: "r1"}, f.Snapshot()); err == nil || !strings.Contains(err.Error(), "generator") {
		t.Errorf("no generator: error %v, want one that says so", err)
	}
}

func TestModel(t *testing.T) {
	for digest, want := range map[string]string{"sha256:0123456789abcdef": "m@0123456789ab", "abc": "m@abc", "": "m"} {
		got, err := generator(event.Provenance{Models: []event.Model{{Role: "generator", Name: "m", Digest: digest}}})
		if err != nil || got != want {
			t.Errorf("digest %q: model %q, error %v, want %q", digest, got, err, want)
		}
	}
}

func TestHeadline(t *testing.T) {
	quarter, half := .25, .5
	base, propel, other := Arm{Name: "base", InBand: &quarter}, Arm{Name: "propel", InBand: &half}, Arm{Name: "other"}
	for want, c := range map[string]struct {
		figure *float64
		arms   []Arm
	}{
		"propel in band 50.0 % (base 25.0 %)":    {&half, []Arm{other, base, propel}},
		"other in band undefined (base 25.0 %)":  {nil, []Arm{base, other}},
		"base in band 25.0 %":                    {&quarter, []Arm{base}},
		"propel in band 50.0 %":                  {&half, []Arm{propel}},
		"":                                       {nil, nil},
		"other in band undefined":                {nil, []Arm{other, {Name: "third"}}},
		"propel in band 50.0 % (base undefined)": {&half, []Arm{{Name: "base"}, propel}},
	} {
		s := Summary{Recipe: "propel", Arms: c.arms}
		if got := s.Headline(); got != want {
			t.Errorf("headline %q, want %q", got, want)
		}
		if diff := cmp.Diff(c.figure, s.Figure()); diff != "" {
			t.Errorf("%s: the figure differs: %s", want, diff)
		}
	}
}

func TestTable(t *testing.T) {
	for file, blocks := range map[string]bool{"table.txt": true, "table-ascii.txt": false} {
		want, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Table(&b, summarise(t, small()...), Style{Blocks: blocks}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

func TestTableOfAnUnfinishedRun(t *testing.T) {
	for name, test := range map[string]struct {
		events []event.Event
		want   string
	}{
		"unfinished": {small()[:1], "NOT FINISHED"},
		"failed":     {append(small()[:1:1], event.RunEnded{Failed: "the solver\nwent away"}), "FAILED: the solver went away\n"},
	} {
		var b bytes.Buffer
		if err := Table(&b, summarise(t, test.events...), Style{Blocks: true}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), test.want) || strings.Contains(b.String(), "NaN") {
			t.Errorf("%s: want %q in\n%s", name, test.want, b.String())
		}
	}
}

func TestBars(t *testing.T) {
	for want, histogram := range map[string][]int{"·▁█": {0, 1, 100}, "···": {0, 0, 0}, "▁▂▄█": {1, 2, 4, 8}} {
		if got := bars(histogram); got != want {
			t.Errorf("bars(%v) = %s, want %s", histogram, got, want)
		}
	}
}

func TestOfAStoredRun(t *testing.T) {
	w, err := store.Create(t.TempDir(), store.Header{Profile: "quick", Recipe: "propel", Domain: "math", Seed: 7, Started: time.Unix(0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Append(small()...); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := store.Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got, err := Of(r)
	if err != nil {
		t.Fatal(err)
	}
	if got.Run != w.Run() || got.Dir != w.Dir() || got.WallS < 0 || got.WallS > 60 {
		t.Errorf("run %q in %q took %v s", got.Run, got.Dir, got.WallS)
	}
	want := summarise(t, small()...)
	if diff := cmp.Diff(want.Arms, got.Arms, cmp.AllowUnexported(Arm{}), cmp.Comparer(func(a, b event.Rate) bool { return a == b })); diff != "" {
		t.Errorf("arms (-want +got):\n%s", diff)
	}
}

func TestRuns(t *testing.T) {
	runs := []store.RunInfo{{Run: "r2", Profile: "p<1>", Recipe: "propel", Domain: "math", Seed: 3, State: store.Done, Dir: "secret",
		Started: time.Date(2026, 11, 29, 16, 23, 18, 0, time.UTC), Headline: "propel in band 21.4 % (base 9.8 %)"}}
	var b bytes.Buffer
	if err := RunsJSON(&b, runs); err != nil {
		t.Fatal(err)
	}
	want := `{"runs":[{"run":"r2","profile":"p<1>","recipe":"propel","domain":"math","seed":3,"state":"done","started":"2026-11-29T16:23:18Z","headline":"propel in band 21.4 % (base 9.8 %)"}]}` + "\n"
	if b.String() != want {
		t.Errorf("got  %swant %s", b.String(), want)
	}
	b.Reset()
	if err := RunsTable(&b, runs, Style{}); err != nil {
		t.Fatal(err)
	}
	want = "run   state   started                profile   recipe   domain   seed   headline\n" +
		"r2    done    2026-11-29T16:23:18Z   p<1>      propel   math     3      propel in band 21.4 % (base 9.8 %)\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestRunsOfOneProfileAreToldApartByWhatWasSet(t *testing.T) {
	runs := []store.RunInfo{{Run: "a", Seed: 1, State: store.Done, Headline: "x"}, {Run: "b", Settings: []string{"policy.kl=0.5", "title=\x1b[2J" + strings.Repeat("long", 20)}, Seed: 1, State: store.Done, Headline: "y"}}
	var b bytes.Buffer
	if err := RunsTable(&b, runs, Style{Width: 100}); err != nil {
		t.Fatal(err)
	}
	want := "run   state   seed   settings                                   headline\n" +
		"a     done    1                                                 x\n" +
		"b     done    1      policy.kl=0.5 title= [2Jlonglonglonglon…   y\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	b.Reset()
	if err := RunsJSON(&b, runs[1:]); err != nil || !strings.Contains(b.String(), `"settings":["policy.kl=0.5","title=`) {
		t.Errorf("%v %s", err, b.String())
	}
}

func TestNoRuns(t *testing.T) {
	var b bytes.Buffer
	if err := errors.Join(RunsJSON(&b, nil), RunsTable(&b, nil, Style{})); err != nil {
		t.Fatal(err)
	}
	if b.String() != "{\"runs\":[]}\nno runs\n" {
		t.Errorf("got %q", b.String())
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestErrorsOfTheWriterAreReturned(t *testing.T) {
	s := summarise(t, small()...)
	for name, err := range map[string]error{
		"WriteJSON": WriteJSON(broken{}, s), "Table": Table(broken{}, s, Style{}),
		"RunsJSON": RunsJSON(broken{}, nil), "RunsTable": RunsTable(broken{}, nil, Style{}),
	} {
		if !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: error %v, want %v", name, err, os.ErrClosed)
		}
	}
}
