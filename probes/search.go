package probes

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/mat"

	"verge/probes/metric"
)

// trial is a probe trained on all folds but one or two, which it scores. With a == b it is one.
type trial struct {
	Setting
	a, b int
}

// newTrial leaves out inner for scoring, and outer because a selection may not see it. Swapped folds are the same trial, trained once.
func newTrial(s Setting, outer, inner int) trial {
	if outer == everything {
		outer = inner
	}
	return trial{s, min(outer, inner), max(outer, inner)}
}

// outcome is how a trial did on one of its folds.
type outcome struct {
	logits  []float64 // of the fold's rows
	auroc   float64
	logLoss float64
}

// search trains and remembers probes of many settings on many subsets of the folds.
type search struct {
	f      *features
	inBand []bool
	fold   []int
	rows   [][]int // by fold
	done   map[trial]map[int]outcome
}

func newSearch(f *features, inBand []bool, fold []int, folds int) *search {
	s := &search{f: f, inBand: inBand, fold: fold, rows: make([][]int, folds), done: map[trial]map[int]outcome{}}
	for i, k := range fold {
		s.rows[k] = append(s.rows[k], i)
	}
	return s
}

// train runs the trials that have not been run, those of different places in parallel.
func (s *search) train(ctx context.Context, trials []trial) error {
	var places []place
	work := map[place][]trial{}
	planned := map[trial]bool{}
	for _, t := range trials {
		if s.done[t] != nil || planned[t] {
			continue
		}
		planned[t] = true
		p := t.place()
		if work[p] == nil {
			places = append(places, p)
		}
		work[p] = append(work[p], t)
	}
	results := make([][]map[int]outcome, len(places))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range places {
		group.Go(func() (err error) {
			results[i], err = s.trainAt(ctx, p, work[p])
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, p := range places {
		for j, t := range work[p] {
			s.done[t] = results[i][j]
		}
	}
	return nil
}

// trainAt runs trials that share a place, and with it the features.
func (s *search) trainAt(ctx context.Context, p place, trials []trial) ([]map[int]outcome, error) {
	all := s.matrix(p)
	h := curvature(all)
	pre := map[float64]preconditioner{}
	out := make([]map[int]outcome, len(trials))
	for i, t := range trials {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		u, ok := pre[t.L2]
		if !ok {
			var err error
			if u, err = newPreconditioner(h, t.L2); err != nil {
				return nil, err
			}
			pre[t.L2] = u
		}
		l, err := fitRows(all, s.inBand, s.training(t.a, t.b), t.L2, u)
		if err != nil {
			return nil, fmt.Errorf("layer %d, %s: %w", p.layer, p.pooling, err)
		}
		out[i] = map[int]outcome{t.a: s.score(l, all, t.a), t.b: s.score(l, all, t.b)}
	}
	return out, nil
}

// matrix is the features of all examples at p.
func (s *search) matrix(p place) *mat.Dense {
	x := mat.NewDense(len(s.inBand), s.f.size(p), nil)
	for i := range s.inBand {
		s.f.row(x.RawRowView(i), p, i)
	}
	return x
}

// training is the rows that are in neither of two folds, which may be the same.
func (s *search) training(a, b int) []int {
	var rows []int
	for i, k := range s.fold {
		if k != a && k != b {
			rows = append(rows, i)
		}
	}
	return rows
}

// fitRows fits on some rows of all, which it leaves as it is.
func fitRows(all *mat.Dense, inBand []bool, rows []int, l2 float64, pre preconditioner) (linear, error) {
	_, d := all.Dims()
	x, y := mat.NewDense(len(rows), d, nil), make([]bool, len(rows))
	for i, r := range rows {
		x.SetRow(i, all.RawRowView(r))
		y[i] = inBand[r]
	}
	return fit(x, y, l2, pre)
}

func (s *search) score(l linear, all *mat.Dense, fold int) outcome {
	rows := s.rows[fold]
	o := outcome{logits: make([]float64, len(rows))}
	positive := make([]bool, len(rows))
	var loss, count [2]float64
	for i, r := range rows {
		o.logits[i] = l.logit(all.RawRowView(r))
		positive[i] = s.inBand[r]
		k := class(positive[i])
		loss[k] += softplus(float64(1-2*k) * o.logits[i])
		count[k]++
	}
	o.auroc, _ = metric.AUROC(o.logits, positive) // defined: every fold holds both classes
	o.logLoss = (loss[0]/count[0] + loss[1]/count[1]) / 2
	return o
}

// logOdds is the log odds of "in band" among the rows outside a fold.
func (s *search) logOdds(fold int) float64 {
	var count [2]float64
	for _, r := range s.training(fold, fold) {
		count[class(s.inBand[r])]++
	}
	return math.Log(count[1] / count[0])
}
