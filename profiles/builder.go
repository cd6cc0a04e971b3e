package profiles

import (
	"reflect"
	"strings"
)

// builder lays layers of entries over a profile, which holds allowed values at any time.
type builder struct {
	profile *Profile
	layers  int
	raw     map[string]any // the last value of every key that was set, as TOML has it
	errs    []error
	faulty  map[string]bool // keys with a value that is not allowed
}

func newBuilder(p *Profile) *builder {
	p.origins = map[string]origin{}
	return &builder{profile: p, raw: map[string]any{}, faulty: map[string]bool{}}
}

// layer overrides the profile with entries.
func (b *builder) layer(entries []entry) {
	b.layers++
	places := map[string]any{}
	for _, f := range fields(b.profile) {
		places[f.key] = f.value
	}
	for _, e := range entries {
		if e.err != nil {
			b.errs = append(b.errs, e.err)
			continue
		}
		if strings.HasPrefix(e.key, axesKey+".") {
			b.axis(e)
			continue
		}
		b.profile.origins[e.key] = origin{e.place, e.text, b.layers}
		b.raw[e.key] = e.value
		problem := store(places[e.key], e.value, rules[e.key])
		b.faulty[e.key] = problem != ""
		if problem != "" {
			b.errs = append(b.errs, b.profile.Refuse(e.key, problem, "allowed: "+rules[e.key].allowed))
		}
	}
}

// store puts a value where field points, unless its type or the rule forbids it. It returns what is wrong, or "".
func store(field, value any, r rule) (problem string) {
	v := reflect.New(reflect.TypeOf(field).Elem())
	if problem := convert(v.Interface(), value); problem != "" {
		return problem
	}
	if !r.holds(v.Elem().Interface()) {
		return r.problem
	}
	reflect.ValueOf(field).Elem().Set(v.Elem())
	return ""
}

// snapRates makes fractions of bounds that were written as decimals. It needs the final number of attempts, so it comes last.
func (b *builder) snapRates() {
	t := &b.profile.Target
	for key, bound := range map[string]*Rate{"target.low": &t.Low, "target.high": &t.High} {
		if _, ok := b.raw[key].(float64); ok {
			*bound = bound.snap(t.Attempts)
		}
	}
}
