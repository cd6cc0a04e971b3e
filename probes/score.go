package probes

import (
	"context"
	"slices"

	"verge/domains/prompt"
)

// activation is a probe that reads hidden states.
type activation interface {
	Probe
	// check says whether the probe can read r.
	check(r Reader) error
	// layers are those it reads.
	layers() []int
	// gather makes room for n prompts of that width.
	gather(width, n int) gathering
}

// gathering is what a probe has taken from hidden states so far.
type gathering interface {
	// visit takes what the probe needs of the states of prompt i at one of its layers; concurrent calls are for different prompts.
	visit(i, layer int, states []float32) error
	// logit is that of prompt i, all of whose layers were visited. Calls are not concurrent.
	logit(i int) float64
}

// scoreAll gives the logits of every probe on every prompt. The model reads each prompt once, however many probes there are.
func scoreAll(ctx context.Context, r Reader, prompts []prompt.Prompt, probes ...activation) ([][]float64, error) {
	var layers []int
	for _, p := range probes {
		if err := p.check(r); err != nil {
			return nil, err
		}
		layers = append(layers, p.layers()...)
	}
	layers = distinct(layers)
	gatherings, wanted := make([]gathering, len(probes)), make([][]int, len(probes))
	for k, p := range probes {
		gatherings[k], wanted[k] = p.gather(r.Width(), len(prompts)), p.layers()
	}
	err := read(ctx, r, prompts, layers, func(i, layer int, states []float32) error {
		for k, g := range gatherings {
			if !slices.Contains(wanted[k], layer) {
				continue
			}
			if err := g.visit(i, layer, states); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	logits := make([][]float64, len(probes))
	for k, g := range gatherings {
		logits[k] = make([]float64, len(prompts))
		for i := range prompts {
			logits[k][i] = g.logit(i)
		}
	}
	return logits, nil
}

// scoreOne is scoreAll of one probe.
func scoreOne(ctx context.Context, r Reader, prompts []prompt.Prompt, p activation) ([]float64, error) {
	logits, err := scoreAll(ctx, r, prompts, p)
	if err != nil {
		return nil, err
	}
	return logits[0], nil
}

// pooledGathering is of a probe on pooled states.
type pooledGathering struct {
	f    *features
	at   place
	x    []float64
	head func(x []float64) float64
}

func gatherPooled(width, n int, at place, head func(x []float64) float64) *pooledGathering {
	f := newFeatures(width, n, at.layers(), []Pooling{at.pooling})
	return &pooledGathering{f, at, make([]float64, f.size(at)), head}
}

func (g *pooledGathering) visit(i, layer int, states []float32) error {
	return g.f.add(i, layer, states)
}

func (g *pooledGathering) logit(i int) float64 {
	g.f.row(g.x, g.at, i)
	return g.head(g.x)
}
