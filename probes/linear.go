package probes

import (
	"context"

	"verge/domains/prompt"
)

// Linear is a trained linear probe. It survives JSON unchanged.
type Linear struct {
	Setting
	Bias    float64   `json:"bias"`
	Weights []float64 `json:"weights"` // of the raw pooled states: the standardisation is in them
}

// Score implements Probe.
func (p *Linear) Score(ctx context.Context, r Reader, prompts []prompt.Prompt) ([]float64, error) {
	return scoreOne(ctx, r, prompts, p)
}

// Describe implements Probe.
func (p *Linear) Describe() Description {
	return p.Setting.on(KindLinear, len(p.Weights)+1)
}

func (p *Linear) check(r Reader) error { return p.Setting.check(r, len(p.Weights)) }
func (p *Linear) layers() []int        { return p.place().layers() }
func (p *Linear) gather(width, n int) gathering {
	return gatherPooled(width, n, p.place(), linear{p.Bias, p.Weights}.logit)
}
