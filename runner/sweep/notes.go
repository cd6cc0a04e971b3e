package sweep

import (
	"fmt"
	"maps"
	"slices"

	"verge/runner/event"
)

// made is what a sweep's runs were made with. Runs that were made with different things are compared with each other all the same: their
// cells are told by their profiles alone.
type made struct {
	versions map[string]bool
	models   map[string]map[string]bool // digests by the model's name
}

func (m *made) add(p event.Provenance) {
	if m.versions == nil {
		m.versions, m.models = map[string]bool{}, map[string]map[string]bool{}
	}
	m.versions[p.Version] = true
	for _, model := range p.Models {
		if m.models[model.Name] == nil {
			m.models[model.Name] = map[string]bool{}
		}
		m.models[model.Name][model.Digest] = true
	}
}

// notes say what differs.
func (m *made) notes() []string {
	var notes []string
	note := func(what string, n int) {
		if n > 1 {
			notes = append(notes, fmt.Sprintf("The runs were made with %d versions of %s; remove the older ones' folders to have them made again.", n, what))
		}
	}
	note("verge", len(m.versions))
	for _, name := range slices.Sorted(maps.Keys(m.models)) {
		note("model "+name, len(m.models[name]))
	}
	return notes
}
