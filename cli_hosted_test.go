//go:build ollama

package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"verge/runner/event"
	"verge/runner/report"
)

// TestATrainedPolicyIsSampledByAServer trains an adapter here while a real server samples it: the server has each update's adapter, its
// log-probabilities are those of the policy, and nothing is left on it. The run is killed and goes on with what was sampled; then the server is.
func TestATrainedPolicyIsSampledByAServer(t *testing.T) {
	s := startServer(t)
	dir := t.TempDir()
	args := []string{"run", "quick", "--json"}
	for _, set := range []string{"policy.sampler=ollama", "roles.generator.threads=1", "corpus.proposals=192", "evaluation.proposals=64", "policy.proposals=32",
		"policy.steps=6", "policy.warmup_steps=1", "policy.learning_rate=0.01", "policy.max_kl=0", "probe.rvp_samples=16", "probe.layer=2", "probe.pooling=mean", "probe.l2=1", "target.high=7/8"} {
		args = append(args, "--set", set)
	}
	first := watch(t, dir, s.address, args...)
	run := awaitEvents(t, filepath.Join(dir, defaultOut))
	awaitKind[event.PolicyUpdated](t, run, 2)
	first.cmd.Process.Kill()
	first.cmd.Wait()

	second := watch(t, dir, s.address, "run", "--resume", run, "--json")
	awaitKind[event.PolicyUpdated](t, run, 3)
	s.kill()
	second.await("went away")
	s.start()
	second.await("is back")
	var said []string
	for line := range second.lines {
		said = append(said, line)
	}
	if err := second.cmd.Wait(); err != nil {
		t.Fatalf("the resumed run: %v: %s", err, strings.Join(said, "\n"))
	}
	var summary report.Summary
	if err := json.Unmarshal([]byte(second.stdout.String()), &summary); err != nil {
		t.Fatal(err)
	}
	if summary.Served == nil || summary.Served.Errors > 0 || summary.Provenance.Deterministic {
		t.Errorf("served %+v, deterministic %t", summary.Served, summary.Provenance.Deterministic)
	}
	for _, a := range summary.Arms {
		if a.Errors > 0 || a.Proposed != 64 {
			t.Errorf("arm %s: %+v", a.Name, a)
		}
	}
	updates := 0
	var kl float64
	for _, e := range events(t, run) {
		u, ok := e.(event.PolicyUpdated)
		if !ok {
			continue
		}
		updates++
		kl = u.KL
		if u.Gap == nil || *u.Gap > 0.02 {
			t.Errorf("update %d: engine and server are %v nats apart", u.Step, u.Gap)
		} else {
			t.Logf("update %d: engine and server %.5f nats a token apart, KL to the base %.4f", u.Step, *u.Gap, u.KL)
		}
	}
	// A server that went on with the base would agree as long as the adapter does next to nothing.
	if updates != 6 || kl < 0.02 {
		t.Errorf("%d updates, the last %.4f nats from the base", updates, kl)
	}
	nothingTwice(t, run)

	u, err := url.Parse("http://" + s.address)
	if err != nil {
		t.Fatal(err)
	}
	left, err := api.NewClient(u, http.DefaultClient).List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range left.Models {
		if strings.Contains(m.Name, filepath.Base(run)) {
			t.Errorf("model %s is left on the server", m.Name)
		}
	}
}
