package lists

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/keys"
	"verge/tui/pane"
)

func selection(p *tasksPane, c pane.Context) string {
	for _, line := range p.View(c, 80, 12) {
		if strings.HasPrefix(line, "▸") {
			fields := strings.Fields(line)
			return fields[len(fields)-1]
		}
	}
	return ""
}

// Another order of many tasks takes longer than a key may: it is made by a command, and the list before is shown until it is there.
func TestAnotherOrderOfManyTasksIsMadeBesideTheScreen(t *testing.T) {
	run := manyTasks(t, long)
	c := run.context()
	p := newTasks()
	drawn(p, c, 80, 12)
	byScore := p.Do(keys.Sort, c)
	wants(t, drawn(p, c, 80, 12), "listing 5,000 tasks anew: highest probe score first", "(52+4999)*7")
	byRate := p.Do(keys.Sort, c)
	deliver(p, c, byScore)
	wants(t, drawn(p, c, 80, 12), "listing 5,000 tasks anew: most often solved first", "(52+4999)*7")
	deliver(p, c, byRate)
	wants(t, drawn(p, c, 80, 12), "5,000 tasks · all arms · most often solved first")

	p.Do(keys.Sort, c)
	deliver(p, c, p.Do(keys.Sort, c))
	run.apply(propose("propel", long, "<new>", "")...)
	run.apply(scored("propel", long, 99))
	drawing := drawn(p, run.context(), 80, 12)
	wants(t, drawing, "5,001 tasks · all arms · highest probe score first", "<new>")

	p.Do(keys.Search, c)
	p.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("no")}, c)
	deliver(p, c, p.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("where")}, c))
	wants(t, drawn(p, c, 80, 12), "There is no task with this text")
	press(p, c, tea.KeyEnter)
	p.Do(keys.Back, c)
	wants(t, drawn(p, c, 80, 12), "5,000 tasks · all arms · highest probe score first")
}

func TestAnotherOrderKeepsTheTaskThatAPersonHasSelected(t *testing.T) {
	c := someTasks(t).context()
	p := newTasks()
	selection(p, c)
	p.Do(keys.Sort, c)
	if s := selection(p, c); s != "<c>" {
		t.Errorf("%s is selected of a list that nobody moved in, not its first", s)
	}
	for _, moves := range [][]keys.Action{{keys.Down}, {keys.Up}} {
		for _, a := range moves {
			p.Do(a, c)
		}
		want := selection(p, c)
		for range orders {
			p.Do(keys.Sort, c)
			if s := selection(p, c); s != want {
				t.Errorf("%s is selected after another order, not %s", s, want)
			}
		}
	}
}
