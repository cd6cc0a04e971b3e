package probes

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"verge/domains/prompt"
)

// Combination makes one logit of those of an ensemble's members.
type Combination string

// The combinations.
const (
	Min     Combination = "min"  // worst-case optimisation, WCO (PROPEL, arXiv 2606.18284): a task has to please every member
	Average Combination = "mean" // the arithmetic mean
)

// Combinations lists the combinations.
func Combinations() []Combination { return []Combination{Min, Average} }

func (c Combination) check() error {
	if !slices.Contains(Combinations(), c) {
		return fmt.Errorf("probes: unknown combination %q: use one of %q", c, Combinations())
	}
	return nil
}

// of combines the members' logits of one task.
func (c Combination) of(logits []float64) float64 {
	if c == Min {
		return slices.Min(logits)
	}
	return stat.Mean(logits, nil)
}

// Ensemble is several probes of one model, read together.
type Ensemble struct {
	Combine Combination
	Members []Probe
}

// NewEnsemble combines at least two probes, which may be of different kinds.
func NewEnsemble(combine Combination, members ...Probe) (*Ensemble, error) {
	if err := combine.check(); err != nil {
		return nil, err
	}
	if len(members) < 2 {
		return nil, fmt.Errorf("probes: an ensemble of %d members: it needs at least 2", len(members))
	}
	return &Ensemble{combine, members}, nil
}

// scoreMembers gives the logits of every member on every prompt, member by member. The model reads each prompt once.
func (e *Ensemble) scoreMembers(ctx context.Context, r Reader, prompts []prompt.Prompt) ([][]float64, error) {
	logits := make([][]float64, len(e.Members))
	var readers []activation
	var at []int
	for k, m := range e.Members {
		if a, ok := m.(activation); ok {
			readers, at = append(readers, a), append(at, k)
			continue
		}
		var err error
		if logits[k], err = m.Score(ctx, r, prompts); err != nil {
			return nil, memberError(k, err)
		}
	}
	if len(readers) == 0 {
		return logits, nil
	}
	read, err := scoreAll(ctx, r, prompts, readers...)
	if err != nil {
		return nil, err
	}
	for i, k := range at {
		logits[k] = read[i]
	}
	return logits, nil
}

func memberError(k int, err error) error {
	return fmt.Errorf("member %d of the ensemble: %w", k, err)
}

// Score implements Probe: the combination of the members' logits.
func (e *Ensemble) Score(ctx context.Context, r Reader, prompts []prompt.Prompt) ([]float64, error) {
	logits, _, err := e.ScoreSpread(ctx, r, prompts)
	return logits, err
}

// ScoreSpread is Score, and the standard deviation, with n − 1, over the members' logits of each prompt: where it is large, the members
// disagree, and the ensemble's logit is not to be relied on.
func (e *Ensemble) ScoreSpread(ctx context.Context, r Reader, prompts []prompt.Prompt) (logits, spread []float64, err error) {
	members, err := e.scoreMembers(ctx, r, prompts)
	if err != nil {
		return nil, nil, err
	}
	return overMembers(members, e.Combine.of), overMembers(members, func(of []float64) float64 { return stat.StdDev(of, nil) }), nil
}

// overMembers makes one figure a task of logits that are listed by member.
func overMembers(logits [][]float64, figure func([]float64) float64) []float64 {
	out, of := make([]float64, len(logits[0])), make([]float64, len(logits))
	for i := range out {
		for k := range logits {
			of[k] = logits[k][i]
		}
		out[i] = figure(of)
	}
	return out
}

// Describe implements Probe.
func (e *Ensemble) Describe() Description {
	d := Description{Kind: KindEnsemble, Combine: e.Combine}
	for _, m := range e.Members {
		of := m.Describe()
		d.Members = append(d.Members, of)
		d.Parameters += of.Parameters
		d.Activations, d.Embeddings = d.Activations || of.Activations, d.Embeddings || of.Embeddings
	}
	d.Setting = d.Members[0].Setting
	return d
}
