// Package local binds roles to a model that runs in this process, on the engine.
package local

import (
	"context"
	"strings"

	"verge/domains/prompt"
	"verge/runner/backend"
	"verge/runner/engine"
	"verge/runner/engine/chat"
)

// Model is a model of the engine, with an adapter merged into it or not. It samples, gives exact log-probabilities, and is read layer by layer.
type Model struct {
	view    *engine.View
	name    string
	chat    *chat.Template  // nil of a model that reads no chats
	adapter *engine.Adapter // that the view was made with, or nil
}

var _ backend.Scorer = (*Model)(nil)

// New binds base as it is. name is what a run calls it.
func New(base *engine.Model, name string) (*Model, error) {
	view, err := base.View(nil)
	if err != nil {
		return nil, err
	}
	return &Model{view: view, name: name}, nil
}

// NewChat is New of a model that reads chats, by the template of its file, or by the one of that name.
func NewChat(base *engine.Model, name, template string) (*Model, error) {
	t, err := base.Chat(template)
	if err != nil {
		return nil, err
	}
	m, err := New(base, name)
	if err != nil {
		return nil, err
	}
	m.chat = t
	return m, nil
}

// With is the same model with an adapter merged into its weights.
func (m *Model) With(a *engine.Adapter) (*Model, error) {
	view, err := m.Base().View(a)
	if err != nil {
		return nil, err
	}
	return &Model{view, m.name, m.chat, a}, nil
}

// Renew puts an adapter in the place of the one that With merged, in the same memory. Nobody may be using m meanwhile.
func (m *Model) Renew(a *engine.Adapter) error {
	if err := m.view.Renew(a); err != nil {
		return err
	}
	m.adapter = a
	return nil
}

// Adapter is the adapter that With or Renew put on the model; nil where there is none. A training may have changed it since.
func (m *Model) Adapter() *engine.Adapter { return m.adapter }

// Base is the engine's model, without an adapter.
func (m *Model) Base() *engine.Model { return m.view.Model() }

// View is what runs: the base with the adapter.
func (m *Model) View() *engine.View { return m.view }

// Identity names the base model; what an adapter adds is in the run's events.
func (m *Model) Identity() backend.Identity {
	return backend.Identity{Backend: "engine", Name: m.name, Digest: m.Base().Digest}
}

// Sample implements backend.Model.
func (m *Model) Sample(ctx context.Context, requests []backend.Request, progress func(replies, tokens int)) ([][]backend.Reply, error) {
	asked := make([]engine.Request, len(requests))
	for i, r := range requests {
		tokens, err := m.Encode(r.Prompt)
		if err != nil {
			return nil, err
		}
		p := r.Params
		asked[i] = engine.Request{Prompt: tokens, Seeds: r.Seeds,
			Params: engine.Params{Temperature: p.Temperature, TopK: p.TopK, TopP: p.TopP, MaxTokens: p.MaxTokens}}
	}
	samples, err := m.view.Sample(ctx, asked, progress)
	if err != nil {
		return nil, err
	}
	replies := make([][]backend.Reply, len(samples))
	for i, row := range samples {
		replies[i] = make([]backend.Reply, len(row))
		for j, s := range row {
			stop := backend.StopEnd
			if s.Finish == engine.FinishLength {
				stop = backend.StopLength
			}
			// A byte-level model may stop in the middle of a character, or never have begun one.
			text := strings.ToValidUTF8(s.Text, "\uFFFD")
			replies[i][j] = backend.Reply{Text: text, Tokens: s.Tokens, Logprobs: s.Logprob, Stop: stop}
		}
	}
	return replies, nil
}

// Layers is the number of blocks; layer 0 of Read is the embeddings.
func (m *Model) Layers() int { return m.Base().Layers }

// Width is the size of a hidden state.
func (m *Model) Width() int { return m.Base().Width }

// Read calls visit with the hidden states, tokens × Width, of each prompt at each of the layers. visit may be called from several
// goroutines for different prompts; the states are valid during the call only.
func (m *Model) Read(ctx context.Context, prompts []prompt.Prompt, layers []int, visit func(i, layer int, states []float32)) error {
	seqs := make([][]int32, len(prompts))
	for i, p := range prompts {
		var err error
		if seqs[i], err = m.Encode(p); err != nil {
			return err
		}
	}
	return m.view.Hidden(ctx, seqs, layers, visit)
}

// Logprobs implements backend.Scorer.
func (m *Model) Logprobs(ctx context.Context, turns []backend.Turn) ([][]float32, error) {
	t, err := m.texts(turns)
	if err != nil {
		return nil, err
	}
	found, err := m.view.Logprobs(ctx, t.seqs, t.from)
	return spread(found, t.turn, len(turns)), err
}

// Entropies implements backend.Scorer.
func (m *Model) Entropies(ctx context.Context, turns []backend.Turn) ([][]float64, error) {
	t, err := m.texts(turns)
	if err != nil {
		return nil, err
	}
	found, err := m.view.Entropies(ctx, t.seqs, t.from)
	return spread(found, t.turn, len(turns)), err
}

// texts are turns as the model reads them, those without sampled tokens left out.
type texts struct {
	seqs [][]int32
	from []int // index of the first sampled token
	turn []int // that the text is of
}

func (m *Model) texts(turns []backend.Turn) (texts, error) {
	var out texts
	for i, t := range turns {
		if len(t.Reply.Tokens) == 0 {
			continue
		}
		tokens, err := m.Encode(t.Prompt)
		if err != nil {
			return out, err
		}
		out.seqs, out.from, out.turn = append(out.seqs, append(tokens, t.Reply.Tokens...)), append(out.from, len(tokens)), append(out.turn, i)
	}
	return out, nil
}

// spread puts figures of texts to the n turns they are of.
func spread[T any](figures [][]T, turn []int, n int) [][]T {
	out := make([][]T, n)
	for i, f := range figures {
		out[turn[i]] = f
	}
	return out
}
