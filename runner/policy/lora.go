package policy

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"verge/runner/backend"
	"verge/runner/backend/local"
	"verge/runner/engine"
)

// LoRAOptions are the settings of a policy on adapter weights.
type LoRAOptions struct {
	Estimator Estimator
	Group     int     // proposals compared with each other
	Rank      int     // of the adapter
	Alpha     float64 // its scale is Alpha/Rank
	Targets   []string
	Schedule  engine.Schedule
	KL        float64 // β, the weight of the KL to the frozen base
	Gamma     float64 // discount, of REINFORCE++ alone
	Baseline  bool    // REINFORCE++ subtracts the mean of the group first
	Clip      float64 // largest gradient norm
	MaxTokens int     // longest reply, which Dr. GRPO divides by
	Seed      uint64  // of the adapter's initial weights
	Elsewhere bool    // a server samples it, whose log-probabilities are compared with those here
}

// LoRA is a policy on the weights of an adapter over a frozen model, updated by a policy gradient on what it sampled.
type LoRA struct {
	o       LoRAOptions
	base    *local.Model
	now     *local.Model
	adapter *engine.Adapter
	trainer *engine.Trainer
	step    int
}

var _ Policy = (*LoRA)(nil)

// NewLoRA makes a policy that starts as base, whose weights have to be in this process.
func NewLoRA(start backend.Model, o LoRAOptions) (*LoRA, error) {
	base, ok := start.(*local.Model)
	if !ok {
		id := start.Identity()
		return nil, fmt.Errorf("policy.kind = \"lora\" trains weights in this process, and %s is served by backend %q; bind the generator to backend \"engine\"", id.Name, id.Backend)
	}
	a, err := engine.NewAdapter(base.Base(), o.Rank, float32(o.Alpha), o.Targets, o.Seed)
	if err != nil {
		return nil, err
	}
	adam := engine.DefaultAdamW()
	adam.Clip = o.Clip
	t, err := engine.NewTrainer(base.Base(), a, adam)
	if err != nil {
		return nil, err
	}
	return &LoRA{o: o, base: base, now: base, adapter: a, trainer: t}, nil
}

// Model implements Sampler.
func (p *LoRA) Model() backend.Model { return p.now }

// Adapter is the policy's adapter. It changes at every update.
func (p *LoRA) Adapter() *engine.Adapter { return p.adapter }

// Save implements Policy: the adapter and the optimiser's state.
func (p *LoRA) Save(w io.Writer) error { return p.trainer.Save(w) }

// Load implements Policy.
func (p *LoRA) Load(r io.Reader, updates int) error {
	p.step = updates
	if err := p.trainer.Load(r); err != nil {
		return err
	}
	return p.renew()
}

// renew makes now the base with the adapter as it is. After the first time it does so in the memory of the model before.
func (p *LoRA) renew() (err error) {
	if p.now != p.base {
		return p.now.Renew(p.adapter)
	}
	p.now, err = p.base.With(p.adapter)
	return err
}

// Update implements Policy. The loss is −Σ c·log p + β·k3 with the estimator's coefficients c, except for REINFORCE++, which takes the KL
// into the reward.
func (p *LoRA) Update(ctx context.Context, episodes []Episode, rewards []float64) (Update, error) {
	var u Update
	if len(episodes) != len(rewards) {
		return u, fmt.Errorf("%d rewards for %d episodes", len(rewards), len(episodes))
	}
	p.step++
	u.Rate = p.o.Schedule.At(p.step)

	segments, err := p.sequences(episodes)
	if err != nil {
		return u, err
	}
	u.Untold = untold(episodes, rewards)
	if len(segments) == 0 && u.Untold > 0 {
		return u, fmt.Errorf("the server told the tokens of none of %d proposals, and nothing is learned without them; policy.sampler = \"engine\" samples them here", u.Untold)
	}
	lengths := make([]int, len(episodes))
	for _, s := range segments {
		lengths[s.episode] += s.learned()
	}
	var k1 [][]float64
	if p.o.Estimator == ReinforcePP {
		if k1, err = p.divergence(ctx, segments, len(episodes)); err != nil {
			return u, err
		}
	}
	c := CoefficientOptions{Estimator: p.o.Estimator, Group: p.o.Group, MaxTokens: p.o.MaxTokens, Beta: p.o.KL, Gamma: p.o.Gamma, Baseline: p.o.Baseline}
	coefficients, groups, err := Coefficients(c, rewards, lengths, k1)
	if err != nil {
		return u, err
	}
	u.Groups = groups
	u.Skipped = groups.Dead == groups.Groups

	batch := make([]engine.Sequence, len(segments))
	used := make([]int, len(episodes))
	for i, s := range segments {
		e := s.episode
		s.Weight = make([]float32, s.learned())
		for j := range s.Weight {
			s.Weight[j] = float32(coefficients[e][used[e]+j])
		}
		used[e] += len(s.Weight)
		if p.o.Estimator != ReinforcePP {
			s.KL = float32(p.o.KL * Normaliser(p.o.Estimator, lengths, e, p.o.MaxTokens))
		}
		batch[i] = s.Sequence
	}
	var stats engine.StepStats
	if u.Skipped {
		stats, err = p.trainer.Gradient(batch)
	} else {
		stats, err = p.trainer.Step(batch, u.Rate)
	}
	if err != nil {
		return u, err
	}
	u.KL, u.Entropy, u.GradNorm = stats.KL, stats.Entropy, stats.GradNorm
	if p.o.Elsewhere && stats.Compared > 0 {
		u.Gap = &stats.Gap
	}
	if !u.Skipped {
		err = p.renew()
	}
	return u, err
}

// sequences lays out every turn with sampled tokens as a text to learn.
func (p *LoRA) sequences(episodes []Episode) ([]segment, error) {
	var out []segment
	for e, episode := range episodes {
		for _, t := range episode.Turns {
			if len(t.Reply.Tokens) == 0 {
				continue
			}
			tokens, err := p.base.Encode(t.Prompt)
			if err != nil {
				return nil, err
			}
			out = append(out, segment{engine.Sequence{Tokens: append(tokens, t.Reply.Tokens...), From: len(tokens), Sampled: t.Reply.Logprobs}, e})
		}
	}
	return out, nil
}

// untold counts the episodes that have a reward and a turn whose tokens are not known. One without a reward teaches nothing anyway.
func untold(episodes []Episode, rewards []float64) int {
	n := 0
	for i, e := range episodes {
		if !math.IsNaN(rewards[i]) && slices.ContainsFunc(e.Turns, func(t backend.Turn) bool { return len(t.Reply.Tokens) < t.Reply.Generated() }) {
			n++
		}
	}
	return n
}

// segment is a turn as a text to learn, and the episode it belongs to.
type segment struct {
	engine.Sequence
	episode int
}

// learned is the number of sampled tokens.
func (s segment) learned() int { return len(s.Tokens) - s.From }

// divergence is k1 = log p − log q of every sampled token, with q the frozen base, by episode. What a server sampled is scored here: it does
// not tell the figure of the token that ends a reply.
func (p *LoRA) divergence(ctx context.Context, segments []segment, episodes int) ([][]float64, error) {
	seqs, from := make([][]int32, len(segments)), make([]int, len(segments))
	for i, s := range segments {
		seqs[i], from[i] = s.Tokens, s.From
	}
	base, err := p.base.View().Logprobs(ctx, seqs, from)
	if err != nil {
		return nil, err
	}
	var now [][]float32
	if p.o.Elsewhere {
		if now, err = p.now.View().Logprobs(ctx, seqs, from); err != nil {
			return nil, err
		}
	}
	out := make([][]float64, episodes)
	for i, s := range segments {
		logp := s.Sampled
		if now != nil {
			logp = now[i]
		}
		for j, q := range base[i] {
			out[s.episode] = append(out[s.episode], K1(float64(logp[j]), float64(q)))
		}
	}
	return out, nil
}

// Write implements Policy: a GGUF adapter, adapters/ARM.gguf.
func (p *LoRA) Write(dir, arm string) (string, error) {
	file := filepath.Join("adapters", arm+".gguf")
	if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o755); err != nil {
		return "", err
	}
	return file, p.adapter.WriteFile(filepath.Join(dir, file))
}

// Measure implements Sampler.
func (p *LoRA) Measure(ctx context.Context, episodes []Episode) (*Distribution, error) {
	return measure(ctx, p.now, p.base, episodes)
}
