package edit

import (
	"errors"
	"slices"
	"strings"

	"verge/profiles"
)

// values is a profile with some of its keys changed. As on the command line, a change is a KEY=VALUE over the profile.
type values struct {
	name    string            // by which the profile is loaded
	start   map[string]string // the profile's own values by key, as TOML
	changes []change

	result *profiles.Profile // with the changes; nil when they are not allowed
	wrong  map[string]string // what is wrong about a key, and how to mend it
	others []string          // what is wrong besides
}

type change struct{ key, text string }

// with is the values with one key changed to a text as --set takes it.
func (v values) with(key, text string) values {
	v.changes = slices.Clone(v.changes)
	i := slices.IndexFunc(v.changes, func(c change) bool { return c.key == key })
	if i < 0 {
		i = len(v.changes)
		v.changes = append(v.changes, change{key: key})
	}
	v.changes[i].text = text
	v.check()
	if v.result != nil && v.result.Value(key) == v.start[key] {
		return v.without(key)
	}
	return v
}

// without is the values with one key as it is in the profile.
func (v values) without(key string) values {
	v.changes = slices.DeleteFunc(slices.Clone(v.changes), func(c change) bool { return c.key == key })
	v.check()
	return v
}

// check loads the profile with the changes.
func (v *values) check() {
	v.wrong, v.others = map[string]string{}, nil
	var err error
	if v.result, err = profiles.Load(v.name, v.sets()); err != nil {
		v.blame(err)
	}
}

// blame finds the keys that errors are about.
func (v *values) blame(err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			v.blame(e)
		}
		return
	}
	e, ok := errors.AsType[*profiles.Error](err)
	if !ok || e.Key == "" {
		v.others = append(v.others, err.Error())
		return
	}
	v.wrong[e.Key] = e.Problem + "; " + e.Fix
}

func (v *values) sets() []string {
	var sets []string
	for _, c := range v.changes {
		sets = append(sets, c.key+"="+c.text)
	}
	return sets
}

// typed is the text that a key was changed to.
func (v *values) typed(key string) (string, bool) {
	for _, c := range v.changes {
		if c.key == key {
			return c.text, true
		}
	}
	return "", false
}

// text is a key's value as --set takes it.
func (v *values) text(key string) string {
	if s, ok := v.typed(key); ok {
		return s
	}
	return profiles.Plain(v.start[key])
}

// faults is all that is wrong, in a stable order.
func (v *values) faults() []string {
	var out []string
	for key, problem := range v.wrong {
		out = append(out, key+": "+problem)
	}
	slices.Sort(out)
	return append(out, v.others...)
}

// command is the command line that does the same: what comes before the profile, "verge run" for one.
func (v *values) command(verb string) string {
	parts := []string{"verge", verb, quote(v.name)}
	for _, set := range v.sets() {
		parts = append(parts, "--set", quote(set))
	}
	return strings.Join(parts, " ")
}

// quote writes an argument for a shell.
func quote(s string) string {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"
	if s != "" && strings.Trim(s, safe) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
