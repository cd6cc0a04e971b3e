package probes

import (
	"context"
	"fmt"
	"math"
	"slices"

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

func (p *Attention) pass(states []float32) float64 {
	a := attending{width: len(p.Query)}
	return a.over(states, p.Query, p.Weights) + p.Bias
}

// attentionGathering needs no states once it has seen them.
type attentionGathering struct {
	*Attention
	logits []float64
}

func (g *attentionGathering) visit(i, layer int, states []float32) error {
	g.logits[i] = g.pass(states)
	if notFinite(g.logits[i]) {
		return overflow("the logit", layer, g.logits[i])
	}
	return nil
}

func (g *attentionGathering) logit(i int) float64 { return g.logits[i] }

// attending is a query's pass over the tokens of one task. It is used for many tasks, one after the other.
type attending struct {
	width  int
	states []float64 // tokens × width
	weight []float64 // a_t, of each token
	value  []float64 // Weights·h_t
}

// over is Σ_t a_t·value_t of a task's states; it leaves both for the gradient.
func (a *attending) over(states []float32, query, weights []float64) float64 {
	a.states, a.weight, a.value = a.states[:0], a.weight[:0], a.value[:0]
	for _, v := range states {
		a.states = append(a.states, float64(v))
	}
	for h := range slices.Chunk(a.states, a.width) {
		a.weight, a.value = append(a.weight, floats.Dot(query, h)), append(a.value, floats.Dot(weights, h))
	}
	top := floats.Max(a.weight)
	for t, s := range a.weight {
		a.weight[t] = math.Exp(s - top)
	}
	floats.Scale(1/floats.Sum(a.weight), a.weight)
	return floats.Dot(a.weight, a.value)
}

func (a *attending) token(t int) []float64 { return a.states[t*a.width : (t+1)*a.width] }
