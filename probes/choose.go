package probes

import (
	"context"
	"slices"
)

// Setting is what cross-validation chooses of a probe.
type Setting struct {
	Layer   int     `json:"layer"` // 0: embeddings, n: after block n; of a stack the last, of a text probe NoLayer
	Pooling Pooling `json:"pooling"`
	L2      float64 `json:"l2"`              // λ in mean loss + λ/2·‖w‖², on standardised features; of an MLP, w is the weights of both layers, of an attention probe also the query
	Stack   Stack   `json:"stack,omitempty"` // the layers, where several are read together
}

// NoLayer is the layer of a probe that reads none.
const NoLayer = -1

// Candidate is a setting and how its probes did on the folds that they were not trained on: means over the folds.
type Candidate struct {
	Setting
	AUROC   float64 `json:"auroc"`
	LogLoss float64 `json:"log_loss"` // class-weighted, nats
}

// everything is the outer fold of a selection that nothing is kept from: the one that makes the probe for use.
const everything = -1

// choose picks the best of candidates[outer] for each of the outer folds, by the other folds alone, and for everything by all of them.
// The last element of candidates is for everything.
func (s *search) choose(ctx context.Context, candidates [][]Setting) ([]Setting, error) {
	folds := len(s.rows)
	var trials []trial
	for i, cs := range candidates {
		outer := outerFold(i, folds)
		if outer != everything && len(cs) == 1 {
			continue // nothing to choose
		}
		for _, c := range cs {
			for inner := range folds {
				if inner != outer {
					trials = append(trials, newTrial(c, outer, inner, s.seed))
				}
			}
		}
	}
	if err := s.train(ctx, trials); err != nil {
		return nil, err
	}
	chosen := make([]Setting, len(candidates))
	for i, cs := range candidates {
		chosen[i] = cs[0]
		if len(cs) == 1 {
			continue
		}
		outer := outerFold(i, folds)
		best := s.judge(cs[0], outer)
		for _, c := range cs[1:] {
			if j := s.judge(c, outer); j.AUROC > best.AUROC || j.AUROC == best.AUROC && j.LogLoss < best.LogLoss {
				best = j
			}
		}
		chosen[i] = best.Setting
	}
	return chosen, nil
}

func outerFold(i, folds int) int {
	if i == folds {
		return everything
	}
	return i
}

// judge averages the trained trials of a setting that kept the outer fold out.
func (s *search) judge(c Setting, outer int) Candidate {
	j := Candidate{Setting: c}
	n := 0.0
	for inner := range s.rows {
		if inner == outer {
			continue
		}
		o := s.done[newTrial(c, outer, inner, s.seed)][inner]
		j.AUROC += o.auroc
		j.LogLoss += o.logLoss
		n++
	}
	j.AUROC /= n
	j.LogLoss /= n
	return j
}

// grid combines every place with one L2.
func (o Options) grid(l2 float64) []Setting {
	stacks := make([]Stack, len(o.Layers))
	layers := o.Layers
	if o.Concat && len(layers) > 1 {
		stacks, layers = []Stack{stackOf(layers)}, layers[len(layers)-1:]
	}
	var out []Setting
	for i, l := range layers {
		for _, p := range o.Poolings {
			out = append(out, Setting{l, p, l2, stacks[i]})
		}
	}
	return out
}

// strengths combines one place with every L2.
func strengths(at Setting, l2 []float64) []Setting {
	out := slices.Repeat([]Setting{at}, len(l2))
	for i := range out {
		out[i].L2 = l2[i]
	}
	return out
}
