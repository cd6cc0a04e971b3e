//go:build ollama

package ollamatest

import (
	"path/filepath"
	"slices"
	"testing"

	"verge/domains/prompt"
	"verge/runner/backend/local"
	"verge/runner/engine"
)

// microPrompts are prompts of the embedded model: proposals, and exercises to solve.
func microPrompts() []prompt.Prompt {
	control, text := prompt.Control, prompt.Text
	ps := []prompt.Prompt{{control("math"), control("propose")}}
	for _, exercise := range []string{"7+5", "48+36", "9*8", "123-45", "(12+7)*3", "847+295", "64%9"} {
		ps = append(ps,
			prompt.Prompt{control("math"), control("solve"), text(exercise), control("sep")},
			prompt.Prompt{control("math"), control("steps"), text(exercise), control("sep")})
	}
	return ps
}

// microCopy writes a copy of the embedded model to a file and reads it again, so that weights and digest are the file's.
func microCopy(t *testing.T, half bool) (*engine.Model, string) {
	t.Helper()
	m, err := engine.ReadModel(engine.MicroFile(), "micro")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "micro.gguf")
	if err := m.WriteFile(path, half); err != nil {
		t.Fatal(err)
	}
	if m, err = engine.OpenModel(path); err != nil {
		t.Fatal(err)
	}
	return m, path
}

// TestMicroAgrees compares engine and server on the embedded model, in single and in half precision, and with an adapter trained on it.
func TestMicroAgrees(t *testing.T) {
	s := newServer(t)
	for _, half := range []bool{false, true} {
		name := map[bool]string{false: "f32", true: "f16"}[half]
		t.Run(name, func(t *testing.T) {
			m, path := microCopy(t, half)
			base := s.serve(t, "verge-micro-"+name, path)
			plain, err := m.View(nil)
			if err != nil {
				t.Fatal(err)
			}
			agree(t, s, "verge-micro-"+name, plain)

			adapter := trainedAdapter(t, m)
			file := filepath.Join(t.TempDir(), "adapter.gguf")
			if err := adapter.WriteFile(file); err != nil {
				t.Fatal(err)
			}
			tag := "verge-micro-" + name + "-adapter"
			if err := s.Adapter(t.Context(), tag, base, file); err != nil {
				t.Fatal(err)
			}
			s.removeAfter(t, tag)
			adapted, err := m.View(adapter)
			if err != nil {
				t.Fatal(err)
			}
			agree(t, s, tag, adapted)
			differ(t, s, tag, plain)
		})
	}
}

// agree demands the same greedy texts, and log-probabilities within the limit.
func agree(t *testing.T, s server, tag string, view *engine.View) {
	t.Helper()
	tok := view.Model().Tokenizer
	words := newVocabulary(tok)
	var c comparison
	for _, p := range microPrompts() {
		ids, err := local.Encode(tok, p)
		if err != nil {
			t.Fatal(err)
		}
		const tokens = 48
		samples, err := view.Sample(t.Context(), []engine.Request{{Prompt: ids, Seeds: []uint64{1}, Params: engine.Params{MaxTokens: tokens}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, own, ties := s.greedy(t, tag, p.String(), tokens), samples[0][0], c.ties
		c.follow(t, view, words, ids, r)
		if c.ties == ties && (r.text != own.Text || r.ended != (own.Finish == engine.FinishEnd)) {
			t.Errorf("%s, %s: the server writes %q (ended: %t), the engine %q (%s)", tag, p, r.text, r.ended, own.Text, own.Finish)
		}
	}
	t.Logf("%s: %s", tag, &c)
	c.demand(t, tag)
}

// differ demands that the server's figures are not those of another view: an adapter that did nothing would pass agree.
func differ(t *testing.T, s server, tag string, other *engine.View) {
	t.Helper()
	tok := other.Model().Tokenizer
	p := microPrompts()[1]
	ids, err := local.Encode(tok, p)
	if err != nil {
		t.Fatal(err)
	}
	var c comparison
	c.follow(t, other, newVocabulary(tok), ids, s.greedy(t, tag, p.String(), 8))
	if c.worst() < 10*limit {
		t.Errorf("%s: the server answers as if there were no adapter", tag)
	}
}

// trainedAdapter trains an adapter for a few steps to answer every exercise with "no idea".
func trainedAdapter(t *testing.T, m *engine.Model) *engine.Adapter {
	t.Helper()
	a, err := engine.NewAdapter(m, 4, 8, []string{"attn_q", "attn_v", "attn_output", "ffn_up", "ffn_down"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	trainer, err := engine.NewTrainer(m, a, engine.DefaultAdamW())
	if err != nil {
		t.Fatal(err)
	}
	var batch []engine.Sequence
	for _, p := range microPrompts()[1:] {
		ids, err := local.Encode(m.Tokenizer, p)
		if err != nil {
			t.Fatal(err)
		}
		all := append(m.Tokenizer.Append(slices.Clone(ids), "no idea"), m.Tokenizer.End())
		batch = append(batch, engine.Sequence{Tokens: all, From: len(ids)})
	}
	for range 20 {
		if _, err := trainer.Step(batch, 5e-3); err != nil {
			t.Fatal(err)
		}
	}
	return a
}
