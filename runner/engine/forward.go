package engine

import (
	"github.com/viterin/vek/vek32"
)

// chunk is some whole sequences laid end to end, without padding.
type chunk struct {
	tokens    []int32
	positions []int32 // within the sequence
	starts    []int   // first row of each sequence, and the end
}

func (c *chunk) reset() {
	c.tokens, c.positions, c.starts = c.tokens[:0], c.positions[:0], append(c.starts[:0], 0)
}

func (c *chunk) add(tokens []int32) {
	for i, t := range tokens {
		c.tokens = append(c.tokens, t)
		c.positions = append(c.positions, int32(i))
	}
	c.starts = append(c.starts, len(c.tokens))
}

// layerState is what a block's forward pass leaves. Sizes are rows × width.
type layerState struct {
	x, k, v                                 []float32 // kept by every pass
	n1, q, att, mid, n2, gate, up, sig, act []float32 // for the backward pass
	inv1, inv2                              []float32
	probs                                   []float32 // attention, per sequence and head [length][padded length]
	loraIn                                  [matCount][]float32
}

// pass is the memory of one forward and backward pass over a chunk. It is grown when a larger chunk comes and kept.
type pass struct {
	k      *kernels
	keep   bool // what only the backward pass reads is kept for each layer, not just for the one at work
	rows   int
	areas  []int // where each sequence's attention begins in probs, and the end
	layers []layerState
	x      []float32 // residual stream after the last block
	final  []float32 // normalised
	inv    []float32
	y      []float32     // scratch, rows × widest
	attn   []attnScratch // by worker
	heads  headWork
	grad   gradScratch
}

// newPass makes a pass for k; one without keep has no backward pass.
func newPass(k *kernels, keep bool) *pass {
	p := &pass{k: k, keep: keep, layers: make([]layerState, k.Layers)}
	p.heads.p = p
	return p
}

func grow(buf *[]float32, n int) {
	if cap(*buf) < n {
		*buf = make([]float32, n+n/4)
	}
	*buf = (*buf)[:n]
}

func (p *pass) size(c *chunk) {
	k, n := p.k, len(c.tokens)
	p.rows = n
	w, q, kv, h := k.Width, k.queryWidth(), k.kvWidth(), k.Hidden
	p.areas = append(p.areas[:0], 0)
	for s := range len(c.starts) - 1 {
		t := c.starts[s+1] - c.starts[s]
		p.areas = append(p.areas, p.areas[s]+k.Heads*t*padded(t))
	}
	for i := range p.layers {
		l := &p.layers[i]
		grow(&l.x, n*w)
		grow(&l.k, n*kv)
		grow(&l.v, n*kv)
		if i > 0 && !p.keep {
			x, key, value := l.x, l.k, l.v
			*l = p.layers[0]
			l.x, l.k, l.v = x, key, value
			continue
		}
		for _, b := range []struct {
			buf   *[]float32
			width int
		}{{&l.n1, w}, {&l.q, q}, {&l.att, q}, {&l.mid, w}, {&l.n2, w},
			{&l.gate, h}, {&l.up, h}, {&l.sig, h}, {&l.act, h}, {&l.inv1, 1}, {&l.inv2, 1}} {
			grow(b.buf, n*b.width)
		}
		if p.keep {
			grow(&l.probs, p.areas[len(p.areas)-1])
		}
	}
	grow(&p.x, n*w)
	grow(&p.final, n*w)
	grow(&p.inv, n)
	grow(&p.y, n*max(w, q, h))
}

// forward runs the chunk through the model, with lora's factors where it has them (nil: none), and leaves its states in p.
func (p *pass) forward(c *chunk, lora *loraState) {
	p.size(c)
	k, n, w := p.k, p.rows, p.k.Width
	x := p.layers[0].x
	for i, t := range c.tokens {
		k.embed(x[i*w:(i+1)*w], t)
	}
	for i := range p.layers {
		l := &p.layers[i]
		k.rmsnorm(l.n1, l.x, k.norms[i].attn, l.inv1, n)
		p.linear(l, i, matQ, l.q, l.n1, lora)
		p.linear(l, i, matK, l.k, l.n1, lora)
		p.linear(l, i, matV, l.v, l.n1, lora)
		k.rope(l.q, k.queryWidth(), c.positions, 1)
		k.rope(l.k, k.kvWidth(), c.positions, 1)
		p.eachHead(c, l, false)
		y := p.y[:n*w]
		p.linear(l, i, matO, y, l.att, lora)
		vek32.Add_Into(l.mid, l.x, y)
		k.rmsnorm(l.n2, l.mid, k.norms[i].ffn, l.inv2, n)
		p.linear(l, i, matGate, l.gate, l.n2, lora)
		p.linear(l, i, matUp, l.up, l.n2, lora)
		swiglu(l.act, l.sig, l.gate, l.up)
		p.linear(l, i, matDown, y, l.act, lora)
		next := p.x
		if i+1 < len(p.layers) {
			next = p.layers[i+1].x
		}
		vek32.Add_Into(next, l.mid, y)
	}
	k.rmsnorm(p.final, p.x, k.outNorm, p.inv, n)
}

// hidden is the residual stream at a layer, rows × width: 0 the embeddings, i after block i.
func (p *pass) hidden(layer int) []float32 {
	if layer < len(p.layers) {
		return p.layers[layer].x
	}
	return p.x
}

func (p *pass) linear(l *layerState, block, matrix int, y, x []float32, lora *loraState) {
	p.k.blocks[block][matrix].forward(y, x, p.rows)
	if lora != nil {
		if f := lora.factors[block][matrix]; f != nil {
			f.forward(y, x, &l.loraIn[matrix], p.rows)
		}
	}
}

// swiglu sets act = gate·σ(gate)·up and sig = σ(gate).
func swiglu(act, sig, gate, up []float32) {
	vek32.Neg_Inplace(append(sig[:0], gate...))
	exps(sig, sig)
	for i, e := range sig {
		s := 1 / (1 + e)
		sig[i] = s
		act[i] = gate[i] * s * up[i]
	}
}
