package probes

import (
	"context"
	"fmt"
	"slices"

	"verge/domains/prompt"
)

// Reader is a model whose hidden states can be read.
type Reader interface {
	// Layers is the number of blocks. Layer 0 is the embeddings, layer n the residual stream after block n.
	Layers() int
	// Width is the size of a hidden state.
	Width() int
	// Read calls visit once for each prompt i and each of the layers, with the hidden states, tokens × Width, which are valid during the
	// call only. visit may be called from several goroutines for different prompts.
	Read(ctx context.Context, prompts []prompt.Prompt, layers []int, visit func(i, layer int, states []float32)) error
}

// Embedder is a Reader of embeddings: in the place of hidden states Read gives one vector of a whole prompt, and there is no layer but 0. Probes
// on it are embedding probes, which read no activations.
type Embedder interface {
	Reader
	Embeds()
}

// part is a basic pooling of one layer.
type part struct {
	layer   int
	pooling Pooling
}

// features are pooled hidden states.
type features struct {
	width  int
	pooled map[part][]float32 // prompts × width
}

// newFeatures has room for n prompts at all combinations of layers and poolings.
func newFeatures(width, n int, layers []int, poolings []Pooling) *features {
	f := &features{width: width, pooled: map[part][]float32{}}
	for _, l := range layers {
		for _, p := range poolings {
			for _, basic := range p.parts() {
				if at := (part{l, basic}); f.pooled[at] == nil {
					f.pooled[at] = make([]float32, n*width)
				}
			}
		}
	}
	return f
}

// extract reads the prompts once, for all combinations of layers and poolings.
func extract(ctx context.Context, r Reader, prompts []prompt.Prompt, layers []int, poolings []Pooling) (*features, error) {
	f := newFeatures(r.Width(), len(prompts), layers, poolings)
	if err := read(ctx, r, prompts, layers, f.add); err != nil {
		return nil, err
	}
	return f, nil
}

// add pools the states of prompt i at a layer in every way that is wanted there.
func (f *features) add(i, layer int, states []float32) error {
	for _, p := range basicPoolings() {
		rows := f.pooled[part{layer, p}]
		if rows == nil {
			continue
		}
		row := rows[i*f.width : (i+1)*f.width]
		pool(row, p, states)
		if j := slices.IndexFunc(row, notFinite[float32]); j >= 0 {
			return overflow(fmt.Sprintf("feature %d, %s", j, p), layer, float64(row[j]))
		}
	}
	return nil
}

// size is the number of features at p.
func (f *features) size(p place) int { return len(p.layers()) * len(p.pooling.parts()) * f.width }

// row writes the features of prompt i at p to dst, which is size(p) long.
func (f *features) row(dst []float64, p place, i int) {
	for _, l := range p.layers() {
		for _, basic := range p.pooling.parts() {
			src := f.pooled[part{l, basic}][i*f.width : (i+1)*f.width]
			for j, v := range src {
				dst[j] = float64(v)
			}
			dst = dst[f.width:]
		}
	}
}
