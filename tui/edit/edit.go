// Package edit is the screen on which a profile's values are changed before a run is started with them.
package edit

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"verge/profiles"
	"verge/tui/figure"
	"verge/tui/grid"
	"verge/tui/keys"
	"verge/tui/launch"
	"verge/tui/prompt"
	"verge/tui/rows"
	"verge/tui/screen"
	"verge/tui/sweepboard"
	"verge/tui/text"
	"verge/tui/work"
)

// Edit is the screen. It implements screen.Screen.
type Edit struct {
	env      *screen.Env
	sections []profiles.Section
	values   values
	before   values       // what is typed over
	line     *prompt.Line // while the selected key's value is typed
	filter   prompt.Filter
	grid     *grid.Question // while a sweep's axes and seeds are
	shown    []profiles.Key // that pass the filter
	list     rows.Outline   // of shown, below the names of their tables
	places   rows.Places
	one      work.One
	leaving  bool // Escape was pressed once over changes
	cost     cost
	asked    *profiles.Profile // what a cost was asked of last
	asking   bool              // and has not come: it may take a while to read what runs took
}

// cost is what a run with the values takes.
type cost struct {
	edit  *Edit
	of    *profiles.Profile
	takes figure.Cost
}

// New makes the screen of a profile; name is what it is loaded by.
func New(env *screen.Env, name string, p *profiles.Profile) *Edit {
	return newEdit(env, name, p, profiles.Sections())
}

func newEdit(env *screen.Env, name string, p *profiles.Profile, sections []profiles.Section) *Edit {
	e := &Edit{env: env, sections: sections, values: values{name: name, start: map[string]string{}}}
	for _, s := range sections {
		for _, k := range s.Keys {
			e.values.start[k.Name] = p.Value(k.Name)
		}
	}
	e.values.check()
	e.arrange()
	return e
}

// Title implements screen.Screen.
func (e *Edit) Title() string { return "values of " + text.Safe(e.values.name) }

// Scopes implements screen.Screen.
func (e *Edit) Scopes() []keys.Scope { return []keys.Scope{keys.Values, keys.Scroll} }

// Refusal implements screen.Screen.
func (e *Edit) Refusal(a keys.Action) string {
	switch a {
	case keys.Open:
		if len(e.shown) == 0 {
			return "no key is selected"
		}
	case keys.ResetValue:
		if _, changed := e.values.typed(e.selected()); !changed {
			return "the key has its value in the profile"
		}
	case keys.ResetAll:
		if len(e.values.changes) == 0 {
			return "no value has been changed"
		}
	case keys.StartRun, keys.StartSweep:
		if faults := e.values.faults(); len(faults) > 0 {
			return strings.Join(faults, "; ")
		}
		return launch.Wait(&e.one)
	}
	return ""
}

// Do implements screen.Screen.
func (e *Edit) Do(a keys.Action) tea.Cmd {
	e.leaving = false
	if e.list.Move(a, len(e.shown)) {
		return nil
	}
	switch a {
	case keys.Open:
		e.before = e.values
		e.line = prompt.New(e.selected()+" =", e.values.text(e.selected()))
	case keys.ResetValue:
		return e.change(e.values.without(e.selected()))
	case keys.ResetAll:
		fresh := e.values
		fresh.changes = nil
		fresh.check()
		return e.change(fresh)
	case keys.Filter:
		e.filter.Start()
	case keys.StartRun:
		return launch.Start(e.env, &e.one, e.values.name, e.values.result)
	case keys.StartSweep:
		e.grid = grid.Ask(e.values.result)
	}
	return nil
}

// Reading implements screen.Screen.
func (e *Edit) Reading() bool { return e.line != nil || e.filter.Reading() || e.grid != nil }

// Type implements screen.Screen. The values are checked with every key.
func (e *Edit) Type(k tea.KeyMsg) tea.Cmd {
	if e.grid != nil {
		return sweepboard.Type(e.env, &e.one, &e.grid, k)
	}
	if e.line == nil {
		e.filter.Type(k)
		e.arrange()
		return nil
	}
	switch e.line.Type(k) {
	case prompt.Typing:
		return e.change(e.before.with(e.selected(), e.line.Value()))
	case prompt.Entered:
		e.line = nil
	case prompt.Left:
		e.line = nil
		return e.change(e.before)
	}
	return nil
}

// change takes other values, and asks what they cost.
func (e *Edit) change(v values) tea.Cmd {
	e.values = v
	return e.askCost()
}

func (e *Edit) askCost() tea.Cmd {
	p := e.values.result
	if p == nil || p == e.asked || e.asking {
		return nil
	}
	e.asked, e.asking = p, true
	return func() tea.Msg {
		return cost{e, p, e.env.Launcher.Cost(p)}
	}
}

// Receive implements screen.Screen.
func (e *Edit) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case screen.Tick:
		return e.askCost()
	case cost:
		if m.edit != e {
			return nil
		}
		e.asking = false
		if m.of == e.values.result {
			e.cost = m
		}
		return e.askCost()
	case tea.MouseMsg:
		if e.Reading() { // what is typed is the selected key's
			return nil
		}
		if row := e.places.Clicked(m); row != rows.None {
			e.list.At, e.leaving = row, false
			return nil
		}
		if a := rows.Wheel(m); a != "" {
			return e.Do(a)
		}
	}
	return nil
}

// Back implements screen.Screen. Changes are dropped by the second Escape only.
func (e *Edit) Back() bool {
	switch {
	case e.one.GiveUp():
	case e.filter.Drop():
		e.arrange()
	case len(e.values.changes) > 0 && !e.leaving:
		e.leaving = true
	default:
		return false
	}
	return true
}

// selected is the name of the selected key; "" when none is shown.
func (e *Edit) selected() string {
	if e.list.At < len(e.shown) {
		return e.shown[e.list.At].Name
	}
	return ""
}

// arrange filters the keys anew, and keeps the selected one selected if it is still there.
func (e *Edit) arrange() {
	kept := e.selected()
	e.shown = nil
	for _, s := range e.sections {
		for _, k := range s.Keys {
			if needle := strings.ToLower(e.filter.Text); strings.Contains(strings.ToLower(k.Name+" "+k.Meaning), needle) {
				if k.Name == kept {
					e.list.At = len(e.shown)
				}
				e.shown = append(e.shown, k)
			}
		}
	}
	e.list.At = max(0, min(e.list.At, len(e.shown)-1))
}

// summary counts the changes.
func (e *Edit) summary() string {
	switch n, wrong := len(e.values.changes), len(e.values.faults()); {
	case e.leaving:
		return fmt.Sprintf("Esc once more drops the %d changed values.", n)
	case wrong > 0:
		return fmt.Sprintf("%d changed, %d wrong.", n, wrong)
	case n > 0:
		return fmt.Sprintf("%d changed.", n)
	}
	return "Nothing changed."
}
