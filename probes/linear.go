package probes

import (
	"context"
	"fmt"

	"verge/domains/prompt"
)

// Linear is a trained linear probe. It survives JSON unchanged.
type Linear struct {
	Setting
	Bias    float64   `json:"bias"`
	Weights []float64 `json:"weights"` // of the raw pooled states: the standardisation is in them
}

// Score gives the logit of each prompt being in band: PROPEL's reward (arXiv 2606.18284). It is class-weighted, so that 0 is even doubt
// whatever the share of tasks in band. r must be the model that the probe was trained on.
func (p *Linear) Score(ctx context.Context, r Reader, prompts []prompt.Prompt) ([]float64, error) {
	if p.Layer < 0 || p.Layer > r.Layers() || len(p.Weights) != len(p.Pooling.parts())*r.Width() {
		return nil, fmt.Errorf("probes: the probe reads %d features, %s of layer %d, but the model has layers 0 to %d of width %d: score with the model it was trained on",
			len(p.Weights), p.Pooling, p.Layer, r.Layers(), r.Width())
	}
	f, err := extract(ctx, r, prompts, []int{p.Layer}, []Pooling{p.Pooling})
	if err != nil {
		return nil, err
	}
	l := linear{p.Bias, p.Weights}
	x, logits := make([]float64, len(p.Weights)), make([]float64, len(prompts))
	for i := range prompts {
		f.row(x, p.place(), i)
		logits[i] = l.logit(x)
	}
	return logits, nil
}
