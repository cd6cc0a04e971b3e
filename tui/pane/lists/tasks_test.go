package lists

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"verge/domains"
	"verge/runner/event"
	"verge/tui/keys"
	"verge/tui/pane"
)

// statements are what is listed, from top to bottom.
func statements(p *tasksPane, c pane.Context, height int) []string {
	var out []string
	for _, line := range p.View(c, 80, height)[2:] {
		if fields := strings.Fields(line); len(fields) > 0 {
			out = append(out, fields[len(fields)-1])
		}
	}
	return out
}

func same(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("listed %q, want %q", got, want)
	}
}

// verdictsOn is attempts at a proposal, a letter each: r, w, u or e.
func verdictsOn(arm string, n int, verdicts string) []event.Event {
	names := map[rune]domains.Verdict{'r': domains.Right, 'w': domains.Wrong, 'u': domains.Undecided, 'e': domains.Error}
	var out []event.Event
	for i, v := range verdicts {
		out = append(out, event.AttemptGraded{Key: event.Key{Arm: arm, Stage: event.Train, Proposal: n}, Attempt: i, Grading: domains.Grading{Verdict: names[v]}})
	}
	return out
}

func scored(arm string, n int, logit float64) event.Event {
	return event.ProbeScored{Key: event.Key{Arm: arm, Stage: event.Train, Proposal: n}, Probe: "in-band", Logit: logit}
}

// someTasks are five proposals that each order lists otherwise.
func someTasks(t *testing.T) *live {
	run := newLive(t, started())
	for i, s := range []string{"<a>", "<b>", "<c>", "<d>"} {
		run.apply(propose("propel", i, s, "")...)
	}
	run.apply(propose("base", 0, "<x>", "syntax")...)
	run.apply(scored("propel", 0, 1.5), scored("propel", 1, -2), scored("propel", 2, 3))
	run.apply(verdictsOn("propel", 0, "ww")...)
	run.apply(verdictsOn("propel", 1, "rr")...)
	run.apply(verdictsOn("propel", 3, "rw")...)
	return run
}

func TestTasksAreOrdered(t *testing.T) {
	run := someTasks(t)
	p := newTasks()
	same(t, statements(p, run.context(), 10), []string{"<x>", "<d>", "<c>", "<b>", "<a>"})
	p.Do(keys.Sort, run.context())
	same(t, statements(p, run.context(), 10), []string{"<c>", "<a>", "<b>", "<x>", "<d>"})
	p.Do(keys.Sort, run.context())
	same(t, statements(p, run.context(), 10), []string{"<b>", "<d>", "<a>", "<x>", "<c>"})

	// What comes later is put where it belongs.
	run.apply(propose("base", 1, "<y>", "")...)
	run.apply(verdictsOn("base", 1, "rw")...)
	run.apply(verdictsOn("propel", 2, "r")...)
	same(t, statements(p, run.context(), 10), []string{"<c>", "<b>", "<y>", "<d>", "<a>", "<x>"})
}

func TestTasksAreFiltered(t *testing.T) {
	run := someTasks(t)
	run.arm = "base"
	p := newTasks()
	p.Do(keys.AllArms, run.context())
	same(t, statements(p, run.context(), 10), []string{"<x>"})
	run.arm = "propel"
	same(t, statements(p, run.context(), 10), []string{"<d>", "<c>", "<b>", "<a>"})
	p.Do(keys.AllArms, run.context())

	for text, want := range map[string][]string{
		"SYNTAX": {"<x>"}, "<B": {"<b>"}, "base/train": {"<x>"}, "propel": {"<d>", "<c>", "<b>", "<a>"}, "sum": {"<x>", "<d>", "<c>", "<b>", "<a>"},
	} {
		p.Do(keys.Search, run.context())
		typed(p, run.context(), text)
		press(p, run.context(), tea.KeyEnter)
		if got := statements(p, run.context(), 12)[1:]; !slices.Equal(got, want) { // the search has a line
			t.Errorf("%q lists %q, want %q", text, got, want)
		}
		p.Do(keys.Back, run.context())
	}
	p.Do(keys.Search, run.context())
	typed(p, run.context(), "nowhere")
	wants(t, drawn(p, run.context(), 80, 10), "0 of 5 tasks", "There is no task with this text")
}

func TestTasksHaveGlyphsAndFigures(t *testing.T) {
	run := someTasks(t)
	run.apply(event.TaskProposed{Key: event.Key{Arm: "base", Stage: event.Train, Proposal: 8}, Error: "connection lost"})
	run.apply(event.TaskProposed{Key: event.Key{Arm: "base", Stage: event.Train, Proposal: 9}})
	drawing := drawn(newTasks(), run.context(), 120, 12)
	for key, want := range map[string][]string{
		"propel/train/0/0": {"✓", "▁▁", "0/2", "+1.50"}, "propel/train/0/1": {"✓", "██", "2/2", "-2.00"}, "propel/train/0/3": {"★", "█▁", "1/2"},
		"base/train/0/0": {"✗"}, "base/train/0/8": {"!", "connection lost"}, "base/train/0/9": {"○"},
	} {
		line := linesWith(drawing, key)
		if len(line) != 1 {
			t.Fatalf("%s is in %d lines:\n%s", key, len(line), drawing)
		}
		wants(t, line[0], want...)
	}
}

func TestTheSelectedTaskStaysWhereItIsWhileTheListGrows(t *testing.T) {
	run := newLive(t, started())
	for i := range 30 {
		run.apply(propose("propel", i, fmt.Sprintf("<%d>", i), "")...)
	}
	p := newTasks()
	selected := func() (line int, statement string) {
		t.Helper()
		for i, s := range p.View(run.context(), 80, 12) {
			if strings.HasPrefix(s, "▸") {
				fields := strings.Fields(s)
				return i, fields[len(fields)-1]
			}
		}
		t.Fatal("nothing is selected")
		return 0, ""
	}
	if _, s := selected(); s != "<29>" {
		t.Errorf("at first %s is selected", s)
	}
	run.apply(propose("propel", 30, "<30>", "")...)
	if _, s := selected(); s != "<30>" {
		t.Errorf("at the top the newest is selected, not %s", s)
	}
	for range 5 {
		p.Do(keys.Down, run.context())
	}
	line, s := selected()
	if s != "<25>" {
		t.Errorf("five below <30> is %s", s)
	}
	for i := range 500 {
		run.apply(propose("propel", 31+i, "new", "")...)
		if l, now := selected(); l != line || now != s {
			t.Fatalf("after %d more, %s of line %d is selected, not %s of line %d", i+1, now, l, s, line)
		}
	}
	p.Do(keys.Bottom, run.context())
	if _, s := selected(); s != "<0>" {
		t.Errorf("the last is %s", s)
	}
	p.Do(keys.PageUp, run.context())
	if _, s := selected(); s != "<9>" {
		t.Errorf("a page of ten, less a line, above it is %s", s)
	}
	p.Do(keys.Top, run.context())
	if _, s := selected(); s != "new" {
		t.Errorf("the first is %s", s)
	}
}
