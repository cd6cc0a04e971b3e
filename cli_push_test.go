package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pushableRun makes a run of a second or two and gives its name.
func pushableRun(t *testing.T, dir string) string {
	t.Helper()
	if _, stderr, code := verge(t, dir, append([]string{"run", "quick"}, tiny...)...); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	runs, err := os.ReadDir(filepath.Join(dir, defaultOut))
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	return runs[0].Name()
}

func TestPushSaysWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	run := pushableRun(t, dir)
	const nobody = "127.0.0.1:1" // a port that nobody listens on
	adapters := filepath.Join(dir, defaultOut, run, "adapters")
	copyAdapter := func(arm string, change func([]byte) []byte) {
		file, err := os.ReadFile(filepath.Join(adapters, "propel.gguf"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(adapters, arm+".gguf"), change(file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(want []string, args ...string) {
		t.Helper()
		stdout, stderr, code := verge(t, dir, append([]string{"push"}, args...)...)
		if code != exitRequest || stdout != "" {
			t.Errorf("%q: exit code %d, standard output %q", args, code, stdout)
		}
		for _, w := range want {
			if !strings.Contains(stderr, w) {
				t.Errorf("%q: the message does not name %q: %s", args, w, stderr)
			}
		}
	}
	refused([]string{"a run and a tag"}, run)
	refused([]string{"nosuch"}, "nosuch", "mine")
	refused([]string{nobody, "ollama serve", "--host"}, run, "mine", "--host", nobody)
	refused([]string{"not a tag", "my-generator"}, run, "not a tag", "--host", nobody)
	refused([]string{`"nosuch"`, "propel"}, run, "mine", "--arm", "nosuch")

	copyAdapter("other", func(file []byte) []byte { return file })
	refused([]string{"--arm", "other, propel"}, run, "mine")
	copyAdapter("other", func(file []byte) []byte { return file[:100] })
	refused([]string{"other.gguf"}, run, "mine", "--arm", "other")
	copyAdapter("other", func(file []byte) []byte {
		at := strings.Index(string(file), "adapter.verge.base_digest") + len("adapter.verge.base_digest") + 4 + 8
		copy(file[at:], "0123456789ab")
		return file
	})
	refused([]string{"0123456789ab", "micro has digest"}, run, "mine", "--arm", "other", "--host", nobody)

	if err := os.RemoveAll(adapters); err != nil {
		t.Fatal(err)
	}
	refused([]string{"no adapter"}, run, "mine")
}
