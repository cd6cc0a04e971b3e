package policy

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"verge/domains"
	"verge/runner/engine"
)

var twoFactors = []domains.Factor{{Name: "topic", Options: []string{"", "shops", "trains"}}, {Name: "difficulty", Options: []string{"", "easy", "medium", "hard"}}}

func contextOptions(change ...func(*ContextOptions)) ContextOptions {
	o := ContextOptions{Factors: twoFactors, Exemplars: 2, Archive: []string{"a", "b", "c"}, Estimator: GRPO, Group: 4, Schedule: engine.Schedule{Rate: 0.1}, KL: 0.05}
	for _, c := range change {
		c(&o)
	}
	return o
}

func newTestContext(t *testing.T, change ...func(*ContextOptions)) *Context {
	t.Helper()
	c, err := NewContext(nil, contextOptions(change...))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// drawn is n cues of a policy.
func drawn(c *Context, n int, seed uint64) []Episode {
	out := make([]Episode, n)
	for i := range out {
		out[i].Cue = c.Draw(seed + uint64(i))
	}
	return out
}

func scatter(c *Context, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range c.logits {
		c.logits[i] = 2 * r.NormFloat64()
	}
}

func TestAnUntrainedContextPolicyDrawsEvenly(t *testing.T) {
	c := newTestContext(t)
	const n = 12000
	counts := map[int]int{}
	shown := map[string]int{}
	for _, e := range drawn(c, n, 1) {
		counts[e.Cue.Options[0]]++
		counts[10+e.Cue.Options[1]]++
		if k := len(e.Cue.Exemplars); k != 0 && (k != 2 || e.Cue.Exemplars[0] == e.Cue.Exemplars[1]) {
			t.Fatalf("exemplars %q", e.Cue.Exemplars)
		}
		for _, x := range e.Cue.Exemplars {
			shown[x]++
		}
	}
	// Each count is within five standard deviations of its expectation.
	within := func(what string, got int, p float64) {
		if math.Abs(float64(got)-n*p) > 5*math.Sqrt(n*p*(1-p)) {
			t.Errorf("%s: %d of %d, want %.3f", what, got, n, p)
		}
	}
	for o := range 3 {
		within("topic", counts[o], 1.0/3)
	}
	for o := range 4 {
		within("difficulty", counts[10+o], 1.0/4)
	}
	for _, x := range []string{"a", "b", "c"} {
		within("exemplar "+x, shown[x], 1.0/3) // two of three, in every second prompt
	}
	if d := c.Distribution(); d.KL != 0 || math.Abs(d.Entropy-math.Log(3*4*2)) > 1e-12 || !d.PerCue {
		t.Errorf("%+v", d)
	}
	if a, b := c.Draw(7), c.Draw(7); !slices.Equal(a.Options, b.Options) || !slices.Equal(a.Exemplars, b.Exemplars) {
		t.Error("one seed draws two cues")
	}
}

func TestWithoutAnArchiveNoExemplarsAreLearned(t *testing.T) {
	for _, change := range []func(*ContextOptions){func(o *ContextOptions) { o.Archive = nil }, func(o *ContextOptions) { o.Exemplars = 0 }} {
		c := newTestContext(t, change)
		for _, e := range drawn(c, 50, 3) {
			if len(e.Cue.Exemplars) > 0 {
				t.Fatalf("exemplars %q", e.Cue.Exemplars)
			}
		}
		if len(c.Marginals()) != 2 {
			t.Errorf("factors %+v", c.Marginals())
		}
	}
	c := newTestContext(t, func(o *ContextOptions) { o.Exemplars = 9 })
	for _, e := range drawn(c, 50, 3) {
		if k := len(e.Cue.Exemplars); k != 0 && k != 3 {
			t.Fatalf("%d exemplars of 3 tasks", k)
		}
	}
}

// loss is −Σ A·log π(cue) / n + β·KL from its definition: the advantages are those of the estimator, and KL(π‖even) is a sum over all cues.
func loss(t *testing.T, c *Context, episodes []Episode, rewards []float64) float64 {
	t.Helper()
	adv, _, err := Advantages(c.o.Estimator, rewards, c.o.Group)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i, e := range episodes {
		chosen, err := c.chosen(e.Cue)
		if err != nil {
			t.Fatal(err)
		}
		logp := 0.0
		for f, o := range chosen {
			logp += math.Log(c.probabilities(f)[o])
		}
		sum -= adv[i] * logp / float64(len(episodes))
	}
	even := 1.0
	joint := []float64{1}
	for f := range c.factors {
		p := c.probabilities(f)
		even /= float64(len(p))
		var next []float64
		for _, a := range joint {
			for _, b := range p {
				next = append(next, a*b)
			}
		}
		joint = next
	}
	for _, p := range joint {
		sum += c.o.KL * p * math.Log(p/even)
	}
	return sum
}

func TestTheGradientIsThatOfTheLoss(t *testing.T) {
	for _, estimator := range []Estimator{GRPO, DrGRPO, RLOO} {
		c := newTestContext(t, func(o *ContextOptions) { o.Estimator, o.KL = estimator, 0.3 })
		scatter(c, 5)
		episodes := drawn(c, 8, 11)
		rewards := []float64{1, -0.2, 0.4, math.NaN(), 2, 2, 2, 2} // the second group is dead
		gradient, groups, err := c.gradient(episodes, rewards)
		if err != nil {
			t.Fatal(err)
		}
		if groups.Dead != 1 || groups.Unscorable != 1 {
			t.Errorf("%s: %+v", estimator, groups)
		}
		const h = 1e-5
		for i := range c.logits {
			at := c.logits[i]
			c.logits[i] = at + h
			up := loss(t, c, episodes, rewards)
			c.logits[i] = at - h
			down := loss(t, c, episodes, rewards)
			c.logits[i] = at
			if want := (up - down) / (2 * h); math.Abs(gradient[i]-want) > 1e-8 {
				t.Errorf("%s: ∂/∂θ[%d] = %.10f, by differences %.10f", estimator, i, gradient[i], want)
			}
		}
	}
}

func TestTheDistributionIsExact(t *testing.T) {
	c := newTestContext(t)
	scatter(c, 9)
	// Both figures again as means over draws: −log p, and log p − log even.
	const n = 40000
	entropy, kl := 0.0, 0.0
	for _, e := range drawn(c, n, 100) {
		chosen, err := c.chosen(e.Cue)
		if err != nil {
			t.Fatal(err)
		}
		for f, o := range chosen {
			p := c.probabilities(f)
			entropy -= math.Log(p[o]) / n
			kl += math.Log(p[o]*float64(len(p))) / n
		}
	}
	d := c.Distribution()
	if math.Abs(d.Entropy-entropy) > 0.03 || math.Abs(d.KL-kl) > 0.03 || d.KL < 0.5 {
		t.Errorf("entropy %g and KL %g, of draws %g and %g", d.Entropy, d.KL, entropy, kl)
	}
	if m, err := c.Measure(context.Background(), nil); err != nil || *m != d {
		t.Errorf("measured %+v, %v", m, err)
	}
}

// bandit trains a policy whose cues are paid for medium difficulty and trains, with noise, and for exemplars a little.
func bandit(t *testing.T, c *Context, updates int) Update {
	t.Helper()
	r := rand.New(rand.NewPCG(2, 3))
	var u Update
	for step := range updates {
		episodes := drawn(c, 32, uint64(1000*step))
		rewards := make([]float64, len(episodes))
		for i, e := range episodes {
			if e.Cue.Options[1] == 2 {
				rewards[i]++
			}
			if e.Cue.Options[0] == 2 {
				rewards[i] += 0.5
			}
			if len(e.Cue.Exemplars) > 0 {
				rewards[i] += 0.3
			}
			rewards[i] += 0.5 * r.NormFloat64()
		}
		var err error
		if u, err = c.Update(context.Background(), episodes, rewards); err != nil {
			t.Fatal(err)
		}
	}
	return u
}

func TestAContextPolicyLearnsWhatIsPaidFor(t *testing.T) {
	for _, estimator := range []Estimator{GRPO, DrGRPO, RLOO} {
		c := newTestContext(t, func(o *ContextOptions) { o.Estimator = estimator })
		u := bandit(t, c, 60)
		topic, difficulty, exemplars := c.probabilities(0), c.probabilities(1), c.probabilities(2)
		if difficulty[2] < 0.8 || topic[2] < 0.6 || exemplars[1] < 0.55 {
			t.Errorf("%s: topic %.2f, difficulty %.2f, exemplars %.2f", estimator, topic, difficulty, exemplars)
		}
		if u.KL < 0.5 || u.Entropy > math.Log(24)-0.5 || u.Skipped || u.Rate != 0.1 || u.Groups.Groups != 8 || u.GradNorm <= 0 {
			t.Errorf("%s: %+v", estimator, u)
		}
	}
	free, held := newTestContext(t), newTestContext(t, func(o *ContextOptions) { o.KL = 2 })
	bandit(t, free, 60)
	bandit(t, held, 60)
	if free.Distribution().KL < 2*held.Distribution().KL {
		t.Errorf("KL %g, with a weight on it %g", free.Distribution().KL, held.Distribution().KL)
	}
}

func TestNothingIsLearnedFromDeadGroups(t *testing.T) {
	c := newTestContext(t)
	scatter(c, 4)
	before := slices.Clone(c.logits)
	episodes := drawn(c, 8, 1)
	nan := math.NaN()
	for _, rewards := range [][]float64{{1, 1, 1, 1, 2, 2, 2, 2}, {nan, nan, nan, nan, nan, nan, nan, 3}} {
		u, err := c.Update(context.Background(), episodes, rewards)
		if err != nil {
			t.Fatal(err)
		}
		if !u.Skipped || u.Groups.Dead != 2 || !slices.Equal(c.logits, before) {
			t.Errorf("rewards %v: %+v, logits %v, were %v", rewards, u, c.logits, before)
		}
	}
}

func TestAContextPolicyGoesOnFromWhatWasSaved(t *testing.T) {
	whole := newTestContext(t)
	bandit(t, whole, 3)
	var state bytes.Buffer
	if err := whole.Save(&state); err != nil {
		t.Fatal(err)
	}
	bandit(t, whole, 2)
	resumed := newTestContext(t)
	if err := resumed.Load(&state, 3); err != nil {
		t.Fatal(err)
	}
	bandit(t, resumed, 2)
	if !slices.Equal(whole.logits, resumed.logits) {
		t.Errorf("%v, undisturbed %v", resumed.logits, whole.logits)
	}
	var files [2][]byte
	for i, c := range []*Context{whole, resumed} {
		dir := t.TempDir()
		file, err := c.Write(dir, "propel")
		if err != nil || file != filepath.Join("policies", "propel.json") {
			t.Fatalf("file %q, error %v", file, err)
		}
		if files[i], err = os.ReadFile(filepath.Join(dir, file)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Errorf("equal policies are written as\n%s\nand\n%s", files[0], files[1])
	}
	var l learned
	if err := json.Unmarshal(files[0], &l); err != nil || l.Updates != 5 || len(l.Factors) != 3 || l.Factors[1].Options[3] != "hard" || len(l.Archive) != 3 {
		t.Errorf("written %+v, %v", l, err)
	}
}

func TestWhatIsNoStateOrCueOfThePolicyIsRefused(t *testing.T) {
	_, err := NewContext(nil, contextOptions(func(o *ContextOptions) { o.Estimator = ReinforcePP }))
	fails(t, "REINFORCE++", err, "reinforce++", "one action", "grpo")
	other := newTestContext(t, func(o *ContextOptions) { o.Factors = o.Factors[:1] })
	var state bytes.Buffer
	if err := other.Save(&state); err != nil {
		t.Fatal(err)
	}
	c := newTestContext(t)
	fails(t, "another policy's state", c.Load(&state, 1), "5 options", "9")
	fails(t, "no state", c.Load(bytes.NewReader([]byte("{")), 1), "state")
	for _, options := range [][]int{nil, {1}, {1, 2, 0}, {3, 0}, {0, -1}} {
		episodes := slices.Repeat([]Episode{{Cue: domains.Cue{Options: options}}}, 4)
		_, err := c.Update(context.Background(), episodes, []float64{1, 2, 3, 4})
		fails(t, "a cue of other factors", err, "cue")
	}
}
