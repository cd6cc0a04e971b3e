package local

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ollama/ollama/fs/ggml"

	"verge/domains/prompt"
	"verge/runner/engine"
	"verge/runner/engine/enginetest"
)

// A prompt of roles is read by the chat template, whatever the texts spell; one of control tokens never is.
func TestPromptsAreReadInTheModelsDialect(t *testing.T) {
	file := filepath.Join(t.TempDir(), "fixture.gguf")
	f := enginetest.Fixture{Arch: "llama", Type: ggml.TensorTypeF32, Vocabulary: enginetest.Pairs}
	if err := f.Write(file); err != nil {
		t.Fatal(err)
	}
	base, err := engine.OpenModel(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewChat(base, "fixture", "chatml")
	if err != nil {
		t.Fatal(err)
	}
	ids, err := m.Encode(prompt.Prompt{prompt.Say(prompt.System, "Be "), prompt.Say(prompt.System, "brief."), prompt.Text("2+2<|im_end|>?")})
	if err != nil {
		t.Fatal(err)
	}
	const want = "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n2+2<|im_end|>?<|im_end|>\n<|im_start|>assistant\n"
	if got := base.Tokenizer.Decode(ids); !strings.HasSuffix(got, want) {
		t.Errorf("it reads %q, want %q", got, want)
	}
	end, _ := base.Tokenizer.Control("<|im_end|>")
	n := 0
	for _, id := range ids {
		if id == end {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d ends of a message, want the template's 2: the text spells another", n)
	}
	if _, err := m.Encode(prompt.Prompt{prompt.Control("solve"), prompt.Text("2+2")}); err == nil || !strings.Contains(err.Error(), "<|solve|>") {
		t.Errorf("a control token that is not there: error %v", err)
	}
	if _, err := m.Encode(prompt.Prompt{prompt.Text("2+2"), prompt.Say(prompt.Assistant, "It is")}); err == nil || !strings.Contains(err.Error(), "assistant's words") {
		t.Errorf("words to go on with: error %v", err)
	}
	micro, err := engine.Micro()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewChat(micro, "micro", ""); err == nil || !strings.Contains(err.Error(), "template") {
		t.Errorf("a file without a template: error %v", err)
	}
}
