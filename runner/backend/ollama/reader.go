package ollama

import (
	"context"
	"fmt"
	"slices"

	"verge/domains/prompt"
)

// Reader reads tasks as embeddings, one vector of each, in the place of hidden states: what an embedding probe reads. Its only layer is 0.
type Reader struct {
	*Model
	kept Kept
}

// Kept are embeddings that were had before: a server's need not come out the same again, to the bit.
type Kept interface {
	// Embedding is that of a text; false where it is not kept.
	Embedding(text string) ([]float32, bool)
	// Keep keeps those of texts, for good when it returns.
	Keep(texts []string, vectors [][]float32) error
}

// NewReader reads by a model's embeddings. It asks nothing: Try does.
func (m *Model) NewReader() (*Reader, error) {
	if err := m.embeds(); err != nil {
		return nil, err
	}
	if m.Dimension() == 0 {
		return nil, &ModelError{m.name, fmt.Sprintf("has embeddings of a length that version %s of the server does not tell", m.info.Server),
			"name an embedding model for the probe, such as nomic-embed-text, or a reference on the engine"}
	}
	return &Reader{Model: m}, nil
}

// Try reads one short text, which has the server load the model.
func (r *Reader) Try(ctx context.Context) error {
	_, err := r.Embed(ctx, []prompt.Prompt{{prompt.Text("1+1")}})
	return err
}

// Keeping is the reader with what was kept.
func (r *Reader) Keeping(k Kept) *Reader { return &Reader{r.Model, k} }

// Embeds says, to package probes, that what is read is one vector of a whole text.
func (r *Reader) Embeds() {}

// Layers implements probes.Reader.
func (r *Reader) Layers() int { return 0 }

// Width implements probes.Reader: the length of an embedding.
func (r *Reader) Width() int { return r.Dimension() }

// Read implements probes.Reader. What it has had of the server is kept when it fails, so that a resumed run asks only for the rest.
func (r *Reader) Read(ctx context.Context, prompts []prompt.Prompt, layers []int, visit func(i, layer int, states []float32)) error {
	if len(layers) != 1 || layers[0] != 0 {
		return fmt.Errorf("ollama: layers %v of %s were asked for; an embedding has no layers but 0", layers, r.name)
	}
	vectors := make([][]float32, len(prompts))
	var missing []int
	for i, p := range prompts {
		if r.kept != nil {
			if v, ok := r.kept.Embedding(p.String()); ok {
				vectors[i] = v
				continue
			}
		}
		missing = append(missing, i)
	}
	for some := range slices.Chunk(missing, embedAtOnce) {
		if err := r.fetch(ctx, prompts, some, vectors); err != nil {
			return err
		}
	}
	for i, v := range vectors {
		if len(v) != r.Width() {
			return fmt.Errorf("ollama: an embedding of length %d by %s, which gives them of length %d", len(v), r.name, r.Width())
		}
		visit(i, 0, v)
	}
	return nil
}

// fetch asks for the embeddings of some of the prompts and keeps them. One text can spoil a call of many: after a failure each is asked for
// alone, so that the others are had.
func (r *Reader) fetch(ctx context.Context, prompts []prompt.Prompt, some []int, vectors [][]float32) error {
	err := r.fetchTogether(ctx, prompts, some, vectors)
	if err == nil || fatal(err) {
		return err
	}
	var failed error
	for _, i := range some {
		if err := r.fetchAlone(ctx, prompts, i, vectors); fatal(err) {
			return err
		} else if err != nil && failed == nil {
			failed = fmt.Errorf("model %s gives no embedding of %.200q: %w", r.name, prompts[i].String(), err)
		}
	}
	return failed
}

// fetchAlone asks for one text until it is asked maxAsked times, unless no answer will ever come.
func (r *Reader) fetchAlone(ctx context.Context, prompts []prompt.Prompt, i int, vectors [][]float32) error {
	for n := 1; ; n++ {
		err := r.fetchTogether(ctx, prompts, []int{i}, vectors)
		if err == nil || n == maxAsked || fatal(err) || outcomeOf(err) == TruncatedPrompt {
			return err
		}
		if err := sleep(ctx, backoff(n)); err != nil {
			return err
		}
	}
}

func (r *Reader) fetchTogether(ctx context.Context, prompts []prompt.Prompt, some []int, vectors [][]float32) error {
	var ask []prompt.Prompt
	var texts []string
	for _, i := range some {
		ask, texts = append(ask, prompts[i]), append(texts, prompts[i].String())
	}
	fresh, err := r.Embed(ctx, ask)
	if err != nil {
		return err
	}
	for j, i := range some {
		vectors[i] = fresh[j]
	}
	if r.kept == nil {
		return nil
	}
	return r.kept.Keep(texts, fresh)
}
