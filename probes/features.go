package probes

import (
	"context"
	"fmt"
	"math"
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

// features are pooled hidden states.
type features struct {
	width  int
	pooled map[place][]float32 // basic poolings only: prompts × width
}

// place is where features are taken: a layer and a pooling.
type place struct {
	layer   int
	pooling Pooling
}

// extract reads the prompts once, for all combinations of layers and poolings.
func extract(ctx context.Context, r Reader, prompts []prompt.Prompt, layers []int, poolings []Pooling) (*features, error) {
	f := &features{width: r.Width(), pooled: map[place][]float32{}}
	var parts []Pooling
	for _, p := range poolings {
		parts = append(parts, p.parts()...)
	}
	slices.Sort(parts)
	parts = slices.Compact(parts)
	for _, l := range layers {
		for _, p := range parts {
			f.pooled[place{l, p}] = make([]float32, len(prompts)*f.width)
		}
	}

	seen, problems := make([]bool, len(prompts)*len(layers)), make([]error, len(prompts))
	err := r.Read(ctx, prompts, layers, func(i, layer int, states []float32) {
		at := slices.Index(layers, layer)
		if at < 0 {
			problems[i] = fmt.Errorf("probes: the reader gave layer %d of prompt %d, but was asked for layers %v", layer, i, layers)
			return
		}
		seen[i*len(layers)+at] = true
		if len(states) == 0 || len(states)%f.width != 0 {
			problems[i] = fmt.Errorf("probes: prompt %d (%.60q) has %d values of hidden states at layer %d: want a positive multiple of the width %d; a prompt needs at least one token", i, prompts[i], len(states), layer, f.width)
			return
		}
		for _, p := range parts {
			row := f.pooled[place{layer, p}][i*f.width : (i+1)*f.width]
			pool(row, p, states)
			if j := slices.IndexFunc(row, notFinite); j >= 0 {
				problems[i] = fmt.Errorf("probes: feature %d of prompt %d (%.60q), %s of layer %d, is %v: the model's activations overflow, so that nothing can be read from this layer", j, i, prompts[i], p, layer, row[j])
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for _, problem := range problems {
		if problem != nil {
			return nil, problem
		}
	}
	if at := slices.Index(seen, false); at >= 0 {
		i := at / len(layers)
		return nil, fmt.Errorf("probes: the reader gave no layer %d of prompt %d (%.60q)", layers[at%len(layers)], i, prompts[i])
	}
	return f, nil
}

func notFinite(v float32) bool { return math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) }

// size is the number of features at p.
func (f *features) size(p place) int { return len(p.pooling.parts()) * f.width }

// row writes the features of prompt i at p to dst, which is size(p) long.
func (f *features) row(dst []float64, p place, i int) {
	for k, part := range p.pooling.parts() {
		src := f.pooled[place{p.layer, part}][i*f.width : (i+1)*f.width]
		for j, v := range src {
			dst[k*f.width+j] = float64(v)
		}
	}
}
