package ollama

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/ollama/ollama/api"

	"verge/domains/prompt"
)

// EmbeddingProbe is what a probe is called, everywhere it is shown, that reads embeddings: it is no activation probe.
const EmbeddingProbe = "embedding probe"

// embedAtOnce bounds the texts of one call, so that one call's answer stays small and a broken one costs little.
const embedAtOnce = 32

// Dimension is the length of the model's embeddings.
func (m *Model) Dimension() int { return m.info.Embedding }

// Embed returns the embedding of each prompt, of length 1, as the server normalises it. A prompt that does not fit the context is an
// error, never cut; so is an embedding that is not finite or of another length than Dimension.
func (m *Model) Embed(ctx context.Context, prompts []prompt.Prompt) ([][]float32, error) {
	if err := m.embeds(); err != nil {
		return nil, err
	}
	defer m.heavy()
	all := make([][]float32, 0, len(prompts))
	for len(all) < len(prompts) {
		texts := make([]string, 0, embedAtOnce)
		for _, p := range prompts[len(all):min(len(all)+embedAtOnce, len(prompts))] {
			texts = append(texts, p.String())
		}
		vectors, err := m.embed(ctx, texts)
		if err != nil {
			return nil, m.client.named(err, m.name)
		}
		all = append(all, vectors...)
	}
	if len(all) > 0 {
		m.placeOnce(ctx)
	}
	return all, nil
}

// embeds refuses a model that gives no embeddings.
func (m *Model) embeds() error {
	if m.info.Embeds() {
		return nil
	}
	return &ModelError{m.name, fmt.Sprintf("gives no embeddings on version %s of the server", m.info.Server),
		"name an embedding model for the probe, such as nomic-embed-text, or a reference on the engine"}
}

func (m *Model) embed(ctx context.Context, texts []string) ([][]float32, error) {
	if _, err := m.prepare(ctx); err != nil {
		return nil, err
	}
	no := false
	var answer *api.EmbedResponse
	var start time.Time
	err := m.client.safely(ctx, func() error {
		ctx, w := m.client.limits.watch(ctx)
		defer w.stop()
		var err error
		start = time.Now()
		answer, err = m.client.api.Embed(ctx, &api.EmbedRequest{
			Model: m.name, Input: texts, Truncate: &no,
			KeepAlive: &api.Duration{Duration: m.keepAlive}, Options: m.runner(),
		})
		return translate(ctx, err)
	})
	if err != nil {
		return nil, err
	}
	m.account(ctx, start, answer.LoadDuration)
	if len(answer.Embeddings) != len(texts) {
		return nil, &CallError{Outcome: ServerError, Text: fmt.Sprintf("%d embeddings of %d texts", len(answer.Embeddings), len(texts))}
	}
	for i, v := range answer.Embeddings {
		if want := m.Dimension(); len(v) == 0 || want > 0 && len(v) != want {
			return nil, &CallError{Outcome: ServerError, Text: fmt.Sprintf("an embedding of length %d, not %d", len(v), want)}
		}
		for _, x := range v {
			if x := float64(x); math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, &CallError{Outcome: ServerError, Text: fmt.Sprintf("the embedding of %.80q is not finite", texts[i])}
			}
		}
	}
	return answer.Embeddings, nil
}
