package main

import (
	"io"
	"net/http"
	"net/http/httptest"
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

// What needs no server to be refused is refused before anything is downloaded.
func TestNothingIsPulledForAWrongRequest(t *testing.T) {
	s, err := hostile.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Down()
	t.Setenv("OLLAMA_HOST", s.URL())
	s.Pulled = func(string) {}
	for sets, want := range map[string]string{
		"policy.kind=lora roles.generator.temperature=1 roles.generator.top_p=1":            `policy.kind = "context"`,
		"roles.reference.model=a.gguf":                                                      "a.gguf: no such file",
		"roles.reference.backend=ollama roles.reference.model=nomic-embed-text":             "a server's embedding has no layers",
		"roles.generator.context=2048":                                                      "load it again at each change",
		"roles.oracles=[{backend='ollama',model='a:1b'},{backend='ollama',model='b.gguf'}]": "not files",
	} {
		args := []string{"run", "propel-math-small", "--headless", "--pull"}
		for _, set := range strings.Fields(sets) {
			args = append(args, "--set", set)
		}
		if _, stderr, code := verge(t, t.TempDir(), args...); code != exitRequest || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, the message lacks %q: %s", sets, code, want, stderr)
		}
	}
	if n := s.Pulls(); len(n) > 0 {
		t.Errorf("%v were pulled", n)
	}
}

// A model that nobody has is a wrong request; a download that ends in the middle is a run that failed.
func TestHowADownloadCanEnd(t *testing.T) {
	const half = `{"status":"pulling 1","digest":"sha256:1","total":4000000,"completed":2000000}`
	for name, c := range map[string]struct {
		status int
		answer string
		code   int
		says   string
	}{
		"nobody has it":    {200, `{"status":"pulling manifest"}` + "\n" + `{"error":"pull model manifest: file does not exist"}`, exitRequest, "ollama.com/library"},
		"no name":          {400, `{"error":"invalid model name"}`, exitRequest, "invalid model name"},
		"it breaks off":    {200, half, exitFailed, "goes on where it stopped"},
		"the disk is full": {200, half + "\n" + `{"error":"write: no space left on device"}`, exitFailed, "no space left"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/api/version":
				io.WriteString(w, `{"version":"0.17.4"}`)
			case "/api/tags":
				io.WriteString(w, `{"models":[]}`)
			case "/api/pull":
				w.WriteHeader(c.status)
				io.WriteString(w, c.answer+"\n")
			default:
				w.WriteHeader(http.StatusNotFound)
				io.WriteString(w, `{"error":"model not found"}`)
			}
		}))
		t.Setenv("OLLAMA_HOST", s.URL)
		_, stderr, code := verge(t, t.TempDir(), "run", "propel-math-small", "--headless", "--pull")
		s.Close()
		if code != c.code || !strings.Contains(stderr, c.says) || !strings.Contains(stderr, "roles.generator.model") {
			t.Errorf("%s: exit code %d, want %d and %q: %s", name, code, c.code, c.says, stderr)
		}
	}
}
