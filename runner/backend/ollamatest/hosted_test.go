//go:build ollama

package ollamatest

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/ollama/ollama/api"

	"verge/domains/prompt"
	"verge/runner/backend"
	"verge/runner/backend/hosted"
	"verge/runner/backend/local"
	"verge/runner/backend/ollama"
	"verge/runner/engine"
)

// TestAChatModelIsSampledByTheServer samples SmolLM2, as it is and with an adapter trained here, through the server: the server reads the very
// tokens that the engine does, and the tokens it tells have the engine's log-probabilities, as far as its rounding lets them.
func TestAChatModelIsSampledByTheServer(t *testing.T) {
	s := newServer(t)
	base, err := engine.OpenModel(setting(t, "VERGE_SMOLLM2"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := local.NewChat(base, "smollm2", "")
	if err != nil {
		t.Fatal(err)
	}
	tagged, err := s.TagBase(t.Context(), "smollm2:135m")
	if err != nil {
		t.Fatal(err)
	}
	c, err := ollama.New(ollama.Options{Host: setting(t, "VERGE_OLLAMA")})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const tag = "verge-hosted:generator"
	options := ollama.ModelOptions{Context: 1024, Threads: 1}
	h := hosted.New(c, m, tagged, hosted.Options{Tag: tag, Role: "generator", Model: options})
	ask := prompt.Prompt{
		prompt.Say(prompt.System, "You write problems for pupils."), prompt.Text("Write a problem about apples."),
		prompt.Say(prompt.Assistant, "<problem>Ann has 3 apples and buys 2. How many has she?</problem>"), prompt.Text("Write one about dogs."),
	}

	ids, err := m.Encode(ask)
	if err != nil {
		t.Fatal(err)
	}
	spelled, err := m.Spell(ask)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := c.Open(t.Context(), "smollm2:135m", options)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := plain.Ask(t.Context(), ollama.Query{Spelled: spelled, Params: backend.Params{TopP: 1, MaxTokens: 2}}); err != nil || a.Metrics.PromptEvalCount != len(ids) {
		t.Errorf("the server reads %d tokens, the engine %d; error %v", a.Metrics.PromptEvalCount, len(ids), err)
	}

	adapted, err := m.With(refusing(t, m, ask))
	if err != nil {
		t.Fatal(err)
	}
	for _, sampled := range []*local.Model{m, adapted, m} {
		name, another := "as it is", adapted
		if sampled == adapted {
			name, another = "with an adapter", m
		}
		request := backend.Request{Prompt: ask, Params: backend.Params{Temperature: 1, TopP: 1, MaxTokens: 32}, Seeds: []uint64{1, 2, 3, 4}}
		replies, err := h.Through(sampled).Sample(t.Context(), []backend.Request{request}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var told, other gaps
		for _, r := range replies[0] {
			if r.Err != nil || len(r.Tokens) != r.Count {
				t.Fatalf("%s: reply %+v", name, r)
			}
			turns := []backend.Turn{{Prompt: ask, Reply: r}}
			told = append(told, apart(t, sampled, turns)...)
			other = append(other, apart(t, another, turns)...)
		}
		t.Logf("%s: %s", name, told)
		if mean(told) > 0.15 || mean(other) < 2*mean(told) {
			t.Errorf("%s: the server is %.3f nats from the model it was to sample, %.3f from the other", name, mean(told), mean(other))
		}
	}

	if err := h.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	left, err := s.client.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(left.Models, func(m api.ListModelResponse) bool { return m.Name == tag }) {
		t.Errorf("%s is left on the server", tag)
	}
}

// apart is how far the log-probabilities that came with replies are from a model's.
func apart(t *testing.T, m *local.Model, turns []backend.Turn) (g gaps) {
	t.Helper()
	own, err := m.Logprobs(t.Context(), turns)
	if err != nil {
		t.Fatal(err)
	}
	for i, turn := range turns {
		for j, l := range turn.Reply.Logprobs {
			g = append(g, math.Abs(float64(l-own[i][j])))
		}
	}
	return g
}

func mean(g gaps) float64 {
	sum := 0.0
	for _, v := range g {
		sum += v
	}
	return sum / float64(len(g))
}

// refusing is an adapter that was trained for a few steps to refuse.
func refusing(t *testing.T, m *local.Model, ask prompt.Prompt) *engine.Adapter {
	t.Helper()
	a, err := engine.NewAdapter(m.Base(), 4, 8, []string{"attn_q", "attn_v", "ffn_down"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	trainer, err := engine.NewTrainer(m.Base(), a, engine.DefaultAdamW())
	if err != nil {
		t.Fatal(err)
	}
	ids, err := m.Encode(ask)
	if err != nil {
		t.Fatal(err)
	}
	tok := m.Base().Tokenizer
	all := append(tok.Append(slices.Clone(ids), "I will not write any such thing today."), tok.End())
	for range 8 {
		if _, err := trainer.Step([]engine.Sequence{{Tokens: all, From: len(ids)}}, 5e-3); err != nil {
			t.Fatal(err)
		}
	}
	return a
}
