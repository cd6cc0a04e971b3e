//go:build ollama

package main

import (
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"verge/runner/event"
)

// TestATrainedPolicyIsSampledByAServer trains an adapter here while a real server samples it: the server has each update's adapter, its
// log-probabilities are those of the policy, and nothing is left on it. The run is killed and goes on with what was sampled; then the server is.
func TestATrainedPolicyIsSampledByAServer(t *testing.T) {
	s := startServer(t)
	run, _ := s.throughKills(t, 64, func(run string) { awaitKind[event.PolicyUpdated](t, run, 2) }, func(run string) { awaitKind[event.PolicyUpdated](t, run, 3) },
		"quick", "policy.sampler=ollama", "roles.generator.threads=1", "corpus.proposals=192", "evaluation.proposals=64", "policy.proposals=32", "policy.steps=6",
		"policy.warmup_steps=1", "policy.learning_rate=0.01", "policy.max_kl=0", "probe.rvp_samples=16", "probe.layer=2", "probe.pooling=mean", "probe.l2=1", "target.high=7/8")
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
