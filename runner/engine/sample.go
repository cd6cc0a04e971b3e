package engine

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/viterin/vek/vek32"
)

// Params are the sampling parameters of a request.
type Params struct {
	Temperature float64 // 0: the most likely token
	TopK        int     // 0: all
	TopP        float64 // 0 or 1: all
	MaxTokens   int     // 0: up to the model's context
	Stop        []string
}

// Request asks for one sample of a prompt for each seed.
type Request struct {
	Prompt []int32
	Params Params
	// Seeds fix the samples' random numbers: a sample depends on the prompt, the parameters and its seed, not on what else is sampled.
	Seeds []uint64
}

// minTemperature is the least temperature but 0, at which logits still divide without overflow.
const minTemperature = 1e-4

// Finish is why a sample ended.
type Finish string

// A sample ends at the end token, at a stop string, or at its token limit or the model's context.
const (
	FinishEnd    Finish = "end"
	FinishStop   Finish = "stop"
	FinishLength Finish = "length"
)

// Sample is one sampled continuation.
type Sample struct {
	Tokens  []int32   // the end token included, when there is one
	Text    string    // decoded, without the end token or the stop string
	Logprob []float32 // of Tokens at temperature 1, untruncated
	Sampled []float32 // of Tokens under the distribution that was sampled from; 0 when greedy
	Finish  Finish
}

// slots is how many sequences a worker decodes side by side.
const slots = 64

// Sample draws every sample of the requests: result[i][j] goes with requests[i].Seeds[j]. progress, if not nil, is called from
// several goroutines with the number of samples and tokens finished since its last call.
func (v *View) Sample(ctx context.Context, requests []Request, progress func(samples, tokens int)) ([][]Sample, error) {
	longest, total := 0, 0
	out := make([][]Sample, len(requests))
	for i, r := range requests {
		if err := v.checkTokens(i, r.Prompt); err != nil {
			return nil, fmt.Errorf("prompt of request %d: %w", i, err)
		}
		if p := r.Params; p.Temperature < 0 || p.Temperature > 0 && p.Temperature < minTemperature || p.TopK < 0 || p.TopP < 0 || p.TopP > 1 || p.MaxTokens < 0 {
			return nil, fmt.Errorf("request %d: temperature %g, top-k %d, top-p %g, max tokens %d: none may be negative, a temperature that is not 0 at least 0.0001, and top-p at most 1", i, p.Temperature, p.TopK, p.TopP, p.MaxTokens)
		}
		out[i] = make([]Sample, len(r.Seeds))
		longest = max(longest, v.limit(r))
		total += len(r.Seeds)
	}
	if total == 0 {
		return out, ctx.Err()
	}
	q := &queue{requests: requests, out: out}
	n := min(workers(), (total+slots-1)/slots)
	// Small batches are still split over the cores.
	if n < workers() && total > 8 {
		n = min(workers(), total)
	}
	width := min(slots, (total+n-1)/n)
	w := &sampleWork{ctx: ctx, view: v, queue: q, progress: progress, decoders: make([]*decoder, n)}
	for i := range w.decoders {
		w.decoders[i] = newDecoder(v, width, padded(longest))
	}
	parallel(n, w)
	for _, d := range w.decoders {
		if d.broken {
			return nil, fmt.Errorf("the model's logits are not finite: its weights, or the adapter that was trained on them, have diverged")
		}
	}
	return out, ctx.Err()
}

// limit is the longest a request's sequences get, in tokens.
func (v *View) limit(r Request) int {
	if r.Params.MaxTokens == 0 {
		return v.k.Context
	}
	return min(v.k.Context, len(r.Prompt)+r.Params.MaxTokens)
}

// queue hands out whole runs of one request's samples, so that its prompt is read once for them.
type queue struct {
	mu       sync.Mutex
	requests []Request
	out      [][]Sample
	request  int
	sample   int
}

// take returns the next at most n samples of one request.
func (q *queue) take(n int) (request, from, to int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.request < len(q.requests) && q.sample == len(q.requests[q.request].Seeds) {
		q.request, q.sample = q.request+1, 0
	}
	if q.request == len(q.requests) {
		return 0, 0, 0, false
	}
	request, from = q.request, q.sample
	to = min(from+n, len(q.requests[request].Seeds))
	q.sample = to
	return request, from, to, true
}

type sampleWork struct {
	ctx      context.Context
	view     *View
	queue    *queue
	progress func(samples, tokens int)
	decoders []*decoder
}

func (w *sampleWork) part(i, _ int) { w.decoders[i].run(w.ctx, w.queue, w.progress) }

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
	inv, logits, weighed, qs, scores           []float32
	first                                      []float32 // logits after a prompt, shared by its samples
	order                                      []int32
	broken                                     bool // some logits were not finite
}

type span struct{ request, from, to int }

func newDecoder(v *View, width, capacity int) *decoder {
	d := &decoder{k: v.k, tok: v.model.Tokenizer, cap: capacity, slot: make([]slot, width), prefill: newPass(v.k)}
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
	p.forward(&d.chunk, nil)
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
		copy(d.x[i*w:(i+1)*w], k.embedding[int(d.slot[s].last)*w:])
		d.positions = append(d.positions, int32(d.slot[s].pos))
	}
	for layer := range k.blocks {
		b := &k.blocks[layer]
		k.rmsnorm(d.n1, d.x, k.norms[layer].attn, d.inv, n)
		b[matQ].forward(d.q, d.n1, n)
		b[matK].forward(d.kk, d.n1, n)
		b[matV].forward(d.vv, d.n1, n)
		k.rope(d.q, qw, d.positions, 1)
		k.rope(d.kk, kvw, d.positions, 1)
		for i, s := range d.rows {
			d.store(layer, s, d.slot[s].pos, d.kk[i*kvw:(i+1)*kvw], d.vv[i*kvw:(i+1)*kvw], k.HeadDim)
			d.attend(layer, s, d.slot[s].pos+1, d.att[i*qw:(i+1)*qw], d.q[i*qw:(i+1)*qw])
		}
		b[matO].forward(d.y, d.att, n)
		vek32.Add_Inplace(d.x, d.y)
		k.rmsnorm(d.n1, d.x, k.norms[layer].ffn, d.inv, n)
		b[matGate].forward(d.gate, d.n1, n)
		b[matUp].forward(d.up, d.n1, n)
		swiglu(d.a, d.sig, d.gate, d.up)
		b[matDown].forward(d.y, d.a, n)
		vek32.Add_Inplace(d.x, d.y)
	}
	k.rmsnorm(d.n1, d.x, k.outNorm, d.inv, n)
	k.head.forward(d.logits, d.n1, n)
	for _, s := range d.rows {
		d.slot[s].pos++
	}
}

// attend is one token's attention over the first length positions of a slot's cache.
func (d *decoder) attend(layer, slot, length int, out, q []float32) {
	k, dim := d.k, d.k.HeadDim
	group := k.Heads / k.KVHeads
	scale := float32(1 / math.Sqrt(float64(dim)))
	grow(&d.qs, group*dim)
	grow(&d.scores, group*d.cap)
	for h := range k.KVHeads {
		base := (slot*k.KVHeads + h) * dim * d.cap
		vek32.MulNumber_Into(d.qs, q[h*group*dim:(h+1)*group*dim], scale)
		keys, values := d.keys[layer][base:base+dim*d.cap], d.values[layer][base:base+dim*d.cap]
		for j := 0; j < length; j += tileCols {
			column(d.scores[j:], d.qs, keys[j:], group, dim, dim, 1, d.cap, d.cap, tileCols, false)
		}
		for g := range group {
			softmax(d.scores[g*d.cap : g*d.cap+length])
		}
		heads := out[h*group*dim : (h+1)*group*dim]
		for j := 0; j < dim; j += tileCols {
			column(heads[j:], d.scores, values[j:], group, length, d.cap, 1, dim, dim, min(tileCols, dim-j), false)
		}
	}
}

// draw samples a slot's next token from its logits, which it overwrites, and says whether the sequence has ended.
func (d *decoder) draw(s *slot, logits []float32) bool {
	p := s.request.Params
	grow(&d.weighed, len(logits))
	copy(d.weighed, logits)
	norm := softmax(d.weighed) // now the probabilities at temperature 1
	if math.IsNaN(float64(norm)) || math.IsInf(float64(norm), 0) {
		d.broken = true
	}
	var token int32
	var sampled float32
	switch {
	case p.Temperature == 0:
		token = int32(vek32.ArgMax(logits))
	case p.Temperature == 1 && p.TopK == 0 && (p.TopP == 0 || p.TopP == 1):
		token = pick(d.weighed, 1, s.uniform())
		sampled = logits[token] - norm
	default:
		token, sampled = d.truncated(s, logits)
	}
	s.out.Tokens = append(s.out.Tokens, token)
	s.out.Logprob = append(s.out.Logprob, logits[token]-norm)
	s.out.Sampled = append(s.out.Sampled, sampled)
	s.last = token

	switch {
	case token == d.tok.End():
		s.out.Finish = FinishEnd
	case len(p.Stop) > 0 && d.stopped(s):
		s.out.Finish = FinishStop
	case s.pos+1 >= s.limit:
		s.out.Finish = FinishLength
	default:
		return false
	}
	if s.out.Finish != FinishStop {
		tokens := s.out.Tokens
		if s.out.Finish == FinishEnd {
			tokens = tokens[:len(tokens)-1]
		}
		s.out.Text = d.tok.Decode(tokens)
	}
	s.busy = false
	return true
}

// stopped says whether the text so far holds a stop string, and if so keeps the text before it.
func (d *decoder) stopped(s *slot) bool {
	s.text = append(s.text, d.tok.Decode(s.out.Tokens[len(s.out.Tokens)-1:])...)
	for _, stop := range s.request.Params.Stop {
		if i := strings.Index(string(s.text), stop); stop != "" && i >= 0 {
			s.out.Text = string(s.text[:i])
			return true
		}
	}
	return false
}

func (s *slot) uniform() float32 { return float32(s.rng.Uint64()>>40) / (1 << 24) }

// pick is the first token at which the running sum of probs passes u·total.
func pick(probs []float32, total, u float32) int32 {
	mark := u * total
	var sum float32
	last := 0
	for i, p := range probs {
		if p > 0 {
			sum += p
			last = i
			if sum > mark {
				return int32(i)
			}
		}
	}
	return int32(last)
}

// truncated samples at the request's temperature from its top-k and then top-p tokens, and returns the log-probability under that.
func (d *decoder) truncated(s *slot, logits []float32) (int32, float32) {
	p := s.request.Params
	vek32.MulNumber_Into(d.weighed, logits, float32(1/p.Temperature))
	softmax(d.weighed)
	probs := d.weighed
	d.order = d.order[:0]
	for i := range probs {
		d.order = append(d.order, int32(i))
	}
	slices.SortStableFunc(d.order, func(a, b int32) int {
		switch {
		case probs[a] > probs[b]:
			return -1
		case probs[a] < probs[b]:
			return 1
		}
		return 0
	})
	keep := len(d.order)
	if p.TopK > 0 {
		keep = min(keep, p.TopK)
	}
	if p.TopP > 0 && p.TopP < 1 {
		var all, sum float32
		for _, t := range d.order[:keep] {
			all += probs[t]
		}
		for i, t := range d.order[:keep] {
			if sum += probs[t]; sum >= float32(p.TopP)*all {
				keep = i + 1
				break
			}
		}
	}
	var total float32
	for _, t := range d.order[:keep] {
		total += probs[t]
	}
	for _, t := range d.order[keep:] {
		probs[t] = 0
	}
	token := pick(probs, total, s.uniform())
	return token, float32(math.Log(float64(probs[token] / total)))
}
