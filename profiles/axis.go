package profiles

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// axisPlace is the place of an axis of the command line.
const axisPlace = "--axis"

// axes reads the table of axes. A key of the profile is one quoted name, "policy.kl", or tables and a name, policy.kl.
func (r *reader) axes(line int, p toml.Primitive) {
	type placed struct {
		start int
		entry entry
	}
	var found []placed
	var walk func(prefix string, p toml.Primitive)
	walk = func(prefix string, p toml.Primitive) {
		var value any
		if err := r.md.PrimitiveDecode(p, &value); err != nil {
			panic("profiles: decoding into an empty interface failed: " + err.Error())
		}
		if _, isTable := value.(map[string]any); isTable {
			var table map[string]toml.Primitive
			if err := r.md.PrimitiveDecode(p, &table); err != nil {
				panic("profiles: decoding a table failed: " + err.Error())
			}
			for name, child := range table {
				walk(prefix+"."+name, child)
			}
			return
		}
		start, own := r.position(p)
		if own == 0 {
			own = line
		}
		found = append(found, placed{start, entry{key: prefix, value: value, place: at(r.place, own), line: own, text: literal(value)}})
	}
	walk(axesKey, p)
	slices.SortFunc(found, func(a, b placed) int { return a.start - b.start })
	seen := map[string]bool{}
	for _, f := range found {
		if seen[f.entry.key] {
			r.refuse(f.entry.line, f.entry.key, f.entry.value, "the axis is there already", "take one of them out")
			continue
		}
		seen[f.entry.key] = true
		r.found = append(r.found, f.entry)
	}
}

// checkAxis says what is wrong with an axis, and how to mend it, or "".
func checkAxis(key string, value any) (problem, fix string) {
	example, ok := keys[key]
	switch {
	case key == seedKey || strings.HasPrefix(key, "sweep."):
		return "cannot be an axis", "set the seeds with sweep.seeds, or with --seeds"
	case !ok && tables[key] != "":
		return "not a key but a table", "name one of its keys, such as " + tables[key]
	case !ok:
		return "unknown key", "nearest is " + nearest(key, keys)
	}
	values, ok := value.([]any)
	if !ok || len(values) == 0 {
		return "not a list of values", fmt.Sprintf("write at least one in brackets; %s takes %s", key, rules[key].allowed)
	}
	var stored []any
	for i, v := range values {
		field := reflect.New(reflect.TypeOf(example).Elem())
		if problem := store(field.Interface(), v, rules[key]); problem != "" {
			return fmt.Sprintf("value %d, %s: %s", i+1, literal(v), problem), "allowed: " + rules[key].allowed
		}
		same := func(have any) bool { return reflect.DeepEqual(have, field.Elem().Interface()) }
		if slices.ContainsFunc(stored, same) {
			return fmt.Sprintf("value %d, %s, is there already", i+1, literal(v)), "take one of them out"
		}
		stored = append(stored, field.Elem().Interface())
	}
	return "", ""
}

// parseAxis reads one KEY=VALUE,VALUE… of the command line, values as in --set. Lists among them keep their brackets.
func parseAxis(axis string) entry {
	key, text, ok := strings.Cut(axis, "=")
	key = strings.TrimSpace(key)
	switch {
	case !ok:
		return entry{err: &Error{axisPlace, key, text, "no values", "write KEY=VALUE,VALUE,…"}}
	case !utf8.ValidString(axis):
		return entry{err: &Error{axisPlace, key, text, "not UTF-8", "write it in UTF-8"}}
	}
	return entry{key: axesKey + "." + key, value: axisValues(keys[key], strings.TrimSpace(text)), place: axisPlace, text: text}
}

// axisValues reads the text as values of the type that field points to.
func axisValues(field any, text string) []any {
	if _, isText := field.(*string); !isText {
		if list, ok := parseValue("[" + text + "]").([]any); ok {
			return list
		}
	}
	var list []any
	for part := range strings.SplitSeq(text, ",") {
		list = append(list, setValue(field, strings.TrimSpace(part)))
	}
	return list
}
