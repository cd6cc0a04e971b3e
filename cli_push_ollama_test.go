//go:build ollama

package main

import (
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"
)

// TestPushMakesAModel pushes a run's adapter to the server that VERGE_OLLAMA names, and asks what came of it.
func TestPushMakesAModel(t *testing.T) {
	server := os.Getenv("VERGE_OLLAMA")
	if server == "" {
		t.Fatal("VERGE_OLLAMA is not set; run this test with: .ci/ollama with go test -tags ollama .")
	}
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := pushableRun(t, dir)
	for range 2 { // the second replaces the first
		stdout, stderr, code := verge(t, dir, "push", run, "verge-cli-push", "--host", server)
		if code != 0 || !strings.Contains(stdout, "ollama run verge-cli-push") {
			t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
		}
	}
	client := api.NewClient(u, http.DefaultClient)
	defer func() {
		if err := client.Delete(t.Context(), &api.DeleteRequest{Model: "verge-cli-push"}); err != nil {
			t.Error(err)
		}
	}()
	answered := false
	request := &api.GenerateRequest{Model: "verge-cli-push", Prompt: "<|math|><|propose|>", Raw: true, Options: map[string]any{"num_predict": 16}}
	if err := client.Generate(t.Context(), request, func(r api.GenerateResponse) error {
		answered = answered || r.Response != ""
		return nil
	}); err != nil || !answered {
		t.Errorf("the model that was pushed: answered %t, error %v", answered, err)
	}
}
