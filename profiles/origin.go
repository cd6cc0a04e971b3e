package profiles

// origin is where a value was set.
type origin struct {
	place string
	text  string // of the value
	layer int    // later layers override earlier ones; defaults are layer 0
}

// Refuse is an error about the value of a key, at the place where it was set: for what only the reader of a profile can know, such as
// that a model file does not exist.
func (p *Profile) Refuse(key, problem, fix string) *Error {
	o, ok := p.origins[key]
	if !ok {
		o = origin{place: "default", text: p.text(key)}
	}
	return &Error{Place: o.place, Key: key, Value: o.text, Problem: problem, Fix: fix}
}

// latest is the key that was set last, the first of those set in one layer.
func (p *Profile) latest(keys []string) string {
	last := keys[0]
	for _, k := range keys[1:] {
		if p.origins[k].layer > p.origins[last].layer {
			last = k
		}
	}
	return last
}

// text is the value of a key as TOML, "" of a key that does not exist.
func (p *Profile) text(key string) string {
	for _, f := range fields(p) {
		if f.key == key {
			return literal(f.value)
		}
	}
	return ""
}
