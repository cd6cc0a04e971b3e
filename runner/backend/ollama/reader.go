package ollama

import (
	"context"
	"fmt"

	"verge/domains/prompt"
)

// Reader reads tasks as embeddings, one vector of each, in the place of hidden states: what an embedding probe reads. Its only layer is 0.
type Reader struct {
	*Model
	width int
	kept  Kept
}

// Kept are embeddings that were had before: a server's need not come out the same again, to the bit.
type Kept interface {
	// Embedding is that of a text; false where it is not kept.
	Embedding(text string) ([]float32, bool)
	// Keep keeps those of texts, for good when it returns.
	Keep(texts []string, vectors [][]float32) error
}

// NewReader reads by a model's embeddings, whose length it asks for with one call.
func (m *Model) NewReader(ctx context.Context) (*Reader, error) {
	v, err := m.Embed(ctx, []prompt.Prompt{{prompt.Text("1+1")}})
	if err != nil {
		return nil, err
	}
	return &Reader{Model: m, width: len(v[0])}, nil
}

// Keeping is the reader with what was kept.
func (r *Reader) Keeping(k Kept) *Reader { return &Reader{r.Model, r.width, k} }

// Embeds says, to package probes, that what is read is one vector of a whole text.
func (r *Reader) Embeds() {}

// Layers implements probes.Reader.
func (r *Reader) Layers() int { return 0 }

// Width implements probes.Reader: the length of an embedding.
func (r *Reader) Width() int { return r.width }

// Read implements probes.Reader.
func (r *Reader) Read(ctx context.Context, prompts []prompt.Prompt, layers []int, visit func(i, layer int, states []float32)) error {
	if len(layers) != 1 || layers[0] != 0 {
		return fmt.Errorf("ollama: layers %v of %s were asked for; an embedding has no layers but 0", layers, r.name)
	}
	vectors := make([][]float32, len(prompts))
	var texts []string
	var missing []prompt.Prompt
	var at []int
	for i, p := range prompts {
		if r.kept != nil {
			if v, ok := r.kept.Embedding(p.String()); ok {
				vectors[i] = v
				continue
			}
		}
		texts, missing, at = append(texts, p.String()), append(missing, p), append(at, i)
	}
	fresh, err := r.Embed(ctx, missing)
	if err != nil {
		return err
	}
	if r.kept != nil {
		if err := r.kept.Keep(texts, fresh); err != nil {
			return err
		}
	}
	for j, v := range fresh {
		vectors[at[j]] = v
	}
	for i, v := range vectors {
		if len(v) != r.width {
			return fmt.Errorf("ollama: an embedding of length %d by %s, which gives them of length %d", len(v), r.name, r.width)
		}
		visit(i, 0, v)
	}
	return nil
}
