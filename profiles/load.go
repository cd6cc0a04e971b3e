package profiles

import (
	"errors"
	"path/filepath"
	"strings"
)

// Load reads the profile that is embedded under a name, or a file when nameOrPath contains a separator or ends in .toml.
//
// A file may name another profile, embedded or a file relative to its own, in the key extends, and overrides it: tables are merged, all
// else is replaced. Below everything lie the values of Default; above everything each KEY=VALUE of sets, in order.
// The error joins one *Error for each thing that is wrong.
func Load(nameOrPath string, sets []string) (*Profile, error) {
	s, problem, fix := open(nameOrPath, "")
	if problem != "" {
		return nil, &Error{Place: nameOrPath, Problem: problem, Fix: fix}
	}
	return assemble(s, sets)
}

// Parse is Load of a profile that is at hand as text, such as the one a run recorded. path is how errors name it and where relative
// paths start; the file need not exist.
func Parse(path, text string, sets []string) (*Profile, error) {
	return assemble(source{place: path, text: text, dir: filepath.Dir(path)}, sets)
}

// assemble lays a profile, those it extends and sets over one another.
func assemble(s source, sets []string) (*Profile, error) {
	documents, err := chain(s)
	if err != nil {
		return nil, err
	}
	var layers [][]entry
	for _, d := range documents {
		layers = append(layers, d.entries)
	}
	for _, set := range sets {
		layers = append(layers, []entry{parseSet(set)})
	}
	return build(strings.TrimSuffix(filepath.Base(s.place), extension), layers)
}

// build lays layers over the defaults.
func build(name string, layers [][]entry) (*Profile, error) {
	p := Default()
	p.Name, p.layers = name, layers
	b := newBuilder(p)
	for _, l := range layers {
		b.layer(l)
	}
	b.snapRates()
	if err := errors.Join(append(b.errs, relations(p, b.faulty)...)...); err != nil {
		return nil, err
	}
	if err := p.Roles.absolute(); err != nil {
		return nil, err
	}
	return p, nil
}

// chain reads a profile and all that it extends, the one that extends nothing first.
func chain(s source) ([]*document, error) {
	var documents []*document
	route, seen := []string{s.place}, map[string]bool{s.id: true}
	for {
		d, err := parseDocument(s.place, s.text)
		if err != nil {
			return nil, err
		}
		documents = append([]*document{d}, documents...)
		if d.extends == nil {
			return documents, nil
		}
		e := d.extends
		ref, ok := e.value.(string)
		if !ok {
			return nil, &Error{e.place, e.key, e.text, "not text", "the name of a profile or the path of a file"}
		}
		next, problem, fix := open(ref, s.dir)
		if problem != "" {
			return nil, &Error{e.place, e.key, e.text, problem, fix}
		}
		route = append(route, next.place)
		if seen[next.id] {
			return nil, &Error{e.place, e.key, e.text, "a cycle: " + strings.Join(route, " extends "), "take one of them out"}
		}
		seen[next.id] = true
		s = next
	}
}
