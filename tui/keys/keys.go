// Package keys is the one table of key bindings. What a key does, the footer, the help screen and the documentation all come
// from it.
package keys

import "slices"

// Action is what a key press asks for.
type Action string

// Scope is where a binding holds: everywhere, on a screen, or in a pane of it.
type Scope string

// Binding is one action and the keys that ask for it.
type Binding struct {
	Scope  Scope
	Action Action
	Keys   []string // as Bubble Tea names them; the first is shown
	Short  string   // one or two words, for the footer
	Help   string   // a sentence without a full stop, for help and the palette
	Footer bool     // shown in the footer, as room allows
}

// Show is the first key as a person reads it.
func (b Binding) Show() string { return Name(b.Keys[0]) }

// Name is a key as a person reads it.
func Name(key string) string {
	if s, ok := names[key]; ok {
		return s
	}
	return key
}

var names = map[string]string{
	" ": "space", "up": "↑", "down": "↓", "left": "←", "right": "→", "pgup": "PgUp", "pgdown": "PgDn", "home": "Home", "end": "End",
	"enter": "⏎", "esc": "Esc", "tab": "Tab", "shift+tab": "⇧Tab", "ctrl+c": "^C", "ctrl+z": "^Z", "ctrl+p": "^P",
}

// Table is a list of bindings, in the order that help shows them.
type Table []Binding

// Find is the action of a key, looked up in the scopes in order: the innermost first.
func (t Table) Find(key string, scopes ...Scope) (Action, bool) {
	for _, scope := range scopes {
		for _, b := range t {
			if b.Scope == scope && slices.Contains(b.Keys, key) {
				return b.Action, true
			}
		}
	}
	return "", false
}

// Of lists the bindings of some scopes, in the scopes' order, without those whose keys an inner scope has taken.
func (t Table) Of(scopes ...Scope) []Binding {
	var out []Binding
	taken := map[string]bool{}
	for _, scope := range scopes {
		var keys []string
		for _, b := range t {
			if b.Scope != scope {
				continue
			}
			free := slices.DeleteFunc(slices.Clone(b.Keys), func(k string) bool { return taken[k] })
			if len(free) == 0 {
				continue
			}
			keys = append(keys, b.Keys...)
			b.Keys = free
			out = append(out, b)
		}
		for _, k := range keys {
			taken[k] = true
		}
	}
	return out
}

// Name is the key of an action in a scope, as a person reads it.
func (t Table) Name(a Action, scope Scope) string {
	b, _ := t.Key(a, scope)
	return b.Show()
}

// Key is the binding of an action in some scopes; false where there is none.
func (t Table) Key(a Action, scopes ...Scope) (Binding, bool) {
	for _, b := range t.Of(scopes...) {
		if b.Action == a {
			return b, true
		}
	}
	return Binding{}, false
}
