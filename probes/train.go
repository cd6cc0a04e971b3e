package probes

import (
	"context"
	"slices"

	"verge/domains/prompt"
)

// Example is a labelled task.
type Example struct {
	Prompt prompt.Prompt
	Group  string // what near-duplicates share: they stay in one fold
	InBand bool
}

// Options say what is tried. Of what is left empty, everything is tried that a kind can be afforded: see each field.
type Options struct {
	Kind     Kind      // one of Kinds; empty: linear
	Layers   []int     // 0: embeddings, n: after block n; a text probe has none
	Concat   bool      // read all Layers together, one after the other, in place of choosing one; not for attention, which holds one at a time
	Poolings []Pooling // empty: Poolings of a linear probe, Mean of an MLP; Attend and TFIDF are the only ones of their kinds
	L2       []float64 // see Setting; empty: 0.001, 0.01, 0.1, 1, 10, but 0.01, 0.1 of an MLP and 0.01 of an attention probe, for which 1 is far too strong
	Folds    int       // at least 3; 0: 5
	Seed     uint64    // of the folds, the bootstrap, and what training draws
	Members  int       // of an ensemble, see Ensemble; 0 and 1: a single probe
	Combine  Combination
}

// Train makes a probe, or an ensemble of them, of a kind: class-weighted logistic loss and L2 on standardised features.
//
// Layer and pooling are chosen at the middle L2, then L2 at these; the better one has the larger mean AUROC over the folds and, if equal,
// the smaller log loss. The quality in the report is from nested cross-validation: for each fold the choice is made again without it, by
// probes that are trained without it and without one fold more. The probe for use is then trained on all examples. This takes 15 trainings
// a candidate with five folds, which is why the kinds that descend by steps try fewer: 1500 tasks of twenty tokens and five layers of
// width 128 take one core about four seconds for MLPs and seven for attention.
//
// A text probe does not use r, which may be nil. The result depends on the examples, the reader and the options, not on the number of
// processors.
func Train(ctx context.Context, r Reader, examples []Example, o Options) (Probe, Report, error) {
	o, err := o.complete(r)
	if err != nil {
		return nil, Report{}, err
	}
	fold, groups, err := assign(examples, o.Folds, o.Seed)
	if err != nil {
		return nil, Report{}, err
	}
	prompts, inBand := make([]prompt.Prompt, len(examples)), make([]bool, len(examples))
	report := Report{Kind: o.Kind, Tasks: len(examples), Groups: groups, Folds: o.Folds, Fold: fold}
	for i, e := range examples {
		prompts[i], inBand[i] = e.Prompt, e.InBand
		report.InBand += class(e.InBand)
	}
	at, err := newSource(ctx, r, prompts, inBand, o)
	if err != nil {
		return nil, Report{}, err
	}

	s := newSearch(at, o.Seed, inBand, fold, o.Folds)
	places := o.grid(o.L2[(len(o.L2)-1)/2])
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

	var probe Probe
	if o.Members > 1 {
		probe, err = report.ensemble(ctx, s, places, o)
	} else if err = report.holdOut(ctx, s); err == nil {
		probe, err = s.keep(ctx, report.Setting, everything, o.Seed)
	}
	if err != nil {
		return nil, Report{}, err
	}
	if err := report.measure(examples, o.Seed); err != nil {
		return nil, Report{}, err
	}
	return probe, report, nil
}

// holdOut scores every fold by a probe of the setting that was chosen without it.
func (r *Report) holdOut(ctx context.Context, s *search) error {
	trials := make([]trial, len(r.Outer))
	for k, c := range r.Outer {
		trials[k] = newTrial(c, everything, k, s.seed)
	}
	if err := s.train(ctx, trials); err != nil {
		return err
	}
	logits := make([][]float64, len(trials))
	for k, t := range trials {
		logits[k] = s.done[t][k].logits
	}
	r.heldOut(s, logits)
	return nil
}

// heldOut takes the logits of every fold's rows.
func (r *Report) heldOut(s *search, logits [][]float64) {
	r.OutOfFold, r.Raw.Probabilities = make([]float64, len(s.fold)), make([]float64, len(s.fold))
	for k, rows := range s.rows {
		shift := s.logOdds(k)
		for i, row := range rows {
			r.OutOfFold[row] = logits[k][i]
			r.Raw.Probabilities[row] = sigmoid(logits[k][i] + shift)
		}
	}
}
