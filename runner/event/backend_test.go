package event

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNoticesOfABackendAreFolded(t *testing.T) {
	var f Fold
	apply := func(events ...Event) *State {
		t.Helper()
		for _, e := range events {
			if err := f.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		return f.Snapshot()
	}
	placed := &Placement{Context: 2048, Size: 100, VRAM: 40}
	before := apply(started("base"),
		BackendNoticed{Kind: "loaded", Model: "a", Loads: 1, Seconds: 2},
		BackendNoticed{Kind: "placed", Model: "a", Placement: placed},
		BackendNoticed{Kind: "outcomes", Model: "a", Role: "solver", Outcomes: map[string]int{"ok": 3, "length": 1}},
		BackendNoticed{Kind: "paused", Text: "it went away", Away: 1})
	if before.Backend.Away != "it went away" || len(before.Warnings) > 0 {
		t.Errorf("away %q, warnings %v", before.Backend.Away, before.Warnings)
	}
	want := Backend{
		Models:   map[string]ServedModel{"a": {Loads: 2, Seconds: 3.5, Placement: placed}},
		Outcomes: map[string]map[string]int{"solver": {"ok": 5, "length": 1}, "generator": {"ok": 1, "time limit": 2}},
		Failed:   2,
	}
	after := apply(
		BackendNoticed{Kind: "resumed", Text: "it is back", Away: -1},
		BackendNoticed{Kind: "reloaded", Model: "a", Loads: 1, Seconds: 1.5},
		BackendNoticed{Kind: "outcomes", Model: "a", Role: "solver", Outcomes: map[string]int{"ok": 2}},
		BackendNoticed{Kind: "outcomes", Model: "a", Role: "generator", Outcomes: map[string]int{"ok": 1, "time limit": 2}, Failed: 2},
		BackendNoticed{Kind: "heavy loading", Text: "slow", Warns: true})
	if diff := cmp.Diff(want, after.Backend); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Warned{{Code: "heavy loading", Text: "slow"}}, after.Warnings); diff != "" {
		t.Error(diff)
	}
	if n := before.Backend.Outcomes["solver"]["ok"]; n != 3 || before.Backend.Models["a"].Loads != 1 {
		t.Errorf("a snapshot changed later: %+v", before.Backend)
	}
}
