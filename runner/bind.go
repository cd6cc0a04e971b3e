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
	return r, d, nil
}

// models are a profile's bound roles.
type models struct {
	generator, solver *local.Model
	transfer          *local.Model // nil where no arm trains it
}

// bind loads the roles' models, each once, after checking that their backends can do what the recipe needs.
func bind(p *profiles.Profile, needs map[string][]backend.Capability) (models, error) {
	var m models
	loaded := map[string]*local.Model{}
	type binding struct {
		name string
		role profiles.Binding
		to   **local.Model
	}
	roles := []binding{{"generator", p.Roles.Generator, &m.generator}, {"solver", p.Roles.Solver.Binding, &m.solver}}
	if slices.Contains(p.Run.Arms, recipe.ColdTransfer) {
		roles = append(roles, binding{"transfer", p.Roles.Transfer, &m.transfer})
	}
	for _, role := range roles {
		for _, need := range needs[role.name] {
			if !slices.Contains(capabilities[role.role.Backend], need) {
				return m, refuse("roles.%s.backend = %q cannot %q, which recipe %s needs of its %s; use backend \"engine\"",
					role.name, role.role.Backend, need, p.Run.Recipe, role.name)
			}
		}
		name := role.role.Model
		if loaded[name] == nil {
			base, err := load(name)
			if err != nil {
				return m, refuse("roles.%s.model = %q: %v", role.name, name, err)
			}
			if loaded[name], err = local.New(base, name); err != nil {
				return m, err
			}
		}
		*role.to = loaded[name]
	}
	for _, role := range roles {
		if err := fits(p, role.name, role.role, *role.to, needs[role.name]); err != nil {
			return m, err
		}
	}
	if layers := m.generator.Layers(); int(p.Probe.Layer) > layers {
		return m, p.Refuse("probe.layer", fmt.Sprintf("%s has layers 0 (embeddings) to %d", p.Roles.Generator.Model, layers), `one of these, or "auto"`)
	}
	return m, nil
}

// fits says what a role's model lacks for what the profile asks of it.
func fits(p *profiles.Profile, role string, b profiles.Binding, m *local.Model, needs []backend.Capability) error {
	base := m.Base()
	if b.MaxTokens >= base.Context {
		return p.Refuse("roles."+role+".max_tokens", fmt.Sprintf("%s has a context of %d tokens for prompt and reply", b.Model, base.Context), "less than that")
	}
	if c, ok := Domains[p.Run.Domain].(domains.Corpus); ok {
		for _, name := range c.Controls() {
			if _, known := base.Tokenizer.Control(name); !known {
				return p.Refuse("roles."+role+".model", fmt.Sprintf("its vocabulary has no token <|%s|>, which domain %s writes", name, p.Run.Domain),
					"a model that verge pretrain made for this domain")
			}
		}
	}
	if slices.Contains(needs, backend.Training) {
		if _, err := engine.NewAdapter(base, p.Policy.Rank, float32(p.Policy.Alpha), p.Policy.Targets, 0); err != nil {
			return p.Refuse("policy.rank", err.Error(), "a smaller rank, or other policy.targets")
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

func (models) identity(role string, m *local.Model) event.Model {
	id := m.Identity()
	name := id.Name
	if v := m.Base().Version; (name == profiles.Micro || name == profiles.MicroB) && v != "" {
		name += "-" + v
	}
	return event.Model{Role: role, Backend: id.Backend, Name: name, Digest: id.Digest}
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
