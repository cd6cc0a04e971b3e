package probes

import (
	"context"
	"fmt"
	"math"
	"slices"

	"verge/domains/prompt"
)

// read calls visit with the hidden states of every prompt at every layer, and fails unless it could, once each, with whole tokens. visit may
// be called from several goroutines for different prompts.
func read(ctx context.Context, r Reader, prompts []prompt.Prompt, layers []int, visit func(i, layer int, states []float32) error) error {
	width := r.Width()
	seen, problems := make([]bool, len(prompts)*len(layers)), make([]error, len(prompts))
	err := r.Read(ctx, prompts, layers, func(i, layer int, states []float32) {
		at := slices.Index(layers, layer)
		if at < 0 {
			problems[i] = fmt.Errorf("probes: the reader gave layer %d of prompt %d, but was asked for layers %v", layer, i, layers)
			return
		}
		seen[i*len(layers)+at] = true
		if len(states) == 0 || len(states)%width != 0 {
			problems[i] = fmt.Errorf("probes: prompt %d (%.60q) has %d values of hidden states at layer %d: want a positive multiple of the width %d; a prompt needs at least one token", i, prompts[i], len(states), layer, width)
			return
		}
		if err := visit(i, layer, states); err != nil {
			problems[i] = fmt.Errorf("probes: prompt %d (%.60q): %w", i, prompts[i], err)
		}
	})
	if err != nil {
		return err
	}
	for _, problem := range problems {
		if problem != nil {
			return problem
		}
	}
	if at := slices.Index(seen, false); at >= 0 {
		i := at / len(layers)
		return fmt.Errorf("probes: the reader gave no layer %d of prompt %d (%.60q)", layers[at%len(layers)], i, prompts[i])
	}
	return nil
}

// overflow is the error of a figure that is not finite.
func overflow(what string, layer int, v float64) error {
	return fmt.Errorf("%s of layer %d is %v: the model's activations overflow, so that nothing can be read from this layer", what, layer, v)
}

func notFinite[T float32 | float64](v T) bool {
	return math.IsNaN(float64(v)) || math.IsInf(float64(v), 0)
}
