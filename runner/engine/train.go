package engine

import (
	"fmt"
	"io"
	"math"

	"github.com/viterin/vek/vek32"
)

// Sequence is one text to train on.
type Sequence struct {
	Tokens []int32
	From   int // index of the first token that is learned; the tokens before it are only read. At least 1.
	// Weight holds, for each token from From on, what multiplies −log p in the loss. Nil: 1 for each.
	Weight []float32
	// KL multiplies, for each token from From on, k3 to the frozen base. Only an adapter has a base.
	KL float32
	// Sampled holds, for the first of the learned tokens, the log-probabilities that whoever sampled them gave them. It bears on StepStats.Gap
	// alone.
	Sampled []float32
}

// StepStats are one training step's figures. Means are over the learned tokens, in nats.
type StepStats struct {
	Loss     float64 // the loss itself, a sum
	LogProb  float64 // mean log-probability
	KL       float64 // mean k3 to the base; 0 when all parameters are trained
	Entropy  float64 // mean, of the whole next-token distribution
	Gap      float64 // mean of |log p − log p when sampled|, over the Compared tokens; 0 where there are none
	GradNorm float64 // before clipping
	Tokens   int     // learned
	Compared int     // learned, of those that Sequence.Sampled has
	Read     int     // learned or only read
}

// shards is how many parts a batch's gradient is summed in. It is fixed, and so is the order in which the parts are added.
const shards = 8

// chunkTokens is about how many tokens go through the model at once: enough to amortise a weight gradient's sum, few enough to stay in the cache.
const chunkTokens = 256

// Trainer trains all of a model's parameters, or one adapter on a frozen model. It is not safe for concurrent use.
type Trainer struct {
	model *Model
	k     *kernels
	lora  *loraState
	opt   *adamw

	passes []*pass
	chunks []chunk
	logp   [][]float32
	picked [][]target
	grads  [shards][]float32
	views  [shards]*Model // grads as a model's tensors, when all parameters are trained
	sums   [shards]sums

	batch []Sequence
	spans []int // chunk i is sequences spans[i] … spans[i+1]
	work  trainWork
	merge reduceWork
}

// NewTrainer trains adapter on the frozen m, or with a nil adapter all of m's parameters.
func NewTrainer(m *Model, adapter *Adapter, o AdamW) (*Trainer, error) {
	if adapter == nil && m.Frozen() {
		return nil, fmt.Errorf("%s is frozen in its file; train an adapter on it", m.file)
	}
	t := &Trainer{model: m}
	n := len(m.params)
	if adapter != nil {
		t.k = m.layout()
		lora, err := newLoraState(m.Config, adapter)
		if err != nil {
			return nil, err
		}
		t.lora, n = lora, len(lora.params)
	} else {
		t.k = newKernels(m)
	}
	t.opt = newAdamW(o, n)
	for i := range t.grads {
		t.grads[i] = make([]float32, n)
		if adapter == nil {
			t.views[i] = &Model{Config: m.Config, Blocks: make([]Block, m.Layers)}
			t.views[i].bind(t.grads[i])
		}
	}
	t.work.t, t.merge.t = t, t
	t.merge.norms = make([]float64, (n+adamPart-1)/adamPart)
	return t, nil
}

func (t *Trainer) params() []float32 {
	if t.lora != nil {
		return t.lora.params
	}
	return t.model.params
}

// Step takes one optimiser step on the batch's summed loss. A batch in which nothing is learned is an error.
func (t *Trainer) Step(batch []Sequence, rate float64) (StepStats, error) {
	stats, err := t.Gradient(batch)
	if err != nil {
		return stats, err
	}
	if math.IsNaN(stats.GradNorm) || math.IsInf(stats.GradNorm, 0) {
		return stats, fmt.Errorf("training step %d: the gradient's norm is %g; the learning rate %g may be too high", t.opt.step+1, stats.GradNorm, rate)
	}
	scale := 1.0
	if t.opt.Clip > 0 && stats.GradNorm > t.opt.Clip {
		scale = t.opt.Clip / stats.GradNorm
	}
	t.opt.update(t.params(), t.grads[0], rate, scale)
	if t.lora != nil {
		t.lora.refresh()
		t.lora.store()
	} else {
		t.k.refresh()
		t.model.changed()
	}
	return stats, nil
}

// Gradient computes the batch's figures and leaves the gradient of its loss in the trainer, without a step.
func (t *Trainer) Gradient(batch []Sequence) (StepStats, error) {
	var stats StepStats
	if err := t.check(batch); err != nil {
		return stats, err
	}
	t.batch = batch
	t.plan()
	for len(t.passes) < t.k.passes() {
		t.passes = append(t.passes, newPass(t.k, true))
		t.chunks = append(t.chunks, chunk{})
		t.logp = append(t.logp, nil)
		t.picked = append(t.picked, nil)
	}
	t.k.apart(shards, &t.work)
	parallel(len(t.merge.norms), &t.merge)
	var norm float64
	for _, part := range t.merge.norms {
		norm += part
	}
	stats.GradNorm = math.Sqrt(norm)
	for _, s := range t.sums {
		stats.Loss += s.loss
		stats.LogProb += s.logp
		stats.KL += s.kl
		stats.Entropy += s.entropy
		stats.Gap += s.gap
		stats.Tokens += s.targets
		stats.Compared += s.compared
	}
	for _, s := range batch {
		stats.Read += len(s.Tokens)
	}
	count := float64(stats.Tokens)
	stats.LogProb /= count
	stats.KL /= count
	stats.Entropy /= count
	stats.Gap /= float64(max(1, stats.Compared))
	t.batch = nil
	return stats, nil
}

func (t *Trainer) check(batch []Sequence) error {
	learned := 0
	for i, s := range batch {
		switch {
		case len(s.Tokens) > t.model.Context:
			return fmt.Errorf("sequence %d has %d tokens, the model's context is %d", i, len(s.Tokens), t.model.Context)
		case s.From < 1 || s.From > len(s.Tokens):
			return fmt.Errorf("sequence %d learns from token %d on; with %d tokens it has to be in 1 … %d", i, s.From, len(s.Tokens), len(s.Tokens))
		case s.Weight != nil && len(s.Weight) != len(s.Tokens)-s.From:
			return fmt.Errorf("sequence %d has %d weights for %d learned tokens", i, len(s.Weight), len(s.Tokens)-s.From)
		case len(s.Sampled) > len(s.Tokens)-s.From:
			return fmt.Errorf("sequence %d has %d sampled log-probabilities for %d learned tokens", i, len(s.Sampled), len(s.Tokens)-s.From)
		case s.KL != 0 && t.lora == nil:
			return fmt.Errorf("sequence %d asks for KL to a base; only an adapter has one", i)
		}
		for j, tok := range s.Tokens {
			if tok < 0 || int(tok) >= t.model.Vocab {
				return fmt.Errorf("sequence %d, token %d: id %d is outside the vocabulary of %d", i, j, tok, t.model.Vocab)
			}
		}
		learned += len(s.Tokens) - s.From
	}
	if learned == 0 {
		return fmt.Errorf("a training batch of %d sequences has no token to learn", len(batch))
	}
	return nil
}

// plan cuts the batch into chunks of whole sequences; the cut depends on the batch alone.
func (t *Trainer) plan() {
	total := 0
	for _, s := range t.batch {
		total += len(s.Tokens)
	}
	size := chunkTokens
	if !t.k.shared {
		// Enough chunks for each core to have some.
		size = min(size, max(32, total/(2*shards)))
	}
	t.spans = append(t.spans[:0], 0)
	have := 0
	for i, s := range t.batch {
		if have > 0 && have+len(s.Tokens) > size {
			t.spans = append(t.spans, i)
			have = 0
		}
		have += len(s.Tokens)
	}
	t.spans = append(t.spans, len(t.batch))
}

// trainWork computes one shard's gradient: chunks shard, shard+shards, … in that order.
type trainWork struct{ t *Trainer }

func (w *trainWork) part(shard, worker int) {
	t := w.t
	clear(t.grads[shard])
	t.sums[shard] = sums{}
	p, c := t.passes[worker], &t.chunks[worker]
	for i := shard; i+1 < len(t.spans); i += shards {
		c.reset()
		picked := t.picked[worker][:0]
		for _, s := range t.batch[t.spans[i]:t.spans[i+1]] {
			first := len(c.tokens)
			c.add(s.Tokens)
			for j := s.From; j < len(s.Tokens); j++ {
				weight := float32(1)
				if s.Weight != nil {
					weight = s.Weight[j-s.From]
				}
				picked = append(picked, target{row: first + j - 1, token: s.Tokens[j], weight: weight, kl: s.KL})
			}
		}
		t.picked[worker] = picked
		if len(picked) == 0 {
			continue
		}
		grow(&t.logp[worker], len(picked))
		logp := t.logp[worker]
		if t.lora != nil {
			p.forward(c, nil)
			p.logprobs(picked, logp)
			for j := range picked {
				picked[j].base = logp[j]
			}
		}
		p.forward(c, t.lora)
		p.logprobs(picked, logp)
		if t.lora == nil {
			for j := range picked {
				picked[j].base = logp[j]
			}
		}
		total := &t.sums[shard]
		total.compare(t.batch[t.spans[i]:t.spans[i+1]], logp)
		s := p.backward(c, picked, logp, t.views[shard], t.lora, t.grads[shard])
		total.loss += s.loss
		total.logp += s.logp
		total.kl += s.kl
		total.entropy += s.entropy
		total.targets += s.targets
	}
}

// compare adds how far the log-probabilities of the learned tokens of sequences are from those that they were sampled with.
func (s *sums) compare(of []Sequence, logp []float32) {
	for _, seq := range of {
		for j, sampled := range seq.Sampled {
			s.gap += math.Abs(float64(logp[j] - sampled))
		}
		s.compared += len(seq.Sampled)
		logp = logp[len(seq.Tokens)-seq.From:]
	}
}

// reduceWork adds a range of the shards' gradients into the first, in order, and takes the square of the range's norm.
type reduceWork struct {
	t     *Trainer
	norms []float64
}

func (w *reduceWork) part(i, _ int) {
	sum := w.t.grads[0][i*adamPart : min((i+1)*adamPart, len(w.t.grads[0]))]
	for _, g := range w.t.grads[1:] {
		vek32.Add_Inplace(sum, g[i*adamPart:i*adamPart+len(sum)])
	}
	var norm float64
	for _, v := range sum {
		norm += float64(v) * float64(v)
	}
	w.norms[i] = norm
}

// Steps is the number of optimiser steps taken.
func (t *Trainer) Steps() int { return t.opt.step }

// Save writes what is being trained and the optimiser's state, so that Load in another process goes on from the same bits.
func (t *Trainer) Save(w io.Writer) error { return t.opt.save(w, t.params()) }

// Load takes up what Save wrote for a model or adapter of the same shape.
func (t *Trainer) Load(r io.Reader) error {
	if err := t.opt.load(r, t.params()); err != nil {
		return err
	}
	if t.lora != nil {
		t.lora.refresh()
		t.lora.store()
	} else {
		t.k.refresh()
		t.model.changed()
	}
	return nil
}
