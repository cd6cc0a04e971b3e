package engine

import (
	"context"
	"fmt"
	"sync"
)

// Params are the sampling parameters of a request.
type Params struct {
	Temperature float64 // 0: the most likely token
	TopK        int     // 0: all
	TopP        float64 // 0 or 1: all
	MaxTokens   int     // 0: up to the model's context
	Stop        []string
	Top         int // how many of the most likely tokens to report at each position, with their log-probabilities
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
	Tokens  []int32       // the end token included, when there is one
	Text    string        // decoded, without the end token or the stop string
	Logprob []float32     // of Tokens at temperature 1, untruncated
	Sampled []float32     // of Tokens under the distribution that was sampled from; 0 when greedy
	Top     [][]Candidate // at each of Tokens the Params.Top most likely tokens, most likely first
	Finish  Finish
}

// Candidate is a token that could have come next.
type Candidate struct {
	Token   int32
	Logprob float32 // at temperature 1, untruncated
}

// slots is how many sequences a worker decodes side by side at the most, and cacheBytes about how much memory their keys and values
// take together before there are fewer.
const (
	slots      = 64
	cacheBytes = 2 << 30
)

// Sample draws every sample of the requests: result[i][j] goes with requests[i].Seeds[j]. progress, if not nil, is called from
// several goroutines with the number of samples and tokens finished since its last call.
func (v *View) Sample(ctx context.Context, requests []Request, progress func(samples, tokens int)) ([][]Sample, error) {
	longest, total := 0, 0
	out := make([][]Sample, len(requests))
	for i, r := range requests {
		if err := v.checkTokens(i, r.Prompt); err != nil {
			return nil, fmt.Errorf("prompt of request %d: %w", i, err)
		}
		if p := r.Params; p.Temperature < 0 || p.Temperature > 0 && p.Temperature < minTemperature || p.TopK < 0 || p.TopP < 0 || p.TopP > 1 || p.MaxTokens < 0 || p.Top < 0 {
			return nil, fmt.Errorf("request %d: temperature %g, top-k %d, top-p %g, max tokens %d, top %d: none may be negative, a temperature that is not 0 at least 0.0001, and top-p at most 1", i, p.Temperature, p.TopK, p.TopP, p.MaxTokens, p.Top)
		}
		out[i] = make([]Sample, len(r.Seeds))
		longest = max(longest, v.limit(r))
		total += len(r.Seeds)
	}
	if total == 0 {
		return out, ctx.Err()
	}
	q := &queue{requests: requests, out: out}
	n, width := v.split(total, padded(longest))
	w := &sampleWork{ctx: ctx, view: v, queue: q, progress: progress, decoders: make([]*decoder, n)}
	for i := range w.decoders {
		w.decoders[i] = newDecoder(v, width, padded(longest))
	}
	v.k.apart(n, w)
	for _, d := range w.decoders {
		if d.broken {
			return nil, fmt.Errorf("the model's logits are not finite: its weights, or the adapter that was trained on them, have diverged")
		}
	}
	return out, ctx.Err()
}

// split says how many decoders work on total samples of up to length tokens, and how many of them each takes at a time.
func (v *View) split(total, length int) (decoders, width int) {
	most := max(1, min(slots, cacheBytes/(8*v.k.Layers*v.k.kvWidth()*length)))
	decoders = min(v.k.passes(), (total+most-1)/most)
	// Small batches are still split over the cores.
	if decoders < v.k.passes() && total > 8 {
		decoders = min(v.k.passes(), total)
	}
	return decoders, min(most, (total+decoders-1)/decoders)
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
