package engine

import (
	"math"

	"github.com/viterin/vek/vek32"
)

// attnScratch is one head's worth of attention memory.
type attnScratch struct {
	q, kt, v, s, o, dq, dk, dv, vt, kp []float32
}

// headWork is the attention of a chunk in one layer, forward or backward. A part is what the query heads of one key/value head do in
// one sequence.
type headWork struct {
	p    *pass
	l    *layerState
	c    *chunk
	back bool
}

func (p *pass) eachHead(c *chunk, l *layerState, back bool) {
	for len(p.attn) < workers() {
		p.attn = append(p.attn, attnScratch{})
	}
	p.heads.c, p.heads.l, p.heads.back = c, l, back
	p.k.within((len(c.starts)-1)*p.k.KVHeads, &p.heads)
}

func (w *headWork) part(i, worker int) {
	s, head := i/w.p.k.KVHeads, i%w.p.k.KVHeads
	if w.back {
		w.p.attentionBackward(w.l, &w.p.attn[worker], w.c, s, head)
	} else {
		w.p.attention(w.l, &w.p.attn[worker], w.c, s, head)
	}
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

// probs is where a head's attention in sequence s goes, [length][padded length]: kept in l, or scratch.
func (p *pass) probs(l *layerState, a *attnScratch, c *chunk, s, head int) []float32 {
	t := c.starts[s+1] - c.starts[s]
	size := t * padded(t)
	if !p.keep {
		grow(&a.s, size)
		return a.s
	}
	return l.probs[p.areas[s]+head*size : p.areas[s]+(head+1)*size]
}

// attention is causal attention within sequence s of the query heads that share a key/value head, its products as small matrix
// multiplications.
func (p *pass) attention(l *layerState, a *attnScratch, c *chunk, s, kvHead int) {
	k := p.k
	d, group := k.HeadDim, k.Heads/k.KVHeads
	qw, kvw := k.queryWidth(), k.kvWidth()
	scale := float32(1 / math.Sqrt(float64(d)))
	start, t := c.starts[s], c.starts[s+1]-c.starts[s]
	tp, off := padded(t), kvHead*d
	grow(&a.q, t*d)
	grow(&a.kt, d*tp)
	grow(&a.v, tp*d)
	grow(&a.o, t*d)
	gatherTurned(a.kt, l.k, start, t, kvw, off, d)
	gather(a.v, l.v, start, t, kvw, off, d)
	clear(a.v[t*d:])
	for head := kvHead * group; head < (kvHead+1)*group; head++ {
		probs := p.probs(l, a, c, s, head)
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

// attentionBackward takes p.grad.datt back to the gradients of the turned queries and keys and of the values, for the same heads.
//
// With P the probabilities and O = PV: dV = PᵀdO, dS = P∘(dOVᵀ − rowsum(P∘dOVᵀ)), dQ = dS·K/√d, dK = dSᵀ·Q/√d.
func (p *pass) attentionBackward(l *layerState, a *attnScratch, c *chunk, s, kvHead int) {
	k, g := p.k, &p.grad
	d, group := k.HeadDim, k.Heads/k.KVHeads
	qw, kvw := k.queryWidth(), k.kvWidth()
	scale := float32(1 / math.Sqrt(float64(d)))
	start, t := c.starts[s], c.starts[s+1]-c.starts[s]
	tp, off := padded(t), kvHead*d
	for _, b := range []*[]float32{&a.q, &a.o, &a.dq} {
		grow(b, t*d)
	}
	for _, b := range []*[]float32{&a.kp, &a.vt, &a.dk, &a.dv} {
		grow(b, tp*d)
	}
	grow(&a.s, t*tp)
	gather(a.kp, l.k, start, t, kvw, off, d)
	clear(a.kp[t*d:])
	gatherTurned(a.vt, l.v, start, t, kvw, off, d)
	clear(a.dk)
	clear(a.dv)
	for head := kvHead * group; head < (kvHead+1)*group; head++ {
		probs := p.probs(l, a, c, s, head)
		gather(a.o, g.datt, start, t, qw, head*d, d)
		gather(a.q, l.q, start, t, qw, head*d, d)

		matmulTurned(a.dv, probs, a.o, tp, t, d, true)
		matmul(a.s, a.o, a.vt, t, d, tp, false)
		for i := range t {
			ds, pr := a.s[i*tp:(i+1)*tp], probs[i*tp:(i+1)*tp]
			sum := vek32.Dot(ds, pr)
			vek32.SubNumber_Inplace(ds, sum)
			vek32.Mul_Inplace(ds, pr)
		}
		vek32.MulNumber_Inplace(a.s, scale)
		matmul(a.dq, a.s, a.kp, t, tp, d, false)
		for i := range t {
			copy(g.dq[(start+i)*qw+head*d:(start+i)*qw+(head+1)*d], a.dq[i*d:(i+1)*d])
		}
		matmulTurned(a.dk, a.s, a.q, tp, t, d, true)
	}
	for i := range t {
		copy(g.dk[(start+i)*kvw+off:(start+i)*kvw+off+d], a.dk[i*d:(i+1)*d])
		copy(g.dv[(start+i)*kvw+off:(start+i)*kvw+off+d], a.dv[i*d:(i+1)*d])
	}
}
