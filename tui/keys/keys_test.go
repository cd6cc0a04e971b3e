package keys_test

import (
	"strings"
	"testing"

	"verge/tui/keys"
)

// Scopes that can hold at the same time, innermost first.
func together() [][]keys.Scope {
	var out [][]keys.Scope
	for _, pane := range keys.Panes {
		out = append(out, []keys.Scope{keys.Scope(pane), keys.Scroll, keys.Replay, keys.Run, keys.App})
	}
	out = append(out, []keys.Scope{keys.Task, keys.Scroll, keys.Replay, keys.Run, keys.App})
	for _, screen := range []keys.Scope{keys.Home, keys.Profile, keys.Values, keys.Comparison} {
		out = append(out, []keys.Scope{screen, keys.Scroll, keys.App})
	}
	return append(out, []keys.Scope{keys.Sweep, keys.App}, []keys.Scope{keys.Walkthrough, keys.App})
}

func TestNoKeyMeansTwoThingsInOnePlace(t *testing.T) {
	for _, scopes := range together() {
		taken := map[string]keys.Binding{}
		for _, scope := range scopes {
			for _, b := range keys.Bindings {
				if b.Scope != scope {
					continue
				}
				for _, key := range b.Keys {
					if other, ok := taken[key]; ok {
						t.Errorf("%v: key %q asks for %s of %s and for %s of %s", scopes, key, b.Action, b.Scope, other.Action, other.Scope)
					}
					taken[key] = b
				}
			}
		}
	}
}

func TestEveryBindingIsExplained(t *testing.T) {
	for _, b := range keys.Bindings {
		if b.Short == "" || b.Help == "" || len(b.Keys) == 0 {
			t.Errorf("%+v: incomplete", b)
		}
		if strings.HasSuffix(b.Help, ".") {
			t.Errorf("%s of %s: help ends in a full stop", b.Action, b.Scope)
		}
	}
}
