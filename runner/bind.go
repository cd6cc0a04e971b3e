package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"

	"verge/domains"
	"verge/domains/math"
	"verge/probes"
	"verge/profiles"
	"verge/runner/backend"
	"verge/runner/backend/local"
	"verge/runner/engine"
	"verge/runner/event"
	"verge/runner/recipe"
)

// Domains are the domains by their names in profiles.
var Domains = map[string]domains.Domain{
	"math": math.Domain{},
}

// capabilities are what each backend's bindings can be asked.
var capabilities = map[string][]backend.Capability{
	"engine": {backend.Sampling, backend.Logprobs, backend.Activations, backend.Training},
}

func resolve(p *profiles.Profile) (recipe.Recipe, domains.Domain, error) {
	r, ok := recipe.All[p.Run.Recipe]
	if !ok {
		return nil, nil, refuse("run.recipe = %q: this version has no such recipe", p.Run.Recipe)
	}
	d, ok := Domains[p.Run.Domain]
	if !ok {
		return nil, nil, refuse("run.domain = %q: this version has no such domain", p.Run.Domain)
	}
	return r, d, recipe.Suits(p, d)
}

// models are a profile's bound roles; nil where no arm of the profile uses a role.
type models struct {
	generator, solver, transfer bound
	reference                   reader
}

// bound is a model that is sampled, and the dialect it is spoken to in.
type bound struct {
	backend.Model
	dialect domains.Dialect
}

// reader is a model whose activations are read, and the dialect that tasks are rendered in for it.
type reader interface {
	backend.Model
	probes.Reader
}

// bind loads the models of the roles that the recipe needs, each once, after checking that their backends can do what it needs of them.
func bind(p *profiles.Profile, needs map[string][]backend.Capability) (models, error) {
	var m models
	loaded := map[string]*local.Model{}
	open := func(role, in, name string) (*local.Model, error) {
		for _, need := range needs[role] {
			if !slices.Contains(capabilities[in], need) {
				return nil, lacks(p, role, in, need)
			}
		}
		if loaded[name] == nil {
			base, err := load(name)
			if err != nil {
				return nil, refuse("roles.%s.model = %q: %v", role, name, err)
			}
			shown := name
			if embedded := name == profiles.Micro || name == profiles.MicroB; embedded && base.Version != "" {
				shown += "-" + base.Version
			}
			if loaded[name], err = local.New(base, shown); err != nil {
				return nil, err
			}
		}
		return loaded[name], nil
	}
	for _, role := range []struct {
		name string
		as   profiles.Binding
		to   *bound
	}{{"generator", p.Roles.Generator, &m.generator}, {"solver", p.Roles.Solver.Binding, &m.solver}, {"transfer", p.Roles.Transfer, &m.transfer}} {
		if needs[role.name] == nil {
			continue
		}
		model, err := open(role.name, role.as.Backend, role.as.Model)
		if err != nil {
			return m, err
		}
		if err := samples(p, role.name, role.as, model, needs[role.name]); err != nil {
			return m, err
		}
		*role.to = bound{model, domains.Compact}
	}
	if needs["reference"] == nil {
		return m, nil
	}
	as := p.Roles.Reads()
	model, err := open("reference", as.Backend, as.Model)
	if err != nil {
		return m, err
	}
	if err := speaks(p, "reference", model); err != nil {
		return m, err
	}
	if layers := model.Layers(); int(p.Probe.Layer) > layers {
		return m, p.Refuse("probe.layer", fmt.Sprintf("%s has layers 0 (embeddings) to %d", as.Model, layers), `one of these, or "auto"`)
	}
	m.reference = model
	return m, nil
}

// lacks refuses a binding to a backend that cannot do what the recipe needs.
func lacks(p *profiles.Profile, role, in string, need backend.Capability) error {
	if role == "reference" && p.Roles.Reference.Model == profiles.OfGenerator {
		return p.Refuse("roles.reference.model", fmt.Sprintf("backend %q of the generator cannot %q", in, need), `a model that backend "engine" reads`)
	}
	return p.Refuse("roles."+role+".backend", fmt.Sprintf("it cannot %q, which recipe %s needs of its %s", need, p.Run.Recipe, role), `backend "engine"`)
}

// samples refuses a model that cannot be sampled, or trained, as the profile asks.
func samples(p *profiles.Profile, role string, b profiles.Binding, m *local.Model, needs []backend.Capability) error {
	base := m.Base()
	if b.MaxTokens >= base.Context {
		return p.Refuse("roles."+role+".max_tokens", fmt.Sprintf("%s has a context of %d tokens for prompt and reply", b.Model, base.Context), "less than that")
	}
	if err := speaks(p, role, m); err != nil {
		return err
	}
	if slices.Contains(needs, backend.Training) {
		if _, err := engine.NewAdapter(base, p.Policy.Rank, float32(p.Policy.Alpha), p.Policy.Targets, 0); err != nil {
			return p.Refuse("policy.rank", err.Error(), "a smaller rank, or other policy.targets")
		}
	}
	return nil
}

// speaks refuses a model that lacks the control tokens of the domain's compact dialect.
func speaks(p *profiles.Profile, role string, m *local.Model) error {
	c, ok := Domains[p.Run.Domain].(domains.Corpus)
	if !ok {
		return nil
	}
	for _, name := range c.Controls() {
		if _, known := m.Base().Tokenizer.Control(name); !known {
			return p.Refuse("roles."+role+".model", fmt.Sprintf("its vocabulary has no token <|%s|>, which domain %s writes", name, p.Run.Domain),
				"a model that verge pretrain made for this domain")
		}
	}
	return nil
}

func load(name string) (*engine.Model, error) {
	switch name {
	case profiles.Micro:
		return engine.Micro()
	case profiles.MicroB:
		return engine.MicroB()
	}
	m, err := engine.OpenModel(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("there is no such file; name a .gguf file, or \"micro\" or \"micro-b\" for an embedded model")
	}
	return m, err
}

// reads is the reference as a recipe knows it.
func (m models) reads() recipe.Reference {
	r := recipe.Reference{Dialect: domains.Compact}
	if m.reference != nil {
		r.Reader, r.Digest = m.reference, m.reference.Identity().Digest
	}
	return r
}

// provenance lists the bound models.
func (m models) provenance() []event.Model {
	list := []event.Model{identity("generator", m.generator.Model), identity("solver", m.solver.Model)}
	if m.reference != nil {
		list = append(list, identity("reference", m.reference))
	}
	if m.transfer.Model != nil {
		list = append(list, identity("transfer", m.transfer.Model))
	}
	return list
}

func identity(role string, m backend.Model) event.Model {
	id := m.Identity()
	return event.Model{Role: role, Backend: id.Backend, Name: id.Name, Digest: id.Digest}
}

// Version is the version of this binary: the module's, with the revision it was built from where that is known.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	version := strings.Trim(info.Main.Version, "()")
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 && !strings.Contains(version, s.Value[:12]) {
			version += " " + s.Value[:12]
		}
	}
	return version
}

// Corpora are the domains that make text for verge pretrain, in a fixed order.
func Corpora() []domains.Corpus { return []domains.Corpus{math.Domain{}} }
