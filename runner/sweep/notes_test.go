package sweep

import (
	"strings"
	"testing"

	"verge/runner/event"
)

func TestRunsMadeWithDifferentThingsAreNoted(t *testing.T) {
	run := func(version, solver string) event.Provenance {
		return event.Provenance{Version: version, Models: []event.Model{{Role: "generator", Name: "micro-1", Digest: "a"}, {Role: "solver", Name: "/m.gguf", Digest: solver}}}
	}
	var m made
	m.add(run("1", "b"))
	m.add(run("1", "b"))
	if notes := m.notes(); len(notes) != 0 {
		t.Errorf("runs made alike are noted: %q", notes)
	}
	m.add(run("2", "c"))
	m.add(run("2", "d"))
	notes := m.notes()
	if len(notes) != 2 || !strings.Contains(notes[0], "2 versions of verge") || !strings.Contains(notes[1], "3 versions of model /m.gguf") {
		t.Errorf("notes %q", notes)
	}
}
