package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"verge/runner/backend/ollama/hostile"
)

// A profile on Ollama without its server, or without its model, is refused before anything runs, with the command that mends it.
func TestProfilesOnOllamaSayWhatTheyNeed(t *testing.T) {
	dir := t.TempDir()
	s, err := hostile.Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("OLLAMA_HOST", s.URL())
	refused := func(why string, wants []string, args ...string) {
		t.Helper()
		stdout, stderr, code := verge(t, dir, args...)
		if code != exitRequest || stdout != "" {
			t.Errorf("%s: exit code %d, standard output %q", why, code, stdout)
		}
		for _, want := range wants {
			if !strings.Contains(stderr, want) {
				t.Errorf("%s: the message lacks %q: %s", why, want, stderr)
			}
		}
	}
	for profile, model := range map[string]string{"propel-math-ollama": "qwen2.5:3b", "propel-math-small": "smollm2:135m"} {
		refused("no model", []string{"roles.generator.model", "ollama pull " + model, "--pull"}, "run", profile, "--json")
	}
	s.Down()
	for _, profile := range []string{"propel-math-ollama", "propel-math-small"} {
		for _, pull := range [][]string{nil, {"--pull"}} {
			refused("no server", []string{s.URL(), "ollama serve", "https://ollama.com/download", "OLLAMA_HOST"}, append([]string{"run", profile, "--json"}, pull...)...)
		}
	}
	refused("no server to resume or sweep on", []string{"ollama serve"}, "sweep", "propel-math-small", "--seeds", "2")
	if runs, _ := os.ReadDir(filepath.Join(dir, defaultOut)); len(runs) > 0 {
		t.Errorf("%d runs were left behind", len(runs))
	}
}

// A missing model is pulled with --pull alone, and the download is told of.
func TestMissingModelsArePulledWhenAskedTo(t *testing.T) {
	s, err := hostile.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Down()
	t.Setenv("OLLAMA_HOST", s.URL())
	s.Pulled = func(name string) {
		shown := hostile.Shown("completion")
		shown.Template = "{{ range .Messages }}{{ .Content }}{{ end }}"
		s.Show[name] = shown
		s.Models = append(s.Models, api.ListModelResponse{Name: name, Model: name, Digest: strings.Repeat("1", 64)})
	}
	args := []string{"run", "propel-math-small", "--json", "--set", "run.arms=base", "--set", "policy.exemplars=0", "--set", "evaluation.proposals=2"}
	dir := t.TempDir()
	if _, stderr, code := verge(t, dir, args...); code != exitRequest || len(s.Pulls()) > 0 {
		t.Fatalf("without --pull: exit code %d, %v was pulled: %s", code, s.Pulls(), stderr)
	}
	s.Always(hostile.Answer("<problem>What is 2 + 3?</problem>"))
	if stdout, stderr, code := verge(t, dir, append(args, "--pull")...); code != 0 || len(s.Pulls()) != 1 || s.Pulls()[0] != "smollm2:135m" || !strings.Contains(stdout, `"valid":1`) {
		t.Errorf("exit code %d, %v was pulled: %s%s", code, s.Pulls(), stdout, stderr)
	}
}

// What a judge is asked is part of what a sweep costs.
func TestADryRunCountsTheAnswersOfOracles(t *testing.T) {
	s, err := hostile.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Down()
	t.Setenv("OLLAMA_HOST", s.URL())
	shown := hostile.Shown("completion")
	shown.Template = "{{ range .Messages }}{{ .Content }}{{ end }}"
	s.Show["smollm2:135m"] = shown
	s.Models = append(s.Models, api.ListModelResponse{Name: "smollm2:135m", Model: "smollm2:135m", Digest: strings.Repeat("1", 64)})
	args := []string{"sweep", "propel-math-small", "--seeds", "2", "--dry-run", "--set", "run.arms=base", "--set", "policy.exemplars=0", "--set", "evaluation.proposals=5"}
	dir := t.TempDir()
	for form, want := range map[string]string{"": "at most 30 attempts and 20 answers of oracles", "--json": `"attempts_at_most":30,"oracle_answers_at_most":20`} {
		stdout, stderr, code := verge(t, dir, append(args, strings.Fields(form)...)...)
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("exit code %d, the plan lacks %q: %s%s", code, want, stdout, stderr)
		}
	}
}
