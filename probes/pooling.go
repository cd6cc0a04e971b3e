package probes

import (
	"fmt"
	"slices"
)

// Pooling makes one vector of a task's hidden states at one layer.
type Pooling string

// The poolings.
const (
	Mean     Pooling = "mean"      // over the tokens
	Last     Pooling = "last"      // of the last token
	MeanLast Pooling = "mean+last" // one after the other
)

// Poolings lists all poolings.
func Poolings() []Pooling { return []Pooling{Mean, Last, MeanLast} }

// parts are the basic poolings, of one width each, that a pooling consists of.
func (p Pooling) parts() []Pooling {
	if p == MeanLast {
		return []Pooling{Mean, Last}
	}
	return []Pooling{p}
}

func (p Pooling) check() error {
	if !slices.Contains(Poolings(), p) {
		return fmt.Errorf("probes: unknown pooling %q: use one of %q", p, Poolings())
	}
	return nil
}

// pool writes the basic pooling part of states, tokens × width, to dst. Sums are double precision and in the order of the tokens.
func pool(dst []float32, part Pooling, states []float32) {
	width := len(dst)
	if part == Last {
		copy(dst, states[len(states)-width:])
		return
	}
	sum := make([]float64, width)
	for token := range slices.Chunk(states, width) {
		for j, v := range token {
			sum[j] += float64(v)
		}
	}
	tokens := float64(len(states) / width)
	for j, s := range sum {
		dst[j] = float32(s / tokens)
	}
}
