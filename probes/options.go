package probes

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// complete checks o against the reader and fills in what is left empty.
func (o Options) complete(r Reader) (Options, error) {
	if o.Kind == "" {
		o.Kind = KindLinear
	}
	if !slices.Contains(Kinds(), o.Kind) {
		return o, fmt.Errorf("probes: unknown kind %q: use one of %q", o.Kind, Kinds())
	}
	var err error
	if o.Layers, err = o.completeLayers(r); err != nil {
		return o, err
	}
	if o.Poolings, err = o.completePoolings(r); err != nil {
		return o, err
	}
	if len(o.L2) == 0 {
		switch o.Kind {
		case KindMLP:
			o.L2 = []float64{.01, .1}
		case KindAttention:
			o.L2 = []float64{.01}
		default:
			o.L2 = []float64{.001, .01, .1, 1, 10}
		}
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
	if o.Members < 0 {
		return o, fmt.Errorf("probes: an ensemble of %d members: use 0 or 1 for a single probe, 2 or more for an ensemble", o.Members)
	}
	if o.Combine == "" {
		o.Combine = Min
	}
	if err := o.Combine.check(); err != nil {
		return o, err
	}
	o.Layers, o.Poolings, o.L2 = distinct(o.Layers), distinct(o.Poolings), distinct(o.L2)
	return o, nil
}

func (o Options) completeLayers(r Reader) ([]int, error) {
	if o.Kind == KindText {
		if len(o.Layers) > 0 || o.Concat {
			return nil, fmt.Errorf("probes: layers %v, read together: %v: a probe of kind %q reads no layer; leave them out, or use another kind", o.Layers, o.Concat, o.Kind)
		}
		return []int{NoLayer}, nil
	}
	if r == nil {
		return nil, fmt.Errorf("probes: a probe of kind %q reads activations, but there is no model to read: bind a reference with activations, or use kind %q", o.Kind, KindText)
	}
	if _, embeds := r.(Embedder); embeds && (len(o.Layers) > 0 || o.Concat || o.Kind == KindAttention) {
		return nil, fmt.Errorf("probes: kind %q, layers %v, read together: %v: an embedding has neither tokens nor layers; leave the layers out, and use kind %q or %q", o.Kind, o.Layers, o.Concat, KindLinear, KindMLP)
	}
	if o.Concat && o.Kind == KindAttention {
		return nil, fmt.Errorf("probes: a probe of kind %q holds the tokens of one layer at a time and reads no several together: let one be chosen, or use kind %q", o.Kind, KindMLP)
	}
	layers := o.Layers
	if len(layers) == 0 {
		for l := range r.Layers() + 1 {
			layers = append(layers, l)
		}
	}
	for _, l := range layers {
		if l < 0 || l > r.Layers() {
			return nil, fmt.Errorf("probes: there is no layer %d: the model has layers 0 (embeddings) to %d", l, r.Layers())
		}
	}
	return layers, nil
}

func (o Options) completePoolings(r Reader) ([]Pooling, error) {
	allowed, tried := Poolings(), Poolings()
	switch o.Kind {
	case KindMLP:
		tried = []Pooling{Mean}
	case KindAttention:
		allowed, tried = []Pooling{Attend}, []Pooling{Attend}
	case KindText:
		allowed, tried = []Pooling{TFIDF}, []Pooling{TFIDF}
	}
	if _, embeds := r.(Embedder); embeds && o.Kind != KindText {
		allowed, tried = []Pooling{Embedded}, []Pooling{Embedded}
	}
	if len(o.Poolings) == 0 {
		return tried, nil
	}
	for _, p := range o.Poolings {
		if !slices.Contains(allowed, p) {
			return nil, fmt.Errorf("probes: unknown pooling %q of kind %q: use one of %q", p, o.Kind, allowed)
		}
	}
	return o.Poolings, nil
}

// distinct is the values in ascending order, each once.
func distinct[T cmp.Ordered](values []T) []T {
	values = slices.Clone(values)
	slices.Sort(values)
	return slices.Compact(values)
}
