package compare

import (
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"verge/runner/event"
)

// setting is a key whose values differ; "" stands for a key that a side does not have.
type setting struct {
	key    string
	values [2]string
}

// differing are the settings that differ between the sides' runs, and what else they were made with.
func differing(sides [2]side) []setting {
	var all [2]map[string]string
	for i, s := range sides {
		all[i] = map[string]string{}
		if run := s.board.Run; run != nil {
			all[i] = settingsOf(run)
		}
	}
	keys := maps.Clone(all[0])
	maps.Copy(keys, all[1])
	var out []setting
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if a, b := all[0][key], all[1][key]; a != b {
			out = append(out, setting{key, [2]string{a, b}})
		}
	}
	return out
}

// settingsOf is the keys of a run's profile with their values as TOML, the models and the version that it was made with.
func settingsOf(run *event.RunStarted) map[string]string {
	out := map[string]string{"(verge)": run.Provenance.Version}
	for _, m := range run.Provenance.Models {
		out["(model) "+m.Role] = strings.TrimSpace(m.Name + " " + m.Digest)
	}
	var doc map[string]any
	if _, err := toml.Decode(run.Resolved, &doc); err != nil {
		out["(profile)"] = "not TOML: " + err.Error()
		return out
	}
	flatten(out, "", doc)
	return out
}

// flatten writes the values of a table under dotted keys.
func flatten(out map[string]string, prefix string, table map[string]any) {
	for name, v := range table {
		if inner, ok := v.(map[string]any); ok {
			flatten(out, prefix+name+".", inner)
			continue
		}
		text, err := toml.Marshal(map[string]any{"v": v})
		if err != nil {
			panic("compare: a value that came from TOML cannot be written as TOML: " + err.Error())
		}
		out[prefix+name] = strings.TrimSpace(strings.TrimPrefix(string(text), "v = "))
	}
}
