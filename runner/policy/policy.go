package policy

import (
	"context"
	"io"

	"verge/domains"
	"verge/runner/backend"
)

// Sampler is what an arm's proposals are sampled from, trained or not.
type Sampler interface {
	// Model is sampled from until the next update.
	Model() backend.Model
	// Measure says how the distribution that the episodes were sampled from lies; nil where it cannot be known.
	Measure(ctx context.Context, episodes []Episode) (*Distribution, error)
}

// Cuer is a sampler that says what the prompt of each proposal is to say.
type Cuer interface {
	Sampler
	// Draw draws what one prompt says; the seed fixes it.
	Draw(seed uint64) domains.Cue
}

// Episode is a proposal as a policy learns from it.
type Episode struct {
	Cue   domains.Cue // that a Cuer drew for it; empty of any other sampler
	Turns []backend.Turn
}

// Distribution is the distribution that samples are from, in nats. Of tokens the figures are means over what was sampled, and KL is k3; of
// cues both are exact.
type Distribution struct {
	KL      float64 // to the distribution that training started from
	Entropy float64
	PerCue  bool // of a whole cue; else of a token
}

// Policy is a sampler that rewards can move.
type Policy interface {
	Sampler
	// Update moves the policy towards the episodes with the larger rewards. The episodes are consecutive groups and were sampled from Model
	// as it is now; a NaN reward is unscorable.
	Update(ctx context.Context, episodes []Episode, rewards []float64) (Update, error)
	// Save writes all that the next updates depend on; Load in a policy with the same options goes on from the same bits.
	Save(w io.Writer) error
	// Load takes up what Save wrote after that many updates.
	Load(r io.Reader, updates int) error
	// Write writes what was learned, in the form in which it can be used, to a file of an arm below dir; it returns the file's path from
	// there. The file is whole or not there, and equal policies give equal bytes.
	Write(dir, arm string) (file string, err error)
}

// Update is what one update did.
type Update struct {
	Distribution // before the update

	Groups GroupStats
	// Gap is how far the log-probabilities that a server gave the tokens it sampled are from those here, the mean of the absolute differences in
	// nats; nil where no server told any. The gradient takes the samples for the policy's own.
	Gap      *float64
	Untold   int     // episodes that were not learned from, because a server did not tell all their tokens
	GradNorm float64 // before clipping
	Rate     float64 // learning rate
	Skipped  bool    // every group was dead: nothing to learn, and the policy was left alone
}

// Frozen is a model that is sampled from as it is.
type Frozen struct{ model backend.Model }

// NewFrozen makes a sampler of a model.
func NewFrozen(m backend.Model) Frozen { return Frozen{m} }

// Model implements Sampler.
func (f Frozen) Model() backend.Model { return f.model }

// Measure implements Sampler: only a backend.Scorer's distribution is known.
func (f Frozen) Measure(ctx context.Context, episodes []Episode) (*Distribution, error) {
	m, ok := f.model.(backend.Scorer)
	if !ok {
		return nil, nil
	}
	return measure(ctx, m, m, episodes)
}

// measure is the distribution of model on what it sampled, with its divergence from base; nil where nothing was sampled.
func measure(ctx context.Context, model, base backend.Scorer, episodes []Episode) (*Distribution, error) {
	var turns []backend.Turn
	for _, e := range episodes {
		turns = append(turns, e.Turns...)
	}
	logp, err := model.Logprobs(ctx, turns)
	if err != nil {
		return nil, err
	}
	logq := logp
	if base != model {
		if logq, err = base.Logprobs(ctx, turns); err != nil {
			return nil, err
		}
	}
	entropies, err := model.Entropies(ctx, turns)
	if err != nil {
		return nil, err
	}
	var d Distribution
	n := 0.0
	for i := range logp {
		for j := range logp[i] {
			d.KL += K3(float64(logp[i][j]), float64(logq[i][j]))
			d.Entropy += entropies[i][j]
			n++
		}
	}
	if n == 0 {
		return nil, nil
	}
	d.KL, d.Entropy = d.KL/n, d.Entropy/n
	return &d, nil
}
