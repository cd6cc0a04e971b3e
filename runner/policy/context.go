package policy

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"verge/domains"
	"verge/runner/backend"
	"verge/runner/engine"
)

// ContextOptions are the settings of a policy on what a generator's prompt says.
type ContextOptions struct {
	Factors   []domains.Factor // of the domain
	Exemplars int              // tasks of the archive that a prompt shows, where it shows any; 0: none ever
	Archive   []string         // statements of tasks that were in band
	Estimator Estimator        // any but REINFORCE++
	Group     int              // proposals compared with each other
	Schedule  engine.Schedule
	KL        float64 // β, the weight of the KL to the start
	Clip      float64 // largest gradient norm; 0: no clipping
}

// Context is a policy on what the prompt of a frozen model says. Its action is a cue: of each factor one option, drawn independently of the
// others from a softmax over the factor's logits θ, so that
//
//	log π(cue) = Σ_f log softmax(θ_f)[option of f]
//
// It starts with every option of a factor equally likely. Whether the prompt shows exemplars is a factor of its own, where there are an
// archive and a number of them; which ones is drawn evenly from the archive and is not learned.
//
// A cue is drawn here, not behind a server, and an update uses the cues that were drawn from the policy as it is: its log-probability is
// exact, there is no ratio of two models' probabilities to correct for, and what a server says of its tokens is not asked.
type Context struct {
	o       ContextOptions
	model   backend.Model
	factors []domains.Factor // with that of the exemplars
	from    []int            // index of each factor's first logit; the last is their number
	logits  []float64
	adam    adam
	step    int
}

var _ Cuer = (*Context)(nil)
var _ Policy = (*Context)(nil)

// exemplarFactor is the factor of whether exemplars are shown.
const exemplarFactor = "exemplars"

// NewContext makes a policy that draws every cue with the same probability, for the prompts of model.
func NewContext(model backend.Model, o ContextOptions) (*Context, error) {
	if o.Estimator == ReinforcePP {
		return nil, fmt.Errorf("policy: estimator %q gives each token of a reply an advantage of its own, and a cue is one action: use %q, %q or %q", o.Estimator, GRPO, DrGRPO, RLOO)
	}
	o.Exemplars = min(o.Exemplars, len(o.Archive))
	c := &Context{o: o, model: model, factors: o.Factors, from: []int{0}}
	if o.Exemplars > 0 {
		c.factors = append(slices.Clone(o.Factors), domains.Factor{Name: exemplarFactor, Options: []string{"", fmt.Sprintf("%d tasks that were in band", o.Exemplars)}})
	}
	n := 0
	for _, f := range c.factors {
		if len(f.Options) == 0 {
			return nil, fmt.Errorf("policy: factor %q has no options", f.Name)
		}
		n += len(f.Options)
		c.from = append(c.from, n)
	}
	c.logits = make([]float64, n)
	c.adam = newAdam(n)
	return c, nil
}

// Model implements Sampler: the model itself never changes.
func (c *Context) Model() backend.Model { return c.model }

// Draw implements Cuer. Equal seeds draw equal cues of an equal policy.
func (c *Context) Draw(seed uint64) domains.Cue {
	r := rand.New(rand.NewPCG(seed, 0))
	cue := domains.Cue{Options: make([]int, len(c.o.Factors))}
	for f := range cue.Options {
		cue.Options[f] = pick(c.probabilities(f), r.Float64())
	}
	if c.o.Exemplars > 0 && pick(c.probabilities(len(c.o.Factors)), r.Float64()) == 1 {
		for _, at := range r.Perm(len(c.o.Archive))[:c.o.Exemplars] {
			cue.Exemplars = append(cue.Exemplars, c.o.Archive[at])
		}
	}
	return cue
}

// pick is the option in whose part of [0, 1) u lies.
func pick(p []float64, u float64) int {
	for i, x := range p {
		if u -= x; u < 0 {
			return i
		}
	}
	return len(p) - 1 // the parts add up to a little less than 1
}

// probabilities are those of factor f's options. Of equal logits they are equal to the last bit.
func (c *Context) probabilities(f int) []float64 {
	p := slices.Clone(c.logits[c.from[f]:c.from[f+1]])
	largest, sum := floats.Max(p), 0.0
	for i := range p {
		p[i] = math.Exp(p[i] - largest)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// chosen is the option of each factor that a cue is.
func (c *Context) chosen(cue domains.Cue) ([]int, error) {
	chosen := slices.Clone(cue.Options)
	if c.o.Exemplars > 0 {
		shown := 0
		if len(cue.Exemplars) > 0 {
			shown = 1
		}
		chosen = append(chosen, shown)
	}
	if len(chosen) != len(c.factors) {
		return nil, fmt.Errorf("policy: a cue of %d factors is none of this policy's, which has %d", len(cue.Options), len(c.o.Factors))
	}
	for f, o := range chosen {
		if o < 0 || o >= len(c.factors[f].Options) {
			return nil, fmt.Errorf("policy: a cue has option %d of factor %q, which has %d", o, c.factors[f].Name, len(c.factors[f].Options))
		}
	}
	return chosen, nil
}

// Distribution is that of the cues, exactly: entropy, and KL to the even distribution that training started from, are sums over the factors.
func (c *Context) Distribution() Distribution {
	d := Distribution{PerCue: true}
	for f := range c.factors {
		p := c.probabilities(f)
		for _, x := range p {
			if x > 0 {
				d.Entropy -= x * math.Log(x)
			}
		}
		d.KL += divergence(p)
	}
	return d
}

// divergence is the KL of the probabilities of a factor's options to equal ones, Σ p·(log p − log 1/n), in nats.
func divergence(p []float64) float64 {
	kl, even := 0.0, math.Log(1/float64(len(p)))
	for _, x := range p {
		if x > 0 {
			kl += x * (math.Log(x) - even)
		}
	}
	return kl
}

// Measure implements Sampler: the distribution is known, whatever was sampled from it.
func (c *Context) Measure(context.Context, []Episode) (*Distribution, error) {
	d := c.Distribution()
	return &d, nil
}

// Update implements Policy. The loss is −Σ c[i]·log π(cue i) + β·KL(π‖start) with the coefficients of the estimator for sequences of one
// token, the cue, and the exact KL.
func (c *Context) Update(_ context.Context, episodes []Episode, rewards []float64) (Update, error) {
	var u Update
	if len(episodes) != len(rewards) {
		return u, fmt.Errorf("%d rewards for %d episodes", len(rewards), len(episodes))
	}
	c.step++
	u.Rate = c.o.Schedule.At(c.step)
	u.Distribution = c.Distribution()

	gradient, groups, err := c.gradient(episodes, rewards)
	if err != nil {
		return u, err
	}
	u.Groups = groups
	u.Skipped = groups.Dead == groups.Groups
	u.GradNorm = floats.Norm(gradient, 2)
	if u.Skipped {
		return u, nil
	}
	if c.o.Clip > 0 && u.GradNorm > c.o.Clip {
		floats.Scale(c.o.Clip/u.GradNorm, gradient)
	}
	c.adam.update(c.logits, gradient, u.Rate)
	return u, nil
}

// gradient is that of the loss by the logits. With p the probabilities of a factor's n options it is
//
//	∂(−log p[o])/∂θ[k] = p[k] − 1{k = o}      ∂KL/∂θ[k] = p[k]·(log p[k] − log 1/n − KL)
func (c *Context) gradient(episodes []Episode, rewards []float64) ([]float64, GroupStats, error) {
	lengths := make([]int, len(rewards))
	for i := range lengths {
		lengths[i] = 1
	}
	coefficients, groups, err := Coefficients(CoefficientOptions{Estimator: c.o.Estimator, Group: c.o.Group, MaxTokens: 1}, rewards, lengths, nil)
	if err != nil {
		return nil, groups, err
	}
	taken := make([]float64, len(c.logits)) // Σ of the coefficients of the cues with each option
	total := 0.0
	for i, e := range episodes {
		chosen, err := c.chosen(e.Cue)
		if err != nil {
			return nil, groups, err
		}
		for f, o := range chosen {
			taken[c.from[f]+o] += coefficients[i][0]
		}
		total += coefficients[i][0]
	}
	gradient := make([]float64, len(c.logits))
	for f := range c.factors {
		p := c.probabilities(f)
		kl, even := divergence(p), math.Log(1/float64(len(p)))
		for k, x := range p {
			at := c.from[f] + k
			gradient[at] = total*x - taken[at]
			if x > 0 {
				gradient[at] += c.o.KL * x * (math.Log(x) - even - kl)
			}
		}
	}
	return gradient, groups, nil
}
