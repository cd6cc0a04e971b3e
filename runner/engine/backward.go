package engine

import (
	"math"

	"github.com/viterin/vek/vek32"
)

// gradScratch is the backward pass's memory, rows × width.
type gradScratch struct {
	dx, dn, dq, dk, dv, datt, dgate, dup, dact []float32
	back                                       []float32 // through an adapter's factor
	heads, dheads, logits                      []float32 // gathered target rows
}

// target is one token whose log-probability enters the loss.
type target struct {
	row    int     // whose distribution it is: the row before the token
	token  int32   // what is predicted
	weight float32 // of −log p
	kl     float32 // of k3 to the base
	base   float32 // log-probability under the base, where kl is not zero
}

// sums are a pass's contributions to a step's figures.
type sums struct {
	loss, logp, kl, entropy float64
	gap                     float64
	targets, compared       int
}

// logprobs fills p.grad.logits with the distributions at the targets' rows, one row each, and out with the targets' log-probabilities.
func (p *pass) logprobs(targets []target, out []float32) {
	k, g, m := p.k, &p.grad, len(targets)
	if m == 0 {
		return
	}
	w, v := k.Width, k.Vocab
	grow(&g.heads, m*w)
	grow(&g.logits, m*v)
	for i, t := range targets {
		copy(g.heads[i*w:(i+1)*w], p.final[t.row*w:(t.row+1)*w])
	}
	k.head.forward(g.logits, g.heads, m)
	for i, t := range targets {
		row := g.logits[i*v : (i+1)*v]
		raw := row[t.token]
		out[i] = raw - softmax(row)
	}
}

// backward takes the loss −Σ weight·log p + Σ kl·k3 over the targets back to the gradients: of all parameters into full, in the
// order of Model.params, or of the adapter's factors into part, whichever is not nil.
func (p *pass) backward(c *chunk, targets []target, logp []float32, full *Model, lora *loraState, part []float32) sums {
	s := p.lossGradient(targets, logp)
	k, g, n, m := p.k, &p.grad, p.rows, len(targets)
	w, v := k.Width, k.Vocab
	q, kv, h := k.queryWidth(), k.kvWidth(), k.Hidden

	grow(&g.dheads, m*w)
	k.head.back(g.dheads, g.logits, m, false)
	if full != nil {
		matmulTurned(full.Head, g.logits, g.heads, v, m, w, true)
	}
	grow(&g.dn, n*w)
	grow(&g.dx, n*w)
	clear(g.dn)
	clear(g.dx)
	for i, t := range targets {
		vek32.Add_Inplace(g.dn[t.row*w:(t.row+1)*w], g.dheads[i*w:(i+1)*w])
	}
	p.normBackward(p.x, k.outNorm, p.inv, normGrad(full, -1, false))

	for _, b := range []struct {
		buf   *[]float32
		width int
	}{{&g.dq, q}, {&g.dk, kv}, {&g.dv, kv}, {&g.datt, q}, {&g.dgate, h}, {&g.dup, h}, {&g.dact, h}} {
		grow(b.buf, n*b.width)
	}
	for i := len(p.layers) - 1; i >= 0; i-- {
		l := &p.layers[i]
		back := func(matrix int, dx, dy, x []float32, more bool) {
			p.linearBackward(i, matrix, dx, dy, x, more, full, lora, part)
		}
		back(matDown, g.dact, g.dx, l.act, false)
		swigluBackward(g.dgate, g.dup, g.dact, l.gate, l.up, l.sig)
		back(matGate, g.dn, g.dgate, l.n2, false)
		back(matUp, g.dn, g.dup, l.n2, true)
		p.normBackward(l.mid, k.norms[i].ffn, l.inv2, normGrad(full, i, true))

		back(matO, g.datt, g.dx, l.att, false)
		p.eachHead(c, l, true)
		k.rope(g.dq, q, c.positions, -1)
		k.rope(g.dk, kv, c.positions, -1)
		// Below the first block only the embeddings are left to train.
		dn := g.dn
		if i == 0 && full == nil {
			dn = nil
		}
		back(matQ, dn, g.dq, l.n1, false)
		back(matK, dn, g.dk, l.n1, true)
		back(matV, dn, g.dv, l.n1, true)
		if dn != nil {
			p.normBackward(l.x, k.norms[i].attn, l.inv1, normGrad(full, i, false))
		}
	}
	if full != nil {
		for i, t := range c.tokens {
			vek32.Add_Inplace(full.Embedding[int(t)*w:(int(t)+1)*w], g.dx[i*w:(i+1)*w])
		}
	}
	return s
}

// normGrad is the gradient of a norm's gain in full, or nil: the output norm's for block −1.
func normGrad(full *Model, block int, ffn bool) []float32 {
	switch {
	case full == nil:
		return nil
	case block < 0:
		return full.OutNorm
	case ffn:
		return full.Blocks[block].FFNNorm
	}
	return full.Blocks[block].AttnNorm
}

// lossGradient turns the distributions in p.grad.logits into the gradient of the loss by the logits.
//
// For one token the loss changes with its log-probability by c = −weight + kl·(1 − e^(log q − log p)), the second term from
// k3 = e^(log q − log p) − (log q − log p) − 1; and log p changes with the logits by 1[token] − p.
func (p *pass) lossGradient(targets []target, logp []float32) sums {
	var s sums
	v := p.k.Vocab
	for i, t := range targets {
		row := p.grad.logits[i*v : (i+1)*v]
		c := -t.weight
		s.loss -= float64(t.weight) * float64(logp[i])
		s.logp += float64(logp[i])
		d := float64(t.base) - float64(logp[i])
		k3 := math.Exp(d) - d - 1
		s.kl += k3
		if t.kl != 0 {
			s.loss += float64(t.kl) * k3
			c += t.kl * float32(1-math.Exp(d))
		}
		s.entropy += entropy(row)
		vek32.MulNumber_Inplace(row, -c)
		row[t.token] += c
	}
	s.targets = len(targets)
	return s
}

// entropy of a distribution, in nats.
func entropy(p []float32) float64 {
	var h float64
	for _, v := range p {
		if v > 0 {
			h -= float64(v) * float64(log32(v))
		}
	}
	return h
}

// log32 is the natural logarithm of a positive normal float32, to about 1e-6: enough for a figure, faster than math.Log.
func log32(x float32) float32 {
	b := math.Float32bits(x)
	e := int32(b>>23) - 127
	m := math.Float32frombits(b&0x7fffff | 0x3f800000)
	if m > math.Sqrt2 {
		m *= 0.5
		e++
	}
	// log m = 2·artanh(s) with s = (m−1)/(m+1), |s| < 0.172
	s := (m - 1) / (m + 1)
	s2 := s * s
	return float32(e)*math.Ln2 + 2*s*(1+s2*(1.0/3+s2*(1.0/5+s2*(1.0/7+s2/9))))
}

// linearBackward takes dy back through one matrix: into dx, added where more is set and replaced otherwise (nil: not wanted), and into the gradients.
func (p *pass) linearBackward(block, matrix int, dx, dy, x []float32, more bool, full *Model, lora *loraState, part []float32) {
	n, l := p.rows, &p.k.blocks[block][matrix]
	if dx != nil {
		l.back(dx, dy, n, more)
	}
	if full != nil {
		matmulTurned(full.Blocks[block].matrix(matrix), dy, x, l.out, n, l.in, true)
		if db := full.Blocks[block].bias(matrix); len(db) > 0 {
			for i := range n {
				vek32.Add_Inplace(db, dy[i*l.out:(i+1)*l.out])
			}
		}
	}
	if lora != nil {
		if f := lora.factors[block][matrix]; f != nil {
			f.backward(part[lora.offsets[block][matrix]:], dx, dy, x, p.layers[block].loraIn[matrix], &p.grad.back, n)
		}
	}
}

// normBackward adds the gradient of an RMS norm's input to p.grad.dx, from that of its output in p.grad.dn, and its gain's to dg (nil: not wanted).
//
// With y = x·r·g, r = 1/rms(x): dx = r·(g∘dy) − x·r³/width·Σ(g∘dy∘x).
func (p *pass) normBackward(x, gain, inv, dg []float32) {
	w, g := p.k.Width, &p.grad
	for i := range p.rows {
		xr, dy, dx := x[i*w:(i+1)*w], g.dn[i*w:(i+1)*w], g.dx[i*w:(i+1)*w]
		r := inv[i]
		if dg != nil {
			for j, d := range dy {
				dg[j] += d * xr[j] * r
			}
		}
		vek32.Mul_Inplace(dy, gain)
		s := vek32.Dot(dy, xr) * r * r * r / float32(w)
		for j, d := range dy {
			dx[j] += r*d - s*xr[j]
		}
	}
}

// swigluBackward takes the gradient of gate·σ(gate)·up back to gate and up.
func swigluBackward(dgate, dup, dact, gate, up, sig []float32) {
	for i, d := range dact {
		s, g := sig[i], gate[i]
		dup[i] = d * g * s
		dgate[i] = d * up[i] * s * (1 + g*(1-s))
	}
}
