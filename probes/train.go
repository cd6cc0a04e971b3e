package probes

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"verge/domains/prompt"
)

// Example is a labelled task.
type Example struct {
	Prompt prompt.Prompt
	Group  string // what near-duplicates share: they stay in one fold
	InBand bool
}

// Options say what is tried. Of what is left empty, everything is tried.
type Options struct {
	Layers   []int // 0: embeddings, n: after block n
	Poolings []Pooling
	L2       []float64 // see Setting; empty: 0.001, 0.01, 0.1, 1, 10
	Folds    int       // at least 3; 0: 5
	Seed     uint64    // of the folds and the bootstrap
}

// Train makes a linear probe: L2-regularised logistic regression on standardised pooled hidden states, both classes weighing the same.
//
// Layer and pooling are chosen at the middle L2, then L2 at these; the better one has the larger mean AUROC over the folds and, if equal,
// the smaller log loss. The quality in the report is from nested cross-validation: for each fold the choice is made again without it, by
// probes that are trained without it and without one fold more. The probe for use is then trained on all examples.
//
// The result depends on the examples, the reader and the options, not on the number of processors.
func Train(ctx context.Context, r Reader, examples []Example, o Options) (*Linear, Report, error) {
	o, err := o.complete(r)
	if err != nil {
		return nil, Report{}, err
	}
	fold, groups, err := assign(examples, o.Folds, o.Seed)
	if err != nil {
		return nil, Report{}, err
	}
	prompts, inBand := make([]prompt.Prompt, len(examples)), make([]bool, len(examples))
	report := Report{Tasks: len(examples), Groups: groups, Folds: o.Folds, Fold: fold}
	for i, e := range examples {
		prompts[i], inBand[i] = e.Prompt, e.InBand
		report.InBand += class(e.InBand)
	}
	f, err := extract(ctx, r, prompts, o.Layers, o.Poolings)
	if err != nil {
		return nil, Report{}, err
	}

	s := newSearch(f, inBand, fold, o.Folds)
	places := grid(o.Layers, o.Poolings, o.L2[(len(o.L2)-1)/2])
	candidates := slices.Repeat([][]Setting{places}, o.Folds+1)
	chosen, err := s.choose(ctx, candidates)
	if err != nil {
		return nil, Report{}, err
	}
	for i, c := range chosen {
		candidates[i] = strengths(c, o.L2)
	}
	if chosen, err = s.choose(ctx, candidates); err != nil {
		return nil, Report{}, err
	}
	report.Outer, report.Setting = chosen[:o.Folds], chosen[o.Folds]
	for _, c := range places {
		report.Candidates = append(report.Candidates, s.judge(c, everything))
	}
	for _, c := range candidates[o.Folds] {
		if c.L2 != places[0].L2 {
			report.Candidates = append(report.Candidates, s.judge(c, everything))
		}
	}

	if err := report.holdOut(ctx, s); err != nil {
		return nil, Report{}, err
	}
	report.measure(examples, o.Seed)
	l, err := s.final(report.Setting)
	if err != nil {
		return nil, Report{}, err
	}
	return &Linear{report.Setting, l.bias, l.weights}, report, nil
}

// holdOut scores every fold by a probe of the setting that was chosen without it.
func (r *Report) holdOut(ctx context.Context, s *search) error {
	trials := make([]trial, len(r.Outer))
	for k, c := range r.Outer {
		trials[k] = newTrial(c, everything, k)
	}
	if err := s.train(ctx, trials); err != nil {
		return err
	}
	r.OutOfFold, r.Probabilities = make([]float64, len(s.fold)), make([]float64, len(s.fold))
	for k, t := range trials {
		shift := s.logOdds(k)
		for i, logit := range s.done[t][k].logits {
			row := s.rows[k][i]
			r.OutOfFold[row] = logit
			r.Probabilities[row] = sigmoid(logit + shift)
		}
	}
	return nil
}

// final fits a setting on all examples.
func (s *search) final(c Setting) (linear, error) {
	all := s.matrix(c.place())
	pre, err := newPreconditioner(curvature(all), c.L2)
	if err != nil {
		return linear{}, err
	}
	return fit(all, s.inBand, c.L2, pre)
}

// complete checks o against the reader and fills in what is left empty.
func (o Options) complete(r Reader) (Options, error) {
	if len(o.Layers) == 0 {
		for l := range r.Layers() + 1 {
			o.Layers = append(o.Layers, l)
		}
	}
	for _, l := range o.Layers {
		if l < 0 || l > r.Layers() {
			return o, fmt.Errorf("probes: there is no layer %d: the model has layers 0 (embeddings) to %d", l, r.Layers())
		}
	}
	if len(o.Poolings) == 0 {
		o.Poolings = Poolings()
	}
	for _, p := range o.Poolings {
		if err := p.check(); err != nil {
			return o, err
		}
	}
	if len(o.L2) == 0 {
		o.L2 = []float64{.001, .01, .1, 1, 10}
	}
	for _, l2 := range o.L2 {
		if !(l2 > 0) || math.IsInf(l2, 1) {
			return o, fmt.Errorf("probes: L2 %v: it must be positive and finite, or the fit has no single minimum", l2)
		}
	}
	if o.Folds == 0 {
		o.Folds = 5
	}
	if o.Folds < minFolds {
		return o, fmt.Errorf("probes: %d folds: nested cross-validation holds out two at a time and needs at least %d", o.Folds, minFolds)
	}
	o.Layers, o.Poolings, o.L2 = distinct(o.Layers), distinct(o.Poolings), distinct(o.L2)
	return o, nil
}

// distinct is the values in ascending order, each once.
func distinct[T cmp.Ordered](values []T) []T {
	values = slices.Clone(values)
	slices.Sort(values)
	return slices.Compact(values)
}
