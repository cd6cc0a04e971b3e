//go:build ollama

package doctor

import (
	"os"
	"strings"
	"testing"

	"verge/runner/backend/ollama"
)

// What is found of the real server and its small instruct model is what they are.
func TestFindingsOfARealServer(t *testing.T) {
	const model = "smollm2:135m"
	if os.Getenv("VERGE_OLLAMA") == "" {
		t.Fatal("VERGE_OLLAMA is not set; run these tests with: .ci/ollama with go test -tags ollama ./...")
	}
	c, err := ollama.New(ollama.Options{Host: os.Getenv("VERGE_OLLAMA")})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := Examine(t.Context(), c, []string{model, "absent:1b"})
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range r.Checks {
		t.Logf("%+v", check)
	}
	list, err := c.Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if found := find(t, r, Models).Found; r.Server != "0.17.4" || len(r.Models) != 1 || r.Models[0].Embedding != 576 {
		t.Errorf("server %s, models %+v", r.Server, r.Models)
	} else {
		for _, m := range list {
			if !strings.Contains(found, m.Name+" ("+m.Digest[:12]+")") {
				t.Errorf("%s with its digest is not among %s", m.Name, found)
			}
		}
	}
	of := map[string]Check{}
	for _, check := range r.Checks {
		if check.Model == model {
			of[check.Name] = check
		}
		if check.Model == "absent:1b" && (check.State != Missing || check.Fix != "ollama pull absent:1b") {
			t.Errorf("a model that is not there: %+v", check)
		}
	}
	for name, says := range map[string]string{
		Server: "version 0.17.4", Capabilities: "completion (134.52M Q4_1, context 8192, digest " + r.Models[0].Digest[:12] + ")", Reply: "a token after", Logprobs: "Yes 0.",
		Embedding: "576 numbers", Parallel: "times as long as one",
	} {
		check, ok := of[name]
		if !ok {
			check = find(t, r, name)
		}
		if check.State != OK || !strings.Contains(check.Found, says) {
			t.Errorf("%+v, want %q", check, says)
		}
	}
	// Whether so small a model keeps to a schema, and where it runs, is not ours to say; that it was looked at is.
	for _, name := range []string{Schema, GPU} {
		if of[name].Found == "" || of[name].State == Missing {
			t.Errorf("%s: %+v", name, of[name])
		}
	}
}
