package engine

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/viterin/vek/vek32"
)

// slot is one sequence being decoded.
type slot struct {
	busy    bool
	request *Request
	out     *Sample
	pos     int // tokens in the cache
	limit   int
	last    int32 // the token sampled last, not yet in the cache
	rng     rand.PCG
	text    []byte // kept only where there are stop strings
}

// decoder decodes up to a fixed number of sequences side by side, refilling slots as they come free.
type decoder struct {
	k    *kernels
	lora *loraState
	tok  *Tokenizer
	cap  int // positions a cache holds, padded
	slot []slot
	// Caches by layer: keys per slot and head transposed, [HeadDim][cap], values [cap][HeadDim].
	keys, values [][]float32
	prefill      *pass
	chunk        chunk
	fresh        []span // runs of samples whose prompts are in chunk

	rows                                       []int
	positions                                  []int32
	x, n1, q, kk, vv, att, y, gate, up, sig, a []float32
	inv, logits, weighed, low                  []float32
	first                                      []float32 // logits after a prompt, shared by its samples
	rank                                       ranking
	broken                                     bool // some logits were not finite
	heads                                      cacheWork
}

type span struct{ request, from, to int }

func newDecoder(v *View, width, capacity int) *decoder {
	d := &decoder{k: v.k, lora: v.lora, tok: v.model.Tokenizer, cap: capacity, slot: make([]slot, width), prefill: newPass(v.k, false)}
	d.heads = cacheWork{d: d, scratch: make([]cacheScratch, workers())}
	size := width * v.k.kvWidth() * capacity
	for range v.k.Layers {
		d.keys = append(d.keys, make([]float32, size))
		d.values = append(d.values, make([]float32, size))
	}
	return d
}

func (d *decoder) run(ctx context.Context, q *queue, progress func(samples, tokens int)) {
	for ctx.Err() == nil {
		samples, tokens := d.refill(q)
		d.rows = d.rows[:0]
		for i := range d.slot {
			if d.slot[i].busy {
				d.rows = append(d.rows, i)
			}
		}
		if len(d.rows) == 0 && samples == 0 {
			return
		}
		if len(d.rows) > 0 {
			d.step()
			for i, s := range d.rows {
				if done := d.draw(&d.slot[s], d.logits[i*d.k.Vocab:(i+1)*d.k.Vocab]); done {
					samples++
					tokens += len(d.slot[s].out.Tokens)
				}
			}
		}
		if progress != nil && samples > 0 {
			progress(samples, tokens)
		}
	}
}

// refill gives free slots to waiting samples: their prompts are read in one pass, each once, and copied to its samples' caches.
// It returns the samples that ended at their first token.
func (d *decoder) refill(q *queue) (samples, tokens int) {
	free := 0
	for i := range d.slot {
		if !d.slot[i].busy {
			free++
		}
	}
	// Refilling a few slots at a time would read prompts in tiny passes.
	if free < max(1, len(d.slot)/8) {
		return 0, 0
	}
	d.chunk.reset()
	d.fresh = d.fresh[:0]
	for free > 0 && len(d.chunk.tokens) < 4*chunkTokens {
		request, from, to, ok := q.take(free)
		if !ok {
			break
		}
		d.chunk.add(q.requests[request].Prompt)
		d.fresh = append(d.fresh, span{request, from, to})
		free -= to - from
	}
	if len(d.fresh) == 0 {
		return 0, 0
	}
	k, p := d.k, d.prefill
	p.forward(&d.chunk, d.lora)
	next := 0
	for i, f := range d.fresh {
		r := &q.requests[f.request]
		start, end := d.chunk.starts[i], d.chunk.starts[i+1]
		grow(&d.logits, k.Vocab)
		k.head.forward(d.logits, p.final[(end-1)*k.Width:end*k.Width], 1)
		d.first = append(d.first[:0], d.logits...)
		for j := f.from; j < f.to; j++ {
			for d.slot[next].busy {
				next++
			}
			s := &d.slot[next]
			*s = slot{busy: true, request: r, out: &q.out[f.request][j], pos: end - start, text: s.text[:0]}
			s.limit = len(r.Prompt) + r.Params.MaxTokens
			if r.Params.MaxTokens == 0 || s.limit > k.Context {
				s.limit = k.Context
			}
			s.rng.Seed(r.Seeds[j], 0x76657267650a)
			d.fill(next, start, end)
			copy(d.logits, d.first)
			if s.pos == s.limit {
				s.busy = false
				s.out.Finish = FinishLength
				samples++
			} else if d.draw(s, d.logits) {
				samples++
				tokens += len(s.out.Tokens)
			}
		}
	}
	return samples, tokens
}

// fill copies a prompt's keys and values, rows start … end of the prefill pass, to a slot's caches.
func (d *decoder) fill(slot, start, end int) {
	dim, kvw := d.k.HeadDim, d.k.kvWidth()
	for layer := range d.keys {
		l := &d.prefill.layers[layer]
		for row := start; row < end; row++ {
			d.store(layer, slot, row-start, l.k[row*kvw:(row+1)*kvw], l.v[row*kvw:(row+1)*kvw], dim)
		}
	}
}

// store puts one position's keys and values, [KVHeads·HeadDim], into a slot's caches.
func (d *decoder) store(layer, slot, pos int, key, value []float32, dim int) {
	for h := range d.k.KVHeads {
		base := (slot*d.k.KVHeads + h) * dim * d.cap
		cache := d.keys[layer][base : base+dim*d.cap]
		for j, v := range key[h*dim : (h+1)*dim] {
			cache[j*d.cap+pos] = v
		}
		copy(d.values[layer][base+pos*dim:], value[h*dim:(h+1)*dim])
	}
}

// step runs every busy slot's last token through the model and leaves the next token's logits, a row for each of d.rows.
func (d *decoder) step() {
	k, n := d.k, len(d.rows)
	w, qw, kvw, h := k.Width, k.queryWidth(), k.kvWidth(), k.Hidden
	for _, b := range []struct {
		buf   *[]float32
		width int
	}{{&d.x, w}, {&d.n1, w}, {&d.q, qw}, {&d.kk, kvw}, {&d.vv, kvw}, {&d.att, qw}, {&d.y, w}, {&d.gate, h}, {&d.up, h}, {&d.sig, h}, {&d.a, h},
		{&d.inv, 1}, {&d.logits, k.Vocab}} {
		grow(b.buf, n*b.width)
	}
	d.positions = d.positions[:0]
	for i, s := range d.rows {
		k.embed(d.x[i*w:(i+1)*w], d.slot[s].last)
		d.positions = append(d.positions, int32(d.slot[s].pos))
	}
	for layer := range k.blocks {
		k.rmsnorm(d.n1, d.x, k.norms[layer].attn, d.inv, n)
		d.linear(layer, matQ, d.q, d.n1)
		d.linear(layer, matK, d.kk, d.n1)
		d.linear(layer, matV, d.vv, d.n1)
		k.rope(d.q, qw, d.positions, 1)
		k.rope(d.kk, kvw, d.positions, 1)
		for i, s := range d.rows {
			d.store(layer, s, d.slot[s].pos, d.kk[i*kvw:(i+1)*kvw], d.vv[i*kvw:(i+1)*kvw], k.HeadDim)
		}
		d.heads.layer = layer
		k.within(n*k.KVHeads, &d.heads)
		d.linear(layer, matO, d.y, d.att)
		vek32.Add_Inplace(d.x, d.y)
		k.rmsnorm(d.n1, d.x, k.norms[layer].ffn, d.inv, n)
		d.linear(layer, matGate, d.gate, d.n1)
		d.linear(layer, matUp, d.up, d.n1)
		swiglu(d.a, d.sig, d.gate, d.up)
		d.linear(layer, matDown, d.y, d.a)
		vek32.Add_Inplace(d.x, d.y)
	}
	k.rmsnorm(d.n1, d.x, k.outNorm, d.inv, n)
	k.head.forward(d.logits, d.n1, n)
	for _, s := range d.rows {
		d.slot[s].pos++
	}
}

func (d *decoder) linear(layer, matrix int, y, x []float32) {
	d.k.blocks[layer][matrix].forward(y, x, len(d.rows))
	if d.lora != nil {
		if f := d.lora.factors[layer][matrix]; f != nil {
			f.forward(y, x, &d.low, len(d.rows))
		}
	}
}

// cacheScratch is what the attention of one key/value head's queries needs.
type cacheScratch struct{ q, scores []float32 }

// cacheWork is the attention of each row's token over its slot's cache in one layer. A part is what the query heads of one key/value
// head do for one row.
type cacheWork struct {
	d       *decoder
	layer   int
	scratch []cacheScratch
}

func (w *cacheWork) part(i, worker int) {
	d, k, c := w.d, w.d.k, &w.scratch[worker]
	row, h := i/k.KVHeads, i%k.KVHeads
	dim, group := k.HeadDim, k.Heads/k.KVHeads
	slot := d.rows[row]
	length := d.slot[slot].pos + 1
	grow(&c.q, group*dim)
	grow(&c.scores, group*d.cap)

	at := row*k.queryWidth() + h*group*dim
	vek32.MulNumber_Into(c.q, d.q[at:at+group*dim], float32(1/math.Sqrt(float64(dim))))
	base := (slot*k.KVHeads + h) * dim * d.cap
	keys, values := d.keys[w.layer][base:base+dim*d.cap], d.values[w.layer][base:base+dim*d.cap]
	for j := 0; j < length; j += tileCols {
		column(c.scores[j:], c.q, keys[j:], group, dim, dim, 1, d.cap, d.cap, tileCols, false)
	}
	for g := range group {
		softmax(c.scores[g*d.cap : g*d.cap+length])
	}
	heads := d.att[at : at+group*dim]
	for j := 0; j < dim; j += tileCols {
		column(heads[j:], c.scores, values[j:], group, length, d.cap, 1, dim, dim, min(tileCols, dim-j), false)
	}
}
