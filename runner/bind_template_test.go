package runner

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ollama/ollama/fs/ggml"

	"verge/runner/engine/enginetest"
)

// A template that the model was not made for is refused before anything runs.
func TestTemplatesThatDoNotFitAreRefused(t *testing.T) {
	dir := t.TempDir()
	file, silent := filepath.Join(dir, "chats.gguf"), filepath.Join(dir, "silent.gguf")
	f := enginetest.Fixture{Arch: "llama", Type: ggml.TensorTypeF32, Vocabulary: enginetest.Pairs}
	if err := f.Write(file); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(silent, bytes.Replace(content, []byte("m['content']"), []byte("m['nothing']"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		model, template string
		want            []string
	}{
		{file, "", nil},
		{file, "chatml", nil},
		{silent, "chatml", nil},
		{file, "llama3", []string{"roles.generator.template=llama3", "lacks the control tokens", "<|eot_id|>", "its file's own"}},
		{silent, "", []string{"leaves out what the system says", "chatml, llama2, llama3"}},
	} {
		var sets []string
		for _, role := range []string{"generator", "solver", "judge"} {
			sets = append(sets, "roles."+role+".model="+c.model, "roles."+role+".template="+c.template, "roles."+role+".max_tokens=4")
		}
		err := Check(small(t, append(sets, "run.arms=validity-only")...))
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s with template %q: error %v", c.model, c.template, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s with template %q: the error lacks %q: %v", c.model, c.template, want, err)
			}
		}
	}
}
