package probes

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"verge/domains/prompt"
)

// Attention is a trained probe that pools the tokens of a task by a learned query and reads the result linearly:
//
//	Bias + Σ_t a_t·(Weights·h_t)   with a = softmax over the tokens t of Query·h_t
//
// It survives JSON unchanged.
type Attention struct {
	Setting
	Query   []float64 `json:"query"`   // of raw hidden states: 1/√width and the standardisation are in it
	Weights []float64 `json:"weights"` // likewise
	Bias    float64   `json:"bias"`
}

// Score implements Probe.
func (p *Attention) Score(ctx context.Context, r Reader, prompts []prompt.Prompt) ([]float64, error) {
	return scoreOne(ctx, r, prompts, p)
}

// Describe implements Probe.
func (p *Attention) Describe() Description {
	return Description{Kind: KindAttention, Setting: p.Setting, Parameters: len(p.Query) + len(p.Weights) + 1, Activations: true}
}

func (p *Attention) check(r Reader) error {
	if len(p.Query) != len(p.Weights) || p.Stack != "" {
		return fmt.Errorf("probes: an attention probe has %d query and %d output weights at %s: want as many of each, and one layer", len(p.Query), len(p.Weights), p.place().where())
	}
	return p.Setting.check(r, len(p.Weights))
}

func (p *Attention) layers() []int { return []int{p.Layer} }

func (p *Attention) gather(_, n int) gathering {
	return &attentionGathering{p, make([]float64, n)}
}

// attentionGathering needs no states once it has seen them.
type attentionGathering struct {
	*Attention
	logits []float64
}

func (g *attentionGathering) visit(i, layer int, states []float32) error {
	g.logits[i] = newAttending(len(g.Query), states).over(g.Query, g.Weights) + g.Bias
	if notFinite(g.logits[i]) {
		return overflow("the logit", layer, g.logits[i])
	}
	return nil
}

func (g *attentionGathering) logit(i int) float64 { return g.logits[i] }

// attending is a query's pass over the tokens of one task.
type attending struct {
	tokens [][]float64
	weight []float64 // a_t, of each token
	value  []float64 // Weights·h_t
}

func newAttending(width int, states []float32) *attending {
	n := len(states) / width
	a := &attending{tokens: make([][]float64, n), weight: make([]float64, n), value: make([]float64, n)}
	flat := make([]float64, len(states))
	for i, v := range states {
		flat[i] = float64(v)
	}
	for t := range a.tokens {
		a.tokens[t] = flat[t*width : (t+1)*width]
	}
	return a
}

// over is Σ_t a_t·value_t; it leaves both for the gradient.
func (a *attending) over(query, weights []float64) float64 {
	for t, h := range a.tokens {
		a.weight[t], a.value[t] = floats.Dot(query, h), floats.Dot(weights, h)
	}
	top := floats.Max(a.weight)
	for t, s := range a.weight {
		a.weight[t] = math.Exp(s - top)
	}
	floats.Scale(1/floats.Sum(a.weight), a.weight)
	return floats.Dot(a.weight, a.value)
}
