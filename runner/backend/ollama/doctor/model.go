package doctor

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"verge/domains/prompt"
	"verge/runner/backend"
	"verge/runner/backend/ollama"
)

// keep is how long the server keeps an examined model: the examination's own calls are less apart.
const keep = time.Minute

var (
	question = prompt.Prompt{prompt.Text("Is 2 + 2 equal to 4? Answer Yes or No.")}
	counting = prompt.Prompt{prompt.Text("Count from 1 to 100, separated by spaces.")}
	verdict  = ollama.Schema{{Name: "reason", Kind: ollama.Text, About: "a few words"}, {Name: "verdict", Kind: ollama.Text, Enum: []string{"yes", "no"}}}
)

// greedy are the parameters of the examination's calls.
func greedy(tokens int) backend.Params { return backend.Params{TopP: 1, MaxTokens: tokens} }

func (e *examination) model(name string) {
	m, err := e.client.Open(e.ctx, name, ollama.ModelOptions{KeepAlive: keep})
	if err != nil {
		e.refused(name, Capabilities, err, "a role bound to it is refused")
		return
	}
	e.opened(m)
}

func (e *examination) opened(m *ollama.Model) {
	info := m.Info()
	e.report.Models = append(e.report.Models, info)
	can := info.Can()
	e.capabilities(info, can)
	if slices.Contains(can, backend.Sampling) {
		if !e.reply(m) {
			return // the calls below would fail the same way
		}
		if info.Chats() {
			e.schema(m)
		}
		e.logprobs(m, can)
	}
	e.embedding(m)
	e.gpu(m)
	if slices.Contains(can, backend.Sampling) && info.Chats() {
		e.parallel(m)
	}
}

// asked asks for one token, by a chat of a model that reads them.
func asked(m *ollama.Model, top int) ollama.Query {
	q := ollama.Query{Prompt: question, Params: greedy(1), Top: top}
	if !m.Info().Chats() {
		q.Spelled = question.String()
	}
	return q
}

// refused adds a check that an error stands for.
func (e *examination) refused(model, name string, err error, meaning string) {
	e.add(check(model, name, err, meaning))
}

// check is what an error stands for.
func check(model, name string, err error, meaning string) Check {
	c := Check{Name: name, Model: model, State: Failed, Found: err.Error(), Meaning: meaning, Fix: "look into the server's log"}
	var missing *ollama.MissingModelError
	var cloud *ollama.CloudModelError
	var call *ollama.CallError
	var cannot *ollama.ModelError
	switch {
	case errors.As(err, &cannot):
		c.Found, c.Fix = cannot.Text, cannot.Fix
	case errors.As(err, &missing):
		c.State, c.Found, c.Fix = Missing, "the server does not have it", "ollama pull "+missing.Model
	case errors.As(err, &cloud):
		c.Found, c.Fix = "it runs at "+cloud.Remote, "name a local model, or allow cloud models in the profile"
	case errors.As(err, &call) && call.Fix != "":
		c.Found, c.Fix = call.Text, call.Fix
	}
	return c
}

func (e *examination) capabilities(info ollama.Info, can []backend.Capability) {
	c := Check{Name: Capabilities, Model: info.Name, State: OK,
		Found: fmt.Sprintf("%s (%s %s, context %d, digest %.12s)", strings.Join(info.Abilities, ", "), info.Size, info.Quantization, info.Context, info.Digest)}
	switch {
	case slices.Contains(can, backend.Sampling) && !info.Chats():
		c.Meaning = "it has no template for chats and reads a prompt as it stands: generator or solver if verge pretrain made it for the domain, else in no role that is sampled"
	case slices.Contains(can, backend.Sampling):
		c.Meaning = "generator, solver or judge: yes; through the server it stays frozen, so that a generator is steered by policy.kind = \"context\", and no activations are read; backend = \"engine\" with model = \"ollama:TAG\" trains and reads its file here"
		if info.Thinks() {
			c.Meaning += "; it can think, which is off unless the role turns it on, and then counts against max_tokens"
		}
	case slices.Contains(can, backend.Embeddings):
		c.Meaning = "it cannot be generator, solver or judge; an embedding probe can read it"
	default:
		c.State, c.Meaning, c.Fix = Missing, "it can take no role", "name a model that lists completion or embedding among its capabilities"
	}
	e.add(c)
}

func (e *examination) reply(m *ollama.Model) bool {
	began := time.Now()
	a, err := m.Ask(e.ctx, asked(m, 0))
	var call *ollama.CallError
	blank := errors.As(err, &call) && call.Outcome == ollama.Empty && a.Metrics.EvalCount == 1 // a reply may begin with a line break
	if err != nil && !blank {
		e.refused(m.Info().Name, Reply, err, "it cannot be generator, solver or judge")
		return false
	}
	e.add(Check{Name: Reply, Model: m.Info().Name, State: OK,
		Found:   fmt.Sprintf("a token after %v, of it %v of loading", time.Since(began).Round(time.Millisecond), a.Metrics.LoadDuration.Round(time.Millisecond)),
		Meaning: "it replies"})
	return true
}

func (e *examination) schema(m *ollama.Model) {
	s, err := m.Structured(e.ctx, question, verdict, greedy(128), 1)
	if err != nil {
		c := check(m.Info().Name, Schema, err, "it does not keep to a schema; no role asks for one yet, so that nothing is lost")
		if outcome := (*ollama.CallError)(nil); errors.As(err, &outcome) && outcome.Outcome == ollama.SchemaFailure {
			c.Fix = "nothing that this version needs; larger models keep to schemas more often"
		}
		e.add(c)
		return
	}
	found := "followed at once"
	if s.Repaired {
		found = "followed after one repair"
	}
	e.add(Check{Name: Schema, Model: m.Info().Name, State: OK, Found: found, Meaning: "it keeps to a schema; no role asks for one yet"})
}

func (e *examination) logprobs(m *ollama.Model, can []backend.Capability) {
	const without = `no weights that are trained here can be sampled there (policy.sampler = "ollama")`
	c := Check{Name: Logprobs, Model: m.Info().Name, State: OK,
		Meaning: `weights that are trained here can be sampled there (policy.sampler = "ollama"); that labels can be read from them is something that no role does yet`}
	if !slices.Contains(can, backend.Logprobs) {
		c.State, c.Found, c.Fix = Missing, "not in version "+m.Info().Server, "update Ollama to 0.12.11 or later"
		c.Meaning = without
		e.add(c)
		return
	}
	if !m.Info().Chats() {
		a, err := m.Ask(e.ctx, asked(m, 1))
		switch {
		case err != nil:
			e.refused(m.Info().Name, Logprobs, err, without)
			return
		case len(a.Logprobs) == 0 && a.Metrics.EvalCount > 0 && a.Text != "":
			c.State, c.Found, c.Meaning, c.Fix = Failed, "a token came without", without, "update Ollama to 0.12.11 or later"
		default:
			c.Found, c.Meaning = "they come with the tokens", `weights that are trained here can be sampled there (policy.sampler = "ollama")`
		}
		e.add(c)
		return
	}
	choice, err := m.Choose(e.ctx, question, []string{"Yes", "No"})
	if err != nil {
		e.refused(m.Info().Name, Logprobs, err, without)
		return
	}
	if choice.Mass == 0 {
		c.State, c.Found = Failed, "they come, and neither Yes nor No, which it was asked for, is among the 20 likeliest first tokens"
		c.Fix = "nothing for policy.sampler; to read labels of it, name a model that does what it is told"
	} else {
		c.Found = fmt.Sprintf("Yes %.2f, No %.2f, which together have %.2g of all probability", choice.Probabilities[0], choice.Probabilities[1], choice.Mass)
	}
	e.add(c)
}

func (e *examination) embedding(m *ollama.Model) {
	vectors, err := m.Embed(e.ctx, []prompt.Prompt{question})
	var cannot *ollama.ModelError
	switch {
	case errors.As(err, &cannot):
		e.add(Check{Name: Embedding, Model: m.Info().Name, State: Missing, Found: cannot.Text, Meaning: "an " + ollama.EmbeddingProbe + " cannot read it", Fix: cannot.Fix})
	case err != nil:
		e.refused(m.Info().Name, Embedding, err, "an "+ollama.EmbeddingProbe+" cannot read it")
	default:
		e.add(Check{Name: Embedding, Model: m.Info().Name, State: OK, Found: fmt.Sprintf("%d numbers", len(vectors[0])),
			Meaning: "an " + ollama.EmbeddingProbe + " can read it, where no reference on the engine is at hand"})
	}
}

func (e *examination) gpu(m *ollama.Model) {
	c := Check{Name: GPU, Model: m.Info().Name, State: OK, Meaning: "it runs on the GPU alone"}
	p, loaded, err := m.Placement(e.ctx)
	switch {
	case err != nil:
		e.refused(m.Info().Name, GPU, err, "where the model runs is unknown")
		return
	case !loaded:
		c.State, c.Found, c.Meaning, c.Fix = Failed, "the server has unloaded it already", "other models push it out of memory", "use fewer or smaller models, or raise the server's OLLAMA_MAX_LOADED_MODELS"
	default:
		share := p.Share()
		c.Found = fmt.Sprintf("%.0f %% of %d MB in its memory", 100*share, p.Size/1e6)
		switch {
		case share == 0:
			c.Meaning = "it runs on the processor alone, which is slower than a GPU"
		case share < 0.99:
			c.Meaning, c.Fix = "part of it runs on the processor, which slows all of it", "use a smaller model or quantisation, or a smaller context"
		}
	}
	e.add(c)
}

// parallel compares two calls at a time with one, where the client makes two.
func (e *examination) parallel(m *ollama.Model) {
	if e.client.Concurrency() == 1 {
		e.add(Check{Name: Parallel, Model: m.Info().Name, State: OK, Found: "not looked at: calls are made one at a time (ollama.concurrency = 1)",
			Meaning: "how many the server would serve at a time does not matter here"})
		return
	}
	const tokens = 24
	ask := func(seed uint64) error {
		_, err := m.Ask(e.ctx, ollama.Query{Prompt: counting, Params: greedy(tokens), Seed: seed})
		return err
	}
	timed := func(calls int) (time.Duration, error) {
		var g errgroup.Group
		began := time.Now()
		for seed := range calls {
			g.Go(func() error { return ask(uint64(seed)) })
		}
		err := g.Wait()
		return time.Since(began), err
	}
	if err := ask(0); err != nil { // the prompt is read once, whatever comes after
		e.refused(m.Info().Name, Parallel, err, "how many calls it serves at a time is unknown")
		return
	}
	one, err := timed(1)
	if err == nil {
		var two time.Duration
		if two, err = timed(2); err == nil {
			e.add(parallelism(m.Info().Name, float64(two)/math.Max(float64(one), 1)))
			return
		}
	}
	e.refused(m.Info().Name, Parallel, err, "how many calls it serves at a time is unknown")
}

// parallelism reads how long two calls took together, in times of one.
func parallelism(model string, times float64) Check {
	c := Check{Name: Parallel, Model: model, State: OK, Found: fmt.Sprintf("two calls took %.1f times as long as one", times)}
	if times < 1.6 {
		c.Meaning = "calls are served side by side"
	} else {
		c.Meaning = "calls are served one after another, or side by side on a processor that one of them fills"
		c.Fix = "where memory allows, start the server with OLLAMA_NUM_PARALLEL=4"
	}
	return c
}
