package pane

import (
	"math"
	"strings"
	"testing"

	"verge/runner/event"
	"verge/tui/keys"
)

func rate(mode string, failed, steps int) event.ModeRate {
	r := float64(failed) / float64(steps)
	return event.ModeRate{Mode: mode, Failed: failed, Steps: steps, Tasks: steps / 2, Rate: r, Low: r / 2, High: (1 + r) / 2}
}

func TestWeaknessOfTheArmAndOfAll(t *testing.T) {
	run := newLive(t, started(),
		event.WeaknessUpdated{Arm: "base", Modes: []event.ModeRate{rate("carry", 0, 40), rate("borrow", 30, 40)}},
		event.WeaknessUpdated{Arm: "propel", Modes: []event.ModeRate{rate("sign", 2, 20), rate("carry", 15, 20)}, Attempts: 32, Silent: 12})
	for _, width := range []int{80, 198} {
		drawing := drawn(newWeakness(), run.context(), width, 30)
		wants(t, drawing, "at the tasks of propel; 12 of 32 attempts show no step", "75.0 % [38, 88]", "15 of 20, in 10", "▸propel", "base")
		bars, heat, _ := strings.Cut(drawing, "% failed, by arm")
		if strings.Index(bars, "carry") > strings.Index(bars, "sign") {
			t.Errorf("what fails most is not first:\n%s", drawing)
		}
		if width > 100 {
			continue // the two are beside each other
		}
		lacks(t, bars, "borrow")
		for mode, want := range map[string][]string{"carry": {"75", "0"}, "sign": {"10", "–"}, "borrow": {"–", "75"}} {
			line := linesWith(heat, mode)
			if len(line) != 1 {
				t.Fatalf("%s has %d lines:\n%s", mode, len(line), drawing)
			}
			fields := strings.Fields(strings.Map(func(r rune) rune {
				if strings.ContainsRune("░▒▓█", r) {
					return ' '
				}
				return r
			}, line[0]))
			if fields[1] != want[0] || fields[2] != want[1] {
				t.Errorf("%s: %q, want %q", mode, fields[1:], want)
			}
		}
	}
	run.arm = "base"
	wants(t, drawn(newWeakness(), run.context(), 80, 30), "at the tasks of base", "▸base")
}

func TestWeaknessBeforeItIsMeasuredSaysWhatWouldBeHere(t *testing.T) {
	wants(t, drawn(newWeakness(), newLive(t, started()).context(), 80, 20), "How often the solver fails", "DIAG-POP", "targets")
}

func TestWeaknessScrolls(t *testing.T) {
	modes := []event.ModeRate{{Mode: "undefined", Rate: math.NaN(), Low: math.Inf(-1), High: math.NaN()}}
	for i := range 40 {
		modes = append(modes, rate("mode"+string(rune('A'+i)), i, 40))
	}
	run := newLive(t, started(), event.WeaknessUpdated{Arm: "propel", Modes: modes})
	p := newWeakness()
	wants(t, drawn(p, run.context(), 60, 10), "modeh", "lines 1 to 9 of 43")
	p.Do(keys.Bottom, run.context())
	wants(t, drawn(p, run.context(), 60, 10), "modeA", "undefined", "lines 35 to 43 of 43")
}
