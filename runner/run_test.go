package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"verge/profiles"
	"verge/runner/lab"
	"verge/runner/report"
	"verge/runner/store"
)

// small makes a run of a few seconds.
func small(t *testing.T, sets ...string) *profiles.Profile {
	t.Helper()
	p, err := profiles.Load("quick", append([]string{"corpus.proposals=400", "evaluation.proposals=100", "policy.proposals=32", "policy.steps=3", "policy.warmup_steps=1",
		"probe.rvp_samples=64", "probe.layer=2", "probe.pooling=mean", "probe.l2=1", "target.high=7/8"}, sets...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// figures is a summary without what may differ between two runs of one profile and seed.
func figures(t *testing.T, s *report.Summary) string {
	t.Helper()
	c := *s
	c.Run, c.WallS = "", 0
	var b bytes.Buffer
	if err := report.WriteJSON(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTheSameRunTwiceAndOnOneCoreGivesTheSameSummary(t *testing.T) {
	out := t.TempDir()
	var want string
	for i, procs := range []int{2, 1, 8} {
		old := runtime.GOMAXPROCS(procs)
		s, err := Run(context.Background(), Options{Profile: small(t), Out: out, Meter: &lab.Meter{}})
		runtime.GOMAXPROCS(old)
		if err != nil {
			t.Fatal(err)
		}
		got := figures(t, s)
		if i == 0 {
			want = got
			continue
		}
		if got != want {
			t.Errorf("GOMAXPROCS %d gives another summary:\n%s\n%s", procs, got, want)
		}
	}
	other, err := Run(context.Background(), Options{Profile: small(t, "run.seed=2"), Out: out, Meter: &lab.Meter{}})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(figures(t, other), want[strings.Index(want, `"arms"`):]) {
		t.Error("another seed gives the same figures")
	}
	runs, problems, err := store.List(out)
	if err != nil || len(problems) > 0 || len(runs) != 4 {
		t.Fatalf("%d runs listed, problems %v, %v", len(runs), problems, err)
	}
	for _, r := range runs {
		if r.State != store.Done || !strings.Contains(r.Headline, "in band") {
			t.Errorf("%s: state %s, headline %q", r.Run, r.State, r.Headline)
		}
	}
}

func TestAStoredRunReportsTheSameFigures(t *testing.T) {
	out := t.TempDir()
	var dir string
	s, err := Run(context.Background(), Options{Profile: small(t), Out: out, Meter: &lab.Meter{}, Started: func(d string) { dir = d }})
	if err != nil {
		t.Fatal(err)
	}
	r, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	again, err := report.Of(r)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := figures(t, s), figures(t, &again); a != b {
		t.Errorf("the run said\n%s\nits store says\n%s", a, b)
	}
	fold, err := r.Load()
	if err != nil {
		t.Fatal(err)
	}
	state := fold.Snapshot()
	if p := state.Run.Provenance; len(p.Models) != 3 || len(p.Models[0].Digest) != 64 || len(p.CPU) == 0 {
		t.Errorf("provenance %+v", p)
	}
	q, err := profiles.Parse("stored", state.Run.Resolved, nil)
	if err != nil {
		t.Fatal(err)
	}
	if q.Hash() != small(t).Hash() {
		t.Error("the recorded profile is not the one that was run")
	}
}

func TestAnInterruptedRunKeepsWhatWasDone(t *testing.T) {
	out := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	meter := &lab.Meter{}
	var dir string
	go func() {
		for meter.Read().Unit != lab.Attempts {
			runtime.Gosched()
		}
		cancel()
	}()
	_, err := Run(ctx, Options{Profile: small(t), Out: out, Meter: meter, Started: func(d string) { dir = d }})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("an interrupted run returned %v", err)
	}
	r, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	info, err := r.Info()
	if err != nil || info.State != store.Interrupted {
		t.Errorf("state %s, %v", info.State, err)
	}
	fold, err := r.Load()
	if err != nil {
		t.Fatal(err)
	}
	if n := fold.Snapshot().Corpus.Proposed; n != 400 {
		t.Errorf("%d of 400 proposals are kept", n)
	}
}

func TestWrongRequestsWriteNothing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "runs")
	bad := filepath.Join(t.TempDir(), "bad.gguf")
	if err := os.WriteFile(bad, []byte("GGUF but not really"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, set := range []string{"roles.generator.model=nosuch.gguf", "roles.solver.model=" + bad} {
		var request *RequestError
		_, err := Run(context.Background(), Options{Profile: small(t, set), Out: out, Meter: &lab.Meter{}})
		if !errors.As(err, &request) {
			t.Errorf("--set %s: %v", set, err)
		}
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a refused run left %s behind: %v", out, err)
	}
}

func TestSummaryHasTheDocumentedKeys(t *testing.T) {
	s, err := Run(context.Background(), Options{Profile: small(t), Out: t.TempDir(), Meter: &lab.Meter{}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.WriteJSON(&b, *s); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(b.Bytes(), []byte("\n")); n != 1 {
		t.Errorf("the summary has %d lines", n)
	}
	var got struct {
		Run   string
		WallS float64 `json:"wall_s"`
		Arms  []map[string]any
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"name", "proposed", "valid", "in_band", "in_band_given_valid", "se", "histogram", "ungraded", "errors", "attempts_train",
		"attempts_eval", "top_type", "types", "steps", "kl", "entropy", "probe"} {
		if _, ok := got.Arms[1][key]; !ok {
			t.Errorf("arm without %q", key)
		}
	}
	if got.Run == "" || got.WallS <= 0 || len(got.Arms) != 2 || got.Arms[0]["probe"] != nil || got.Arms[1]["probe"] == nil {
		t.Errorf("summary %s", b.String())
	}
}
