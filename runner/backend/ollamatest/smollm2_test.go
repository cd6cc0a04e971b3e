//go:build ollama

package ollamatest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"verge/runner/engine"
	"verge/runner/engine/chat"
)

// TestSmolLM2Agrees compares engine and server on a real instruct model in Q4_1, of which the differences are measured: the server rounds
// the activations too, to 8 bits in blocks of 32. On the same weights in single precision they have to agree as on the embedded model.
func TestSmolLM2Agrees(t *testing.T) {
	s := newServer(t)
	file := setting(t, "VERGE_SMOLLM2")
	t.Run("Q4_1", func(t *testing.T) {
		c := s.chats(t, "verge-smollm2", file)
		if mean := stat.Mean(c.likeliest, nil); mean > rounding {
			t.Errorf("engine and server are %.4f nats apart in the mean, more than %g", mean, rounding)
		}
	})
	t.Run("F32", func(t *testing.T) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := engine.ReadModel(data, file)
		if err != nil {
			t.Fatal(err)
		}
		single := filepath.Join(t.TempDir(), "single.gguf")
		if err := m.WriteFile(single, false); err != nil {
			t.Fatal(err)
		}
		s.chats(t, "verge-smollm2-f32", single).demand(t, "F32")
	})
}

// chats compares the two on the answers to some questions.
func (s server) chats(t *testing.T, tag, file string) *comparison {
	t.Helper()
	s.serve(t, tag, file)
	m, err := engine.OpenModel(file)
	if err != nil {
		t.Fatal(err)
	}
	view, err := m.View(nil)
	if err != nil {
		t.Fatal(err)
	}
	template, err := m.Chat("")
	if err != nil {
		t.Fatal(err)
	}
	words := newVocabulary(m.Tokenizer)
	c := new(comparison)
	for _, question := range []string{
		"What is 12 + 30? Answer with the number only.",
		"Write one arithmetic exercise for a child of eight.",
		"Name three animals that live in the sea.",
		"Is 17 a prime number? Explain in one sentence.",
		"Translate \"good morning\" into French.",
		"Compute (7 + 5) * 3 step by step.",
	} {
		parts, err := template.Render([]chat.Message{{Role: "user", Content: question}}, true)
		if err != nil {
			t.Fatal(err)
		}
		ids, err := m.Tokenizer.EncodeParts(parts)
		if err != nil {
			t.Fatal(err)
		}
		var prompt strings.Builder
		for _, p := range parts {
			prompt.WriteString(p.Control + p.Text)
		}
		c.follow(t, view, words, ids, s.greedy(t, tag, prompt.String(), 32))
	}
	t.Logf("%s: %s", tag, c)
	return c
}
