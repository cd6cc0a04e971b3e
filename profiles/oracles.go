package profiles

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Oracles are models that answer tasks whose answer cannot be computed.
type Oracles []Binding

// aRole is the role whose rules the members of a list of bindings follow.
const aRole = "roles.generator."

// MarshalTOML writes the list on one line.
func (o Oracles) MarshalTOML() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('[')
	for i := range o {
		if i > 0 {
			b.WriteString(", ")
		}
		for j, f := range tableFields("", reflect.ValueOf(&o[i]).Elem()) {
			b.WriteString(map[bool]string{true: "{", false: ", "}[j == 0])
			fmt.Fprintf(&b, "%s = %s", f.key, element(f.value))
		}
		b.WriteByte('}')
	}
	b.WriteByte(']')
	return b.Bytes(), nil
}

// asOracles reads a list of tables, each over the defaults of a binding; the error names the member and the key.
func asOracles(v any) (Oracles, error) {
	tables, ok := v.([]map[string]any)
	if list, isList := v.([]any); isList {
		ok = true
		for _, x := range list {
			table, isTable := x.(map[string]any)
			ok = ok && isTable
			tables = append(tables, table)
		}
	}
	if !ok {
		return nil, fmt.Errorf("not a list of tables")
	}
	oracles := make(Oracles, len(tables))
	for i, table := range tables {
		oracles[i] = binding(Micro)
		var known []string
		set := map[string]any{}
		for _, f := range tableFields("", reflect.ValueOf(&oracles[i]).Elem()) {
			known = append(known, f.key)
			set[f.key] = f.value
		}
		for _, key := range slices.Sorted(maps.Keys(table)) {
			if !slices.Contains(known, key) {
				return nil, fmt.Errorf("number %d has an unknown key %s; its keys are %s", i+1, key, strings.Join(known, ", "))
			}
			r := rules[aRole+key]
			if problem := store(set[key], table[key], r); problem != "" {
				return nil, fmt.Errorf("number %d: %s = %s: %s, allowed: %s", i+1, key, literal(table[key]), problem, r.allowed)
			}
		}
	}
	return oracles, nil
}
