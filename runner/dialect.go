package runner

import (
	"fmt"
	"maps"
	"slices"

	"verge/domains"
	"verge/domains/math"
	"verge/domains/math/instruct"
	"verge/profiles"
	"verge/runner/recipe"
)

// Domains are the domains by their names in profiles and the dialects that models are spoken to in.
var Domains = map[string]map[domains.Dialect]domains.Domain{
	"math": {domains.Compact: math.Domain{}, domains.Instruct: instruct.Domain{}},
}

// Corpora are the domains that make text for verge pretrain, in a fixed order.
func Corpora() []domains.Corpus {
	var all []domains.Corpus
	for _, name := range slices.Sorted(maps.Keys(Domains)) {
		if c, ok := Domains[name][domains.Compact].(domains.Corpus); ok {
			all = append(all, c)
		}
	}
	return all
}

// controlsOf are the control tokens of a domain's compact dialect.
func controlsOf(domain string) []string {
	if c, ok := Domains[domain][domains.Compact].(domains.Corpus); ok {
		return c.Controls()
	}
	return nil
}

func resolve(p *profiles.Profile) (recipe.Recipe, error) {
	r, ok := recipe.All[p.Run.Recipe]
	if !ok {
		return nil, refuse("run.recipe = %q: this version has no such recipe", p.Run.Recipe)
	}
	if _, ok := Domains[p.Run.Domain]; !ok {
		return nil, refuse("run.domain = %q: this version has no such domain", p.Run.Domain)
	}
	return r, nil
}

// agree holds a model to the dialect of the roles before it: what one writes the others have to read.
func (b *binder) agree(role, keys string, c candidate) error {
	if b.dialect == "" {
		d, ok := Domains[b.p.Run.Domain][c.speaks]
		if !ok {
			return b.p.Refuse(key(keys, "model"), fmt.Sprintf("it %s, and domain %s has no such dialect", manner(c.speaks), b.p.Run.Domain), "a model of the other kind")
		}
		b.dialect, b.domain = c.speaks, d
		return recipe.Suits(b.p, d)
	}
	if c.speaks != b.dialect {
		fix := `a model that verge pretrain made for this domain, such as "micro"`
		if b.dialect == domains.Instruct {
			fix = fmt.Sprintf("a model that follows instructions: a server's by backend = %q, or its file by model = %q", profiles.OllamaBackend, profiles.Tagged+"TAG")
		}
		return b.p.Refuse(key(keys, "model"), fmt.Sprintf("%s, the %s, %s, and the generator %s: they cannot read each other", c.name, role, manner(c.speaks), manner(b.dialect)), fix)
	}
	return nil
}

// manner is how models of a dialect are spoken to.
func manner(d domains.Dialect) string {
	if d == domains.Compact {
		return "reads control tokens"
	}
	return "follows instructions"
}
