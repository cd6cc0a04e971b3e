package probes

import (
	"context"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/mat"

	"verge/domains/prompt"
)

// source gives what a kind of probe learns from at a place. Calls are not concurrent, so that a source may hold one place at a time.
type source func(ctx context.Context, p place) (learner, error)

// learner trains probes of one kind on the examples as they read at one place. It is safe for concurrent use.
type learner interface {
	// on takes the rows of the training examples.
	on(rows []int) (fitter, error)
}

// fitter trains probes on the same examples, one after the other.
type fitter interface {
	fit(l2 float64, seed uint64) (fitted, error)
}

// fitted is a trained probe that can still score the examples it was cut from.
type fitted interface {
	logit(row int) float64
	probe(s Setting) Probe
}

// newSource is where probes of the kind of o learn from.
func newSource(ctx context.Context, r Reader, prompts []prompt.Prompt, inBand []bool, o Options) (source, error) {
	switch o.Kind {
	case KindAttention:
		return tokenSource(r, prompts, inBand), nil
	case KindText:
		return textSource(prompts, inBand), nil
	}
	f, err := extract(ctx, r, prompts, o.Layers, o.Poolings)
	if err != nil {
		return nil, err
	}
	return func(_ context.Context, p place) (learner, error) {
		all := mat.NewDense(len(prompts), f.size(p), nil)
		for i := range prompts {
			f.row(all.RawRowView(i), p, i)
		}
		if o.Kind == KindMLP {
			return &mlpLearner{all, inBand}, nil
		}
		return &linearLearner{all: all, inBand: inBand, curvature: curvature(all), pre: map[float64]preconditioner{}}, nil
	}, nil
}

// linearLearner fits logistic regressions.
type linearLearner struct {
	all       *mat.Dense
	inBand    []bool
	curvature *mat.SymDense
	mutex     sync.Mutex
	pre       map[float64]preconditioner // by L2
}

func (l *linearLearner) on(rows []int) (fitter, error) { return linearFitter{l, rows}, nil }

func (l *linearLearner) preconditioner(l2 float64) (preconditioner, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if u, ok := l.pre[l2]; ok {
		return u, nil
	}
	u, err := newPreconditioner(l.curvature, l2)
	if err == nil {
		l.pre[l2] = u
	}
	return u, err
}

type linearFitter struct {
	*linearLearner
	rows []int
}

// fit needs no seed: the loss is convex.
func (l linearFitter) fit(l2 float64, _ uint64) (fitted, error) {
	pre, err := l.preconditioner(l2)
	if err != nil {
		return nil, err
	}
	x, y := selectRows(l.all, l.inBand, l.rows)
	line, err := fit(x, y, l2, pre)
	if err != nil {
		return nil, err
	}
	return fittedLinear{line, l.all}, nil
}

type fittedLinear struct {
	linear
	all *mat.Dense
}

func (l fittedLinear) logit(row int) float64 { return l.linear.logit(l.all.RawRowView(row)) }
func (l fittedLinear) probe(s Setting) Probe { return &Linear{s, l.bias, l.weights} }

// selectRows copies some rows and their labels.
func selectRows(all *mat.Dense, inBand []bool, rows []int) (*mat.Dense, []bool) {
	_, d := all.Dims()
	x, y := mat.NewDense(len(rows), d, nil), make([]bool, len(rows))
	for i, r := range rows {
		x.SetRow(i, all.RawRowView(r))
		y[i] = inBand[r]
	}
	return x, y
}

// failed names the place in an error of training there.
func (p place) failed(err error) error { return fmt.Errorf("%s, %s: %w", p.where(), p.pooling, err) }
