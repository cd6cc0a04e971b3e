package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"verge/domains"
	"verge/domains/prompt"
	"verge/probes"
	"verge/runner/backend"
	"verge/runner/backend/local"
	"verge/runner/engine"
	"verge/runner/event"
	"verge/runner/lab"
	"verge/runner/store"
)

// digests are those that a stored run names, by file; each is checked against its file.
func digests(t *testing.T, dir string) map[string]string {
	t.Helper()
	named := map[string]string{}
	for _, e := range storedEvents(t, dir) {
		switch e := e.(type) {
		case event.ProbeTrained:
			named[e.File] = e.Digest
		case event.PolicyKept:
			named[e.File] = e.Digest
		}
	}
	for file, digest := range named {
		content, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != digest {
			t.Errorf("%s has the digest %x, its event says %s", file, sum, digest)
		}
	}
	return named
}

func storedEvents(t *testing.T, dir string) []event.Event {
	t.Helper()
	r, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out []event.Event
	for record, err := range r.Events(1) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, record.Event)
	}
	return out
}

var kept = []string{"policy.steps=7", "probe.monitor_every=2", "probe.monitor_tasks=5", "run.arms=base,propel,text-probe", "policy.learning_rate=0.003"}

func TestARunKeepsWhatItTrained(t *testing.T) {
	ctx := context.Background()
	var dir string
	if _, err := Run(ctx, Options{Profile: small(t, kept...), Out: t.TempDir(), Meter: &lab.Meter{}, Started: func(d string) { dir = d }}); err != nil {
		t.Fatal(err)
	}
	named := digests(t, dir)
	adapters := filepath.Join("adapters", "propel.gguf")
	if len(named) != 4 || named[filepath.ToSlash(adapters)] == "" {
		t.Fatalf("kept %v, want two probes and two adapters", slices.Collect(maps.Keys(named)))
	}
	base, err := engine.Micro()
	if err != nil {
		t.Fatal(err)
	}
	frozen, err := local.New(base, "micro")
	if err != nil {
		t.Fatal(err)
	}
	adapter, err := engine.OpenAdapter(filepath.Join(dir, adapters), base)
	if err != nil {
		t.Fatal(err)
	}
	policy, err := frozen.With(adapter)
	if err != nil {
		t.Fatal(err)
	}

	probe, err := probes.Probe(nil), error(nil)
	tasks := map[event.Key]domains.Task{}
	evaluated, scored := 0, 0
	for _, e := range storedEvents(t, dir) {
		switch e := e.(type) {
		case event.ProbeTrained:
			if e.Probe == "in-band" {
				if probe, err = probes.Load(filepath.Join(dir, "probes"), e.Digest, base.Digest); err != nil {
					t.Fatal(err)
				}
			} else if _, err := probes.Load(filepath.Join(dir, "probes"), e.Digest, ""); err != nil {
				t.Errorf("the text probe reads no model: %v", err)
			}
		case event.TaskValidated:
			tasks[e.Key] = e.Task
		case event.TaskProposed: // the kept adapter is the policy that was evaluated
			if e.Key.Arm != "propel" || e.Key.Stage != event.Eval {
				continue
			}
			evaluated++
			got, err := policy.Logprobs(ctx, []backend.Turn{{Prompt: e.Episode.Turns[0].Prompt, Reply: backend.Reply{Tokens: e.Sampled[0].Tokens}}})
			if err != nil {
				t.Fatal(err)
			}
			if i := slices.IndexFunc(got[0], func(v float32) bool { return v != v }); i >= 0 || !near(got[0], e.Sampled[0].Logprobs) {
				t.Fatalf("%s was sampled with %v, the kept adapter gives %v", e.Key, e.Sampled[0].Logprobs, got[0])
			}
		case event.ProbeScored: // the kept probe is the one that rewarded
			if e.Probe != "in-band" {
				continue
			}
			scored++
			got, err := probe.Score(ctx, frozen, []prompt.Prompt{Domains["math"][domains.Compact].Reading(domains.Compact, tasks[e.Key])})
			if err != nil {
				t.Fatal(err)
			}
			if got[0] != e.Logit {
				t.Fatalf("%s was scored %g, the kept probe gives %g", e.Key, e.Logit, got[0])
			}
		}
	}
	if evaluated != 100 || scored < 50 {
		t.Errorf("%d evaluated, %d scored", evaluated, scored)
	}
}

// near compares log-probabilities of one model, sampled token by token and read at once.
func near(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return x-y < 1e-3 && y-x < 1e-3 })
}

func TestAResumedRunKeepsTheSame(t *testing.T) {
	p, out := small(t, kept...), t.TempDir()
	var whole, cut string
	if _, err := Run(context.Background(), Options{Profile: p, Out: out, Meter: &lab.Meter{}, Started: func(d string) { whole = d }}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Run(ctx, Options{Profile: p, Out: out, Meter: &lab.Meter{}, Started: func(d string) { cut = d }, Observe: func(e event.Event) {
		if u, ok := e.(event.PolicyUpdated); ok && u.Step == 6 {
			cancel() // after a checkpoint
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), Options{Profile: p, Resume: cut, Meter: &lab.Meter{}}); err != nil {
		t.Fatal(err)
	}
	if a, b := digests(t, cut), digests(t, whole); !maps.Equal(a, b) {
		t.Errorf("resumed %v, undisturbed %v", a, b)
	}
}
