package lists

import (
	"fmt"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"verge/runner/event"
	"verge/tui/keys"
)

func TestGatesTotalsAreOfTheArmAndOfAll(t *testing.T) {
	run := newLive(t, started())
	for i := range 3 {
		run.apply(propose("propel", i, "1+1", "")...)
	}
	run.apply(propose("propel", 3, "1+", "syntax")...)
	for i := range 4 {
		run.apply(propose("base", i, "2+", "syntax")...)
	}
	run.apply(propose("base", 4, "2+2+", "range")...)
	run.apply(event.TaskProposed{Key: event.Key{Arm: "base", Stage: event.Train, Proposal: 5}, Error: "lost"})
	drawing := drawn(newGates(), run.context(), 100, 20)
	wants(t, drawing, "propel, of 4", "all arms, of 9", "75.0 %", "33.3 %", "25.0 %", "55.6 %", "11.1 %", "1 proposal failed, in no share")
	if got := linesWith(drawing, "range"); len(got) == 0 || got[0][:5] != "range" {
		t.Errorf("no total of a reason that only another arm has: %q", got)
	}
	wants(t, drawn(newGates(), run.context(), 58, 6), "passed 33.3 % · syntax 55.6 % · range 11.1 %")
}

func TestGatesFilterAndRefusedOnly(t *testing.T) {
	run := newLive(t, started())
	run.apply(propose("propel", 0, "1+1", "")...)
	run.apply(propose("propel", 1, "2+", "syntax")...)
	run.apply(propose("base", 0, "3+3", "range")...)
	p := newGates()
	drawing := drawn(p, run.context(), 120, 20)
	wants(t, drawing, "✓ propel/train/0/0", "passed", "1+1", "✗ propel/train/0/1", "told at length: syntax")

	p.Do(keys.Sort, run.context())
	drawing = drawn(p, run.context(), 120, 20)
	lacks(t, drawing, "1+1")
	wants(t, drawing, "2+", "3+3")
	wants(t, p.Title(run.context()), "refused only")

	p.Do(keys.Filter, run.context())
	typed(p, run.context(), "length: RANGE")
	press(p, run.context(), tea.KeyEnter)
	drawing = drawn(p, run.context(), 120, 20)
	lacks(t, drawing, "2+")
	wants(t, drawing, "3+3")

	p.Do(keys.Back, run.context())
	p.Do(keys.Filter, run.context())
	typed(p, run.context(), "propel/train/0/0")
	wants(t, drawn(p, run.context(), 120, 20), "None of 3 decisions is shown: only refused ones are looked for, and none contains the text")
	p.Do(keys.Sort, run.context())
	wants(t, drawn(p, run.context(), 120, 20), "1+1")
}

func TestGatesFollowTheNewest(t *testing.T) {
	run := newLive(t, started())
	for i := range 300 {
		run.apply(propose("propel", i, fmt.Sprintf("<%d>", i), "")...)
	}
	p := newGates()
	wants(t, drawn(p, run.context(), 60, 6), "<299>")
	p.Do(keys.Up, run.context())
	drawn(p, run.context(), 60, 6)
	run.apply(propose("propel", 300, "<300>", "")...)
	drawing := drawn(p, run.context(), 60, 6)
	lacks(t, drawing, "<300>")
	wants(t, drawing, "newer")
}
