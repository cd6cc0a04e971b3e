//go:build ollama

package ollamatest

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/ollama/ollama/fs/ggml"
	"gonum.org/v1/gonum/stat"

	"verge/runner/backend/ollama/push"
	"verge/runner/engine"
	"verge/runner/engine/chat"
	"verge/runner/engine/enginetest"
	"verge/runner/engine/quant"
)

// TestFixturesAgree compares engine and server on random models in every architecture, tensor type and kind of vocabulary.
func TestFixturesAgree(t *testing.T) {
	s := newServer(t)
	seed := uint64(0)
	for _, arch := range []string{"llama", "qwen2"} {
		for _, kind := range quant.Types() {
			seed++
			s.fixtureAgrees(t, enginetest.Fixture{Arch: arch, Type: kind, Vocabulary: enginetest.Pairs, Seed: seed, Tied: seed%2 == 0})
		}
	}
	for _, f := range []enginetest.Fixture{
		{Arch: "llama", Type: ggml.TensorTypeF32, Vocabulary: enginetest.Bytes},
		{Arch: "llama", Type: ggml.TensorTypeF32, Vocabulary: enginetest.Sentences},
		{Arch: "llama", Type: ggml.TensorTypeF32, Vocabulary: enginetest.Pairs, RopeFactors: true},
	} {
		s.fixtureAgrees(t, f)
	}
}

// fixture is a model on both sides.
type fixture struct {
	m    *engine.Model
	base push.Base
}

const fixtureTag = "verge-fixture"

func (s server) fixture(t *testing.T, f enginetest.Fixture) fixture {
	t.Helper()
	file := filepath.Join(t.TempDir(), "fixture.gguf")
	if err := f.Write(file); err != nil {
		t.Fatal(err)
	}
	m, err := engine.OpenModel(file)
	if err != nil {
		t.Fatal(err)
	}
	return fixture{m, s.serve(t, fixtureTag, file)}
}

// rounding is how far the two may be apart in the mean, in nats, where the server rounds activations to the weights' precision or to
// 8 bits. It has been up to 0.1; a format that is read wrongly is some nats apart.
const rounding = 0.2

// fixtureAgrees demands log-probabilities within the limit where the server rounds nothing that the engine does not; elsewhere they are
// measured, and held to what shows a format or an architecture that is read wrongly.
func (s server) fixtureAgrees(t *testing.T, f enginetest.Fixture) {
	t.Run(f.String(), func(t *testing.T) {
		model := s.fixture(t, f)
		view, err := model.m.View(nil)
		if err != nil {
			t.Fatal(err)
		}
		c := s.begun(t, fixtureTag, view)
		t.Logf("%s: %s", f, c)
		if f.Type == ggml.TensorTypeF32 || f.Type == ggml.TensorTypeF16 {
			c.demand(t, f.String())
		} else if mean := stat.Mean(c.likeliest, nil); mean > rounding {
			t.Errorf("%s: engine and server are %.4f nats apart in the mean, more than %g", f, mean, rounding)
		}
	})
}

// begun compares the two on one token after each of many prompts: what a random model writes is hardly text, and the server drops the
// figures of bytes that are no characters.
func (s server) begun(t *testing.T, tag string, view *engine.View) *comparison {
	t.Helper()
	tok := view.Model().Tokenizer
	words := newVocabulary(tok)
	c := new(comparison)
	for _, text := range beginnings {
		ids, err := tok.EncodeParts([]chat.Part{{Text: text}})
		if err != nil {
			t.Fatal(err)
		}
		c.follow(t, view, words, ids, s.greedy(t, tag, text, 1))
	}
	return c
}

// TestAdaptersOnFixtures pushes an adapter of every matrix to a model of each architecture.
func TestAdaptersOnFixtures(t *testing.T) {
	s := newServer(t)
	for _, arch := range []string{"llama", "qwen2"} {
		t.Run(arch, func(t *testing.T) {
			model := s.fixture(t, enginetest.Fixture{Arch: arch, Type: ggml.TensorTypeF32, Vocabulary: enginetest.Pairs, Seed: 99})
			a, err := engine.NewAdapter(model.m, 4, 8, []string{"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"}, 1)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			for _, f := range a.Factors {
				for i := range f.B {
					f.B[i] = 0.05 * float32(r.NormFloat64())
				}
			}
			file := filepath.Join(t.TempDir(), "adapter.gguf")
			if err := a.WriteFile(file); err != nil {
				t.Fatal(err)
			}
			const tag = "verge-fixture-adapter"
			if err := s.Adapter(t.Context(), tag, model.base, file); err != nil {
				t.Fatal(err)
			}
			s.removeAfter(t, tag)
			adapted, err := model.m.View(a)
			if err != nil {
				t.Fatal(err)
			}
			c := s.begun(t, tag, adapted)
			t.Logf("%s with an adapter: %s", arch, c)
			c.demand(t, arch)
			plain, err := model.m.View(nil)
			if err != nil {
				t.Fatal(err)
			}
			if without := s.begun(t, tag, plain); without.worst() < 10*limit {
				t.Errorf("the adapter changes no log-probability by more than %.3f nats: nothing is tested", without.worst())
			}
		})
	}
}

// beginnings are texts of one to some fifty tokens, each the beginning of the next.
var beginnings = func() (texts []string) {
	const text = "What is the sum of 12 and 345? Let's see: the solver's answer, (7+5)*3 = 36, is right!\n\n  But  is it? I'm\tsure. Übung für 9 Leute — 1/2"
	for i := range text {
		if i > 0 && i%4 == 0 {
			texts = append(texts, text[:i])
		}
	}
	return append(texts, text)
}()
