package engine

import (
	"math"

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

// layerState is what a block's forward pass leaves for its backward pass. Sizes are rows × width.
type layerState struct {
	x, n1, q, k, v, att, mid, n2, gate, up, sig, act []float32
	inv1, inv2                                       []float32
	probs                                            []float32 // attention, per sequence and head [length][padded length]
	loraIn                                           [matCount][]float32
}

// pass is the memory of one forward and backward pass over a chunk. It is grown when a larger chunk comes and kept.
type pass struct {
	k      *kernels
	rows   int
	layers []layerState
	x      []float32 // residual stream after the last block
	final  []float32 // normalised
	inv    []float32
	y      []float32 // scratch, rows × widest
	attn   attnScratch
	grad   gradScratch
}

func newPass(k *kernels) *pass { return &pass{k: k, layers: make([]layerState, k.Layers)} }

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
	area := 0
	for s := range len(c.starts) - 1 {
		t := c.starts[s+1] - c.starts[s]
		area += t * padded(t)
	}
	for i := range p.layers {
		l := &p.layers[i]
		for _, b := range []struct {
			buf   *[]float32
			width int
		}{{&l.x, w}, {&l.n1, w}, {&l.q, q}, {&l.k, kv}, {&l.v, kv}, {&l.att, q}, {&l.mid, w}, {&l.n2, w},
			{&l.gate, h}, {&l.up, h}, {&l.sig, h}, {&l.act, h}, {&l.inv1, 1}, {&l.inv2, 1}} {
			grow(b.buf, n*b.width)
		}
		grow(&l.probs, area*k.Heads)
	}
	grow(&p.x, n*w)
	grow(&p.final, n*w)
	grow(&p.inv, n)
	grow(&p.y, n*max(w, q, h))
}

// forward runs the chunk through the model, with lora's factors where it has them (nil: none), and leaves every state in p.
func (p *pass) forward(c *chunk, lora *loraState) {
	p.size(c)
	k, n, w := p.k, p.rows, p.k.Width
	x := p.layers[0].x
	for i, t := range c.tokens {
		copy(x[i*w:(i+1)*w], k.embedding[int(t)*w:(int(t)+1)*w])
	}
	for i := range p.layers {
		l := &p.layers[i]
		k.rmsnorm(l.n1, l.x, k.norms[i].attn, l.inv1, n)
		p.linear(l, i, matQ, l.q, l.n1, lora)
		p.linear(l, i, matK, l.k, l.n1, lora)
		p.linear(l, i, matV, l.v, l.n1, lora)
		k.rope(l.q, k.queryWidth(), c.positions, 1)
		k.rope(l.k, k.kvWidth(), c.positions, 1)
		p.attention(l, c)
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

// attnScratch is one head's worth of attention memory.
type attnScratch struct {
	q, kt, v, s, o, dq, dk, dv, vt, kp []float32
}

// gather copies one head's columns of x[rows×width] into dst[t×dim].
func gather(dst, x []float32, start, t, width, off, dim int) {
	for i := range t {
		copy(dst[i*dim:(i+1)*dim], x[(start+i)*width+off:])
	}
}

// gatherTurned copies one head's columns of x[rows×width] transposed into dst[dim×padded t], with zeros in the padding.
func gatherTurned(dst, x []float32, start, t, width, off, dim int) {
	clear(dst)
	tp := padded(t)
	for i := range t {
		for j, v := range x[(start+i)*width+off : (start+i)*width+off+dim] {
			dst[j*tp+i] = v
		}
	}
}

// attention is causal attention within each sequence, one head at a time, its products as small matrix multiplications.
func (p *pass) attention(l *layerState, c *chunk) {
	k, a := p.k, &p.attn
	d, group := k.HeadDim, k.Heads/k.KVHeads
	qw, kvw := k.queryWidth(), k.kvWidth()
	scale := float32(1 / math.Sqrt(float64(d)))
	at := 0
	for s := range len(c.starts) - 1 {
		start, t := c.starts[s], c.starts[s+1]-c.starts[s]
		tp := padded(t)
		grow(&a.q, t*d)
		grow(&a.kt, d*tp)
		grow(&a.v, tp*d)
		grow(&a.o, t*d)
		for kvHead := range k.KVHeads {
			off := kvHead * d
			gatherTurned(a.kt, l.k, start, t, kvw, off, d)
			gather(a.v, l.v, start, t, kvw, off, d)
			clear(a.v[t*d:])
			for g := range group {
				head := kvHead*group + g
				probs := l.probs[at+head*t*tp : at+(head+1)*t*tp]
				gather(a.q, l.q, start, t, qw, head*d, d)
				vek32.MulNumber_Inplace(a.q, scale)
				matmul(probs, a.q, a.kt, t, d, tp, false)
				for i := range t {
					row := probs[i*tp : (i+1)*tp]
					softmax(row[:i+1])
					clear(row[i+1:])
				}
				matmul(a.o, probs, a.v, t, tp, d, false)
				for i := range t {
					copy(l.att[(start+i)*qw+head*d:(start+i)*qw+(head+1)*d], a.o[i*d:(i+1)*d])
				}
			}
		}
		at += k.Heads * t * tp
	}
}
