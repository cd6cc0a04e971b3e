package engine

import (
	"context"
	"fmt"
)

// View is a model as it is run: its weights, with an adapter merged into them or not. It stays as it was made when the
// adapter is trained further, until Renew. It may be used from many goroutines.
type View struct {
	model *Model
	k     *kernels
	lora  *loraState // beside the weights of a frozen model; nil where there is no adapter or it is merged
}

// View lays out the model for running with adapter a (nil: the model as it is). In memory, a's product is added to a copy of the
// matrices; a frozen model's matrices stay as they are, and a's factors are multiplied beside them.
func (m *Model) View(a *Adapter) (*View, error) {
	v := &View{model: m, k: m.layout()}
	var err error
	switch {
	case a == nil:
	case m.Frozen():
		v.lora, err = newLoraState(m.Config, a)
	default:
		v.k, err = merged(m, a, nil)
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

// Renew makes v what View gives for adapter a, in the memory that v has. Nobody may be using v meanwhile.
func (v *View) Renew(a *Adapter) error {
	if a == nil || v.model.Frozen() {
		fresh, err := v.model.View(a)
		if err == nil {
			*v = *fresh
		}
		return err
	}
	k, err := merged(v.model, a, v.k)
	if err == nil {
		v.k = k
	}
	return err
}

// Model is the model viewed, without the adapter.
func (v *View) Model() *Model { return v.model }

func (v *View) checkTokens(i int, tokens []int32) error {
	if len(tokens) == 0 || len(tokens) > v.k.Context {
		return fmt.Errorf("sequence %d has %d tokens; it has to have 1 to %d, the model's context", i, len(tokens), v.k.Context)
	}
	for j, t := range tokens {
		if t < 0 || int(t) >= v.k.Vocab {
			return fmt.Errorf("sequence %d, token %d: id %d is outside the vocabulary of %d", i, j, t, v.k.Vocab)
		}
	}
	return nil
}

// readWork runs chunks forward and hands each sequence's states to visit.
type readWork struct {
	ctx    context.Context
	v      *View
	seqs   [][]int32
	spans  []int
	passes []*pass
	chunks []chunk
	visit  func(p *pass, seq, from, to int)
}

func (r *readWork) part(i, worker int) {
	if r.ctx.Err() != nil {
		return
	}
	p, c := r.passes[worker], &r.chunks[worker]
	c.reset()
	for _, s := range r.seqs[r.spans[i]:r.spans[i+1]] {
		c.add(s)
	}
	p.forward(c, r.v.lora)
	for j := range len(c.starts) - 1 {
		r.visit(p, r.spans[i]+j, c.starts[j], c.starts[j+1])
	}
}

func (v *View) read(ctx context.Context, seqs [][]int32, visit func(p *pass, seq, from, to int)) error {
	r := &readWork{ctx: ctx, v: v, seqs: seqs, visit: visit, spans: []int{0}}
	have := 0
	for i, s := range seqs {
		if err := v.checkTokens(i, s); err != nil {
			return err
		}
		if have > 0 && have+len(s) > chunkTokens {
			r.spans = append(r.spans, i)
			have = 0
		}
		have += len(s)
	}
	if len(seqs) == 0 {
		return ctx.Err()
	}
	r.spans = append(r.spans, len(seqs))
	for range v.k.passes() {
		r.passes = append(r.passes, newPass(v.k, false))
	}
	r.chunks = make([]chunk, len(r.passes))
	v.k.apart(len(r.spans)-1, r)
	return ctx.Err()
}

// Hidden reads sequences and calls visit with the residual stream, tokens × width row-major, of each at each of the layers:
// 0 is the embeddings, n the state after block n. visit may be called from several goroutines, for one sequence from one; the
// states are valid during the call only.
func (v *View) Hidden(ctx context.Context, seqs [][]int32, layers []int, visit func(seq, layer int, states []float32)) error {
	for _, l := range layers {
		if l < 0 || l > v.k.Layers {
			return fmt.Errorf("layer %d: the model has layers 0 (embeddings) to %d", l, v.k.Layers)
		}
	}
	w := v.k.Width
	return v.read(ctx, seqs, func(p *pass, seq, from, to int) {
		for _, l := range layers {
			visit(seq, l, p.hidden(l)[from*w:to*w])
		}
	})
}

// Distributions reads sequences and calls visit with the exact distribution of the token after each of the positions wanted of a
// sequence: probabilities over the vocabulary, at temperature 1. Goroutines and validity as for Hidden.
func (v *View) Distributions(ctx context.Context, seqs [][]int32, positions [][]int, visit func(seq, position int, probs []float32)) error {
	if len(positions) != len(seqs) {
		return fmt.Errorf("positions of %d sequences were asked of %d", len(positions), len(seqs))
	}
	for i, ps := range positions {
		for _, at := range ps {
			if at < 0 || at >= len(seqs[i]) {
				return fmt.Errorf("sequence %d: position %d is outside its %d tokens", i, at, len(seqs[i]))
			}
		}
	}
	return v.read(ctx, seqs, func(p *pass, seq, from, _ int) {
		targets := make([]target, len(positions[seq]))
		for j, at := range positions[seq] {
			targets[j].row = from + at
		}
		p.logprobs(targets, make([]float32, len(targets)))
		for j, at := range positions[seq] {
			visit(seq, at, p.grad.logits[j*v.k.Vocab:(j+1)*v.k.Vocab])
		}
	})
}

// Logprobs is the log-probability, at temperature 1 and untruncated, of every token of each sequence from index from[i] on.
func (v *View) Logprobs(ctx context.Context, seqs [][]int32, from []int) ([][]float32, error) {
	if len(from) != len(seqs) {
		return nil, fmt.Errorf("starts of %d sequences were given for %d", len(from), len(seqs))
	}
	out := make([][]float32, len(seqs))
	for i, s := range seqs {
		if from[i] < 1 || from[i] > len(s) {
			return nil, fmt.Errorf("sequence %d: log-probabilities from token %d on; with %d tokens it has to be in 1 … %d", i, from[i], len(s), len(s))
		}
		out[i] = make([]float32, len(s)-from[i])
	}
	err := v.read(ctx, seqs, func(p *pass, seq, first, _ int) {
		targets := make([]target, len(out[seq]))
		for j := range targets {
			at := from[seq] + j
			targets[j] = target{row: first + at - 1, token: seqs[seq][at]}
		}
		p.logprobs(targets, out[seq])
	})
	return out, err
}

// Entropies is the entropy, in nats, of the distribution of every token of each sequence from index from[i] on.
func (v *View) Entropies(ctx context.Context, seqs [][]int32, from []int) ([][]float64, error) {
	positions := make([][]int, len(seqs))
	out := make([][]float64, len(seqs))
	for i, s := range seqs {
		for at := from[i]; at < len(s); at++ {
			positions[i] = append(positions[i], at-1)
		}
		out[i] = make([]float64, len(positions[i]))
	}
	err := v.Distributions(ctx, seqs, positions, func(seq, at int, probs []float32) {
		out[seq][at-from[seq]+1] = entropy(probs)
	})
	return out, err
}
