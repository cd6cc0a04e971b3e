package pane_test

import (
	"strings"
	"testing"

	"verge/runner/event"
	"verge/tui/fixture"
)

func TestTheRolesPaneTellsOfServers(t *testing.T) {
	events := []event.Event{
		event.BackendNoticed{Kind: "loaded", Model: "qwen2.5:3b", Loads: 1, Seconds: 65, Text: "qwen2.5:3b was loaded"},
		event.BackendNoticed{Kind: "placed", Model: "qwen2.5:3b", Placement: &event.Placement{Context: 2048, Size: 4 << 30, VRAM: 3 << 30}},
		event.BackendNoticed{Kind: "outcomes", Role: "solver", Outcomes: map[string]int{"ok": 1200, "empty after thinking": 3}},
		event.BackendNoticed{Kind: "paused", Away: 1, Text: "the server at http://gpu:11434 went away\x1b[2J"},
	}
	drawing := drawn(t, "roles", context(t, run("propel", events...), "propel"))
	holds(t, drawing, "! waiting: the server at http://gpu:11434 went away")
	holds(t, drawing, "solver", "ok", "1,200")
	holds(t, drawing, "solver", "empty after thinking", "3")
	holds(t, drawing, "qwen2.5:3b", "1", "75.0 %", "2048")
	if strings.Contains(drawing, "\x1b[2J") {
		t.Error("a server's words reach the terminal as they are")
	}
	events = append(events, event.BackendNoticed{Kind: "resumed", Away: -1, Text: "it is back"})
	if drawing := drawn(t, "roles", context(t, run("propel", events...), "propel")); strings.Contains(drawing, "waiting") {
		t.Errorf("it still waits:\n%s", drawing)
	}
	if drawing := drawn(t, "roles", context(t, fixture.PROPEL(), "propel")); strings.Contains(drawing, "in GPU") {
		t.Errorf("a run without servers tells of one:\n%s", drawing)
	}
}
