package probes

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"verge/domains/prompt"
)

// MLP is a trained probe with one hidden layer: Bias + Σ_k Output[k]·tanh(Biases[k] + Weights[k]·x). It survives JSON unchanged.
type MLP struct {
	Setting
	Weights [][]float64 `json:"weights"` // hidden units × raw pooled states: the standardisation is in them
	Biases  []float64   `json:"biases"`
	Output  []float64   `json:"output"`
	Bias    float64     `json:"bias"`
}

// Score implements Probe.
func (p *MLP) Score(ctx context.Context, r Reader, prompts []prompt.Prompt) ([]float64, error) {
	return scoreOne(ctx, r, prompts, p)
}

// Describe implements Probe.
func (p *MLP) Describe() Description {
	n := 2*len(p.Output) + 1
	for _, w := range p.Weights {
		n += len(w)
	}
	return p.Setting.on(KindMLP, n)
}

func (p *MLP) check(r Reader) error {
	if len(p.Weights) == 0 || len(p.Biases) != len(p.Weights) || len(p.Output) != len(p.Weights) {
		return fmt.Errorf("probes: an MLP of %d hidden units has %d biases and %d output weights: want as many of each, and at least one", len(p.Weights), len(p.Biases), len(p.Output))
	}
	for _, w := range p.Weights {
		if err := p.Setting.check(r, len(w)); err != nil {
			return err
		}
	}
	return nil
}

func (p *MLP) layers() []int                 { return p.place().layers() }
func (p *MLP) gather(width, n int) gathering { return gatherPooled(width, n, p.place(), p.logit) }

func (p *MLP) logit(x []float64) float64 {
	sum := p.Bias
	for k, w := range p.Weights {
		sum += p.Output[k] * math.Tanh(p.Biases[k]+floats.Dot(w, x))
	}
	return sum
}
