package profiles

import (
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/agnivade/levenshtein"
)

// field is a key and where its value lives in a profile.
type field struct {
	key   string
	value any // pointer
}

// fields lists every key of the schema, in the order of the structs.
func fields(p *Profile) []field {
	return append(tableFields("", reflect.ValueOf(p).Elem()), tableFields("sweep.", reflect.ValueOf(&p.Sweep).Elem())...)
}

// marshaler marks the structs that are one value and not a table.
var marshaler = reflect.TypeFor[toml.Marshaler]()

func tableFields(prefix string, table reflect.Value) []field {
	var list []field
	for i := range table.NumField() {
		f, v := table.Type().Field(i), table.Field(i)
		tag := f.Tag.Get("toml")
		switch {
		case f.Anonymous:
			list = append(list, tableFields(prefix, v)...)
		case tag == "" || tag == "-":
		case f.Type.Kind() == reflect.Struct && !f.Type.Implements(marshaler):
			list = append(list, tableFields(prefix+tag+".", v)...)
		default:
			list = append(list, field{prefix + tag, v.Addr().Interface()})
		}
	}
	return list
}

// keys has a pointer of the type of every key's value; tables has every table's first key.
var keys, tables = names()

func names() (keys map[string]any, tables map[string]string) {
	keys, tables = map[string]any{}, map[string]string{}
	for _, f := range fields(new(Profile)) {
		keys[f.key] = f.value
		for i := strings.LastIndexByte(f.key, '.'); i > 0; i = strings.LastIndexByte(f.key[:i], '.') {
			if _, ok := tables[f.key[:i]]; !ok {
				tables[f.key[:i]] = f.key
			}
		}
	}
	tables[axesKey] = `"policy.kl" = [0, 0.1]`
	return keys, tables
}

// nearest is the name that a user most likely meant. The last part counts most: a key is often right and its table wrong or left out.
func nearest[V any](name string, names map[string]V) string {
	table, last := split(strings.ReplaceAll(name, `"`, ""))
	best, least := "", -1
	for n := range names {
		t, l := split(n)
		d := min(levenshtein.ComputeDistance(table, t), 5)
		if strings.HasPrefix(l, last) {
			d += min(len(l)-len(last), 2) // an abbreviation
		} else {
			d += 2 * levenshtein.ComputeDistance(last, l)
		}
		if least < 0 || d < least || d == least && n < best {
			best, least = n, d
		}
	}
	return best
}

func split(key string) (table, last string) {
	i := strings.LastIndexByte(key, '.')
	return key[:max(i, 0)], key[i+1:]
}
