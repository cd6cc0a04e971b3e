package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"verge/domains"
	"verge/probes"
	"verge/profiles"
	"verge/runner/backend"
	"verge/runner/backend/local"
	"verge/runner/backend/ollama"
	"verge/runner/lab"
	"verge/runner/recipe"
)

// models are a profile's bound roles, all spoken to in one dialect; those that no arm of the profile uses are nil.
type models struct {
	domain    domains.Domain // in that dialect
	dialect   domains.Dialect
	generator backend.Model
	solver    backend.Model
	transfer  backend.Model
	oracles   []lab.Oracle // that have to agree on answers that cannot be computed: the profile's, or its judge
	reference reader
	servers   *servers
	hosting   map[string]hosting // by role, where a server samples models of this process
}

// reader is a model that a probe reads tasks with.
type reader interface {
	backend.Model
	probes.Reader
}

// candidate is a model that may take a role: one in this process, or one behind a server.
type candidate struct {
	name   string // as the profile has it
	can    []backend.Capability
	speaks domains.Dialect
	local  *local.Model
	served *ollama.Model
}

// binder binds a profile's roles. What it refuses is an error about the profile's keys, before anything is written.
type binder struct {
	ctx    context.Context
	p      *profiles.Profile
	needs  map[string][]backend.Capability
	loaded map[fileKey]*local.Model
	models
}

// bind opens the models of the roles that a recipe needs, each once, after checking that their backends can do what it needs of them.
func bind(ctx context.Context, p *profiles.Profile, r recipe.Recipe) (models, error) {
	b := &binder{ctx: ctx, p: p, needs: r.Needs(p), loaded: map[fileKey]*local.Model{}, models: models{servers: newServers(p.Ollama), hosting: map[string]hosting{}}}
	err := b.bind()
	if err != nil {
		b.servers.close()
	}
	return b.models, err
}

func (b *binder) bind() error {
	roles := b.p.Roles
	for _, role := range []struct {
		name string
		as   profiles.Binding
		to   *backend.Model
	}{{"generator", roles.Generator, &b.generator}, {"solver", roles.Solver.Binding, &b.solver}, {"transfer", roles.Transfer, &b.transfer}} {
		if b.needs[role.name] == nil {
			continue
		}
		var err error
		if *role.to, err = b.sampled(role.name, "roles."+role.name+".", role.as, b.needs[role.name]); err != nil {
			return err
		}
	}
	if err := b.bindOracles(); err != nil {
		return err
	}
	if b.needs["reference"] == nil {
		return nil
	}
	return b.bindReference()
}

// sampled binds a role whose model is sampled. keys are how the profile's keys of the role begin.
func (b *binder) sampled(role, keys string, as profiles.Binding, needs []backend.Capability) (backend.Model, error) {
	c, err := b.open(role, keys, profiles.Reader{Backend: as.Backend, Model: as.Model, Served: as.Served, Template: as.Template}, as.Think, needs)
	if err != nil {
		return nil, err
	}
	if c.served != nil {
		return c.served.As(role), nil
	}
	if err := b.fits(keys, as, c.local, needs); err != nil {
		return nil, err
	}
	if b.p.Policy.Sampler == profiles.OllamaBackend && (role == "generator" || role == "transfer") {
		return c.local, b.host(role, as, c.local)
	}
	return c.local, nil
}

// bindOracles binds what answers tasks that have no exact answer, in a domain that has such.
func (b *binder) bindOracles() error {
	if _, ok := b.domain.(domains.Oracled); !ok {
		return nil
	}
	type role struct {
		name, keys string
		as         profiles.Binding
	}
	roles := []role{{"judge", "roles.judge.", b.p.Roles.Judge}}
	if len(b.p.Roles.Oracles) > 0 {
		roles = nil
	}
	for i, as := range b.p.Roles.Oracles {
		roles = append(roles, role{profiles.OracleRole(i), "roles.oracles", as})
	}
	for _, r := range roles {
		m, err := b.sampled(r.name, r.keys, r.as, []backend.Capability{backend.Sampling})
		if err != nil {
			return err
		}
		b.oracles = append(b.oracles, lab.Oracle{Model: m, Params: params(r.as), Dialect: b.dialect})
	}
	return nil
}

// bindReference binds the model that probes read: the activations of one in this process, or the embeddings of one behind a server.
func (b *binder) bindReference() error {
	as := b.p.Roles.Reads()
	c, err := b.open("reference", "roles.reference.", as, "", readBy(as.Backend, b.needs["reference"]))
	if err != nil {
		return err
	}
	if c.served != nil {
		if err := embeddable(b.p); err != nil {
			return err
		}
		if room, task := c.served.Context(), b.p.Roles.Generator.MaxTokens; room < task {
			return b.p.Refuse("roles.reference.context", fmt.Sprintf("a task may have %d tokens, and one that does not fit %d cannot be read", task, room),
				"a larger context, another embedding model, or fewer roles.generator.max_tokens")
		}
		r, err := c.served.NewReader()
		if err != nil {
			return b.refuse("roles.reference.", as, err)
		}
		b.reference = r
		return nil
	}
	if layers := c.local.Layers(); int(b.p.Probe.Layer) > layers {
		return b.p.Refuse("probe.layer", fmt.Sprintf("%s has layers 0 (embeddings) to %d", as.Model, layers), `one of these, or "auto"`)
	}
	b.reference = c.local
	return nil
}

// readBy is what a probe needs of a model of a backend: a server gives embeddings in the place of activations.
func readBy(of string, needs []backend.Capability) []backend.Capability {
	needs = slices.Clone(needs)
	if i := slices.Index(needs, backend.Activations); i >= 0 && of == profiles.OllamaBackend {
		needs[i] = backend.Embeddings
	}
	return needs
}

// might is what some model of a backend can.
func might(of string) []backend.Capability {
	if of == profiles.OllamaBackend {
		return []backend.Capability{backend.Sampling, backend.Logprobs, backend.Embeddings}
	}
	return []backend.Capability{backend.Sampling, backend.Logprobs, backend.Activations, backend.Training}
}

// embeddable refuses a probe that asks for more than one vector of each task.
func embeddable(p *profiles.Profile) error {
	const fix = `roles.reference.backend = "engine", whose activations can be read so; or `
	switch {
	case p.Probe.Layer != profiles.AutoLayer:
		return p.Refuse("probe.layer", "a server's embedding has no layers", fix+`probe.layer = "auto"`)
	case p.Probe.Pooling != "auto":
		return p.Refuse("probe.pooling", "a server's embedding is one vector, which nothing is left to pool of", fix+`probe.pooling = "auto"`)
	case p.Probe.Kind == string(probes.KindAttention):
		return p.Refuse("probe.kind", "a server's embedding has no tokens to attend to", fix+`probe.kind = "linear"`)
	}
	return nil
}

// open opens a role's model, holds it to what is needed of it, and to the dialect of the roles before it.
func (b *binder) open(role, keys string, as profiles.Reader, think profiles.Think, needs []backend.Capability) (candidate, error) {
	open := b.openHere
	if as.Backend == profiles.OllamaBackend {
		open = b.openServed
	}
	if err := b.lacks(role, keys, as, might(as.Backend), needs); err != nil { // before a server is asked, or a file read
		return candidate{}, err
	}
	c, err := open(role, keys, as, think)
	if err != nil {
		return c, err
	}
	if err := b.lacks(role, keys, as, c.can, needs); err != nil {
		return c, err
	}
	return c, b.agree(role, keys, c)
}

// key is a key of a role; of an oracle the list of all of them.
func key(keys, name string) string {
	if strings.HasSuffix(keys, ".") {
		return keys + name
	}
	return keys
}

// refuse is the error of a model that cannot be opened, unless somebody cancelled it.
func (b *binder) refuse(keys string, as profiles.Reader, err error) error {
	if cause := context.Cause(b.ctx); cause != nil {
		return cause
	}
	return refuse("%s = %q: %v", key(keys, "model"), as.Model, err)
}

// lacks refuses a binding that cannot do what is needed of it, with what can.
func (b *binder) lacks(role, keys string, as profiles.Reader, can, needs []backend.Capability) error {
	for _, need := range needs {
		if slices.Contains(can, need) {
			continue
		}
		at, fix := key(keys, "backend"), "another model"
		if role == "reference" && b.p.Roles.Reference.Model == profiles.OfGenerator {
			at = key(keys, "model")
		}
		inProcess := fmt.Sprintf("backend = %q", profiles.EngineBackend)
		if as.Backend == profiles.OllamaBackend {
			inProcess += fmt.Sprintf(" and model = %q, where that server is on this machine", profiles.Tagged+as.Model)
		}
		switch need {
		case backend.Training:
			fix = fmt.Sprintf("policy.kind = %q, which trains what the prompt says, or %s%s", profiles.Context, keys, inProcess)
		case backend.Activations, backend.Embeddings:
			fix = keys + inProcess + ", whose activations can be read; or a model that the server gives embeddings of, such as nomic-embed-text"
		case backend.Sampling:
			fix = "a model that lists completion among its capabilities"
		}
		return b.p.Refuse(at, fmt.Sprintf("%s on backend %q cannot %s, which recipe %s needs of its %s", as.Model, as.Backend, verb(need), b.p.Run.Recipe, role), fix)
	}
	return nil
}

// verb is a capability as what a model does.
func verb(c backend.Capability) string {
	return map[backend.Capability]string{
		backend.Sampling: "reply", backend.Logprobs: "give log-probabilities", backend.Activations: "have its activations read",
		backend.Embeddings: "give embeddings", backend.Training: "be trained",
	}[c]
}

// reads is the reference as a recipe knows it.
func (m models) reads() recipe.Reference {
	r := recipe.Reference{Dialect: m.dialect}
	if m.reference != nil {
		r.Reader, r.Digest = m.reference, m.reference.Identity().Digest
	}
	return r
}
