package profiles

import "slices"

// axesKey is the table of a sweep's axes, whose keys are keys of the profile.
const axesKey = "sweep.axes"

// seedKey is the one key that no axis can have: the seeds of a sweep are its repeats.
const seedKey = "run.seed"

// Sweep is a grid of settings and the seeds that each is repeated with. It is no part of one run: Resolved leaves it out.
type Sweep struct {
	Axes  []Axis `toml:"-"` // in the order of the files, those of --axis last
	Seeds Seeds  `toml:"seeds"`
}

// Axis is one dimension of a sweep: a key of the profile and the values that it takes.
type Axis struct {
	Key    string
	Values []any // as TOML has them: string, int64, float64, bool, []any
	place  string
}

// ForSweep is the profile with axes of the command line, each KEY=VALUE,VALUE…, over its own: one with a key that is an axis already
// replaces it, any other is added. An axis whose key is also fixed by --set is an error.
func (p *Profile) ForSweep(axes []string) (*Profile, error) {
	layers := slices.Clone(p.layers)
	for _, text := range axes {
		layers = append(layers, []entry{parseAxis(text)})
	}
	q, err := build(p.Name, layers)
	if err != nil {
		return nil, err
	}
	for _, a := range q.Sweep.Axes {
		if q.origins[a.Key].place == setPlace {
			return nil, q.Refuse(a.Key, "an axis of the sweep sets it in every cell", "write --axis "+a.Key+"=VALUE instead")
		}
	}
	return q, nil
}

// Cell is the profile of one run of the sweep: values are those of the axes, in their order. Values that do not go together are an error.
func (p *Profile) Cell(values []any, seed uint64) (*Profile, error) {
	var cell []entry
	for i, a := range p.Sweep.Axes {
		cell = append(cell, entry{key: a.Key, value: values[i], place: a.place, text: literal(values[i])})
	}
	cell = append(cell, entry{key: seedKey, value: int64(seed), place: sweepSeeds, text: literal(int64(seed))})
	return build(p.Name, append(slices.Clone(p.layers), cell))
}

// axis sets or replaces an axis.
func (b *builder) axis(e entry) {
	key := e.key[len(axesKey)+1:]
	a := Axis{Key: key, place: e.place}
	problem, fix := checkAxis(key, e.value)
	if problem != "" {
		b.errs = append(b.errs, &Error{e.place, e.key, e.text, problem, fix})
		return
	}
	a.Values = e.value.([]any)
	axes := &b.profile.Sweep.Axes
	if i := slices.IndexFunc(*axes, func(have Axis) bool { return have.Key == key }); i >= 0 {
		(*axes)[i] = a
		return
	}
	*axes = append(*axes, a)
}
