package probes

import (
	"context"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"

	"verge/probes/metric"
)

// trial is a probe trained on all folds but one or two, which it scores. With a == b it is one.
type trial struct {
	Setting
	a, b int
	seed uint64 // of what training draws
}

// newTrial leaves out inner for scoring, and outer because a selection may not see it. Swapped folds are the same trial, trained once.
func newTrial(s Setting, outer, inner int, seed uint64) trial {
	if outer == everything {
		outer = inner
	}
	return trial{s, min(outer, inner), max(outer, inner), seed}
}

// outcome is how a trial did on one of its folds.
type outcome struct {
	logits  []float64 // of the fold's rows
	auroc   float64
	logLoss float64
}

// search trains and remembers probes of many settings on many subsets of the folds.
type search struct {
	at     source
	seed   uint64
	inBand []bool
	fold   []int
	rows   [][]int // by fold
	done   map[trial]map[int]outcome
}

func newSearch(at source, seed uint64, inBand []bool, fold []int, folds int) *search {
	s := &search{at: at, seed: seed, inBand: inBand, fold: fold, rows: make([][]int, folds), done: map[trial]map[int]outcome{}}
	for i, k := range fold {
		s.rows[k] = append(s.rows[k], i)
	}
	return s
}

// train runs the trials that have not been run, one place after the other, so that only one has to be in memory.
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
	for _, p := range places {
		if err := s.trainAt(ctx, p, work[p]); err != nil {
			return err
		}
	}
	return nil
}

// trainAt runs trials that share a place, those on different examples in parallel.
func (s *search) trainAt(ctx context.Context, p place, trials []trial) error {
	l, err := s.at(ctx, p)
	if err != nil {
		return err
	}
	var subsets [][2]int
	work := map[[2]int][]trial{}
	for _, t := range trials {
		out := [2]int{t.a, t.b}
		if work[out] == nil {
			subsets = append(subsets, out)
		}
		work[out] = append(work[out], t)
	}
	results := make([][]map[int]outcome, len(subsets))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, out := range subsets {
		group.Go(func() error {
			f, err := l.on(s.training(out[0], out[1]))
			if err != nil {
				return p.failed(err)
			}
			for _, t := range work[out] {
				if err := ctx.Err(); err != nil {
					return err
				}
				probe, err := f.fit(t.L2, t.seed)
				if err != nil {
					return p.failed(err)
				}
				results[i] = append(results[i], map[int]outcome{t.a: s.score(probe, t.a), t.b: s.score(probe, t.b)})
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, out := range subsets {
		for j, t := range work[out] {
			s.done[t] = results[i][j]
		}
	}
	return nil
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

func (s *search) score(probe fitted, fold int) outcome {
	rows := s.rows[fold]
	o := outcome{logits: make([]float64, len(rows))}
	positive := make([]bool, len(rows))
	var loss, count [2]float64
	for i, r := range rows {
		o.logits[i] = probe.logit(r)
		positive[i] = s.inBand[r]
		k := class(positive[i])
		loss[k] += softplus(float64(1-2*k) * o.logits[i])
		count[k]++
	}
	o.auroc, _ = metric.AUROC(o.logits, positive) // defined: every fold holds both classes
	o.logLoss = (loss[0]/count[0] + loss[1]/count[1]) / 2
	return o
}

// keep trains the probe of a setting on all examples but those of a fold, or on everything.
func (s *search) keep(ctx context.Context, c Setting, without int, seed uint64) (Probe, error) {
	l, err := s.at(ctx, c.place())
	if err != nil {
		return nil, err
	}
	f, err := l.on(s.training(without, without))
	if err != nil {
		return nil, c.place().failed(err)
	}
	probe, err := f.fit(c.L2, seed)
	if err != nil {
		return nil, c.place().failed(err)
	}
	return probe.probe(c), nil
}

// logOdds is the log odds of "in band" among the rows outside a fold.
func (s *search) logOdds(fold int) float64 {
	var count [2]float64
	for _, r := range s.training(fold, fold) {
		count[class(s.inBand[r])]++
	}
	return math.Log(count[1] / count[0])
}
