package charts

import (
	"math"
	"strings"
	"testing"

	"verge/runner/event"
	"verge/tui/fixture"
	"verge/tui/keys"
	"verge/tui/pane"
	"verge/tui/theme"
)

func rate(mode string, failed, steps int) event.ModeRate {
	r := float64(failed) / float64(steps)
	return event.ModeRate{Mode: mode, Failed: failed, Steps: steps, Tasks: steps / 2, Rate: r, Low: r / 2, High: (1 + r) / 2}
}

// measured is what a pane draws from after some events of a run of the arms base and propel.
func measured(t *testing.T, events ...event.Event) pane.Context {
	t.Helper()
	look, err := theme.New("dark")
	if err != nil {
		t.Fatal(err)
	}
	start := event.RunStarted{Profile: "quick", Recipe: "propel", Domain: "math", Arms: []string{"base", "propel"}, Attempts: 2, Low: 0.5, High: 0.5}
	s := fixture.NewSession(append([]event.Event{start}, events...))
	return pane.Context{Snapshot: s.Board(), Status: s.Status(), Theme: look, Arm: "propel", Focused: true}
}

func drawn(p pane.Pane, c pane.Context, width, height int) string {
	return strings.Join(p.View(c, width, height), "\n")
}

func wants(t *testing.T, drawing string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(drawing, part) {
			t.Errorf("%q is not drawn:\n%s", part, drawing)
		}
	}
}

func TestWeaknessOfTheArmAndOfAll(t *testing.T) {
	run := measured(t,
		event.WeaknessUpdated{Arm: "base", Modes: []event.ModeRate{rate("carry", 0, 40), rate("borrow", 30, 40)}},
		event.WeaknessUpdated{Arm: "propel", Modes: []event.ModeRate{rate("sign", 2, 20), rate("carry", 15, 20)}, Attempts: 32, Silent: 12})
	for _, width := range []int{80, 198} {
		drawing := drawn(newWeakness(), run, width, 30)
		wants(t, drawing, "at the tasks of propel; 12 of 32 attempts show no step", "75.0 % [38, 88]", "15 of 20, in 10", "▸propel", "base")
		bars, heat, _ := strings.Cut(drawing, "% failed, by arm")
		if strings.Index(bars, "carry") > strings.Index(bars, "sign") {
			t.Errorf("what fails most is not first:\n%s", drawing)
		}
		if width > 100 {
			continue // the two are beside each other
		}
		if strings.Contains(bars, "borrow") {
			t.Errorf("a mode that the arm has not shown is drawn:\n%s", bars)
		}
		for mode, want := range map[string][]string{"carry": {"75", "0"}, "sign": {"10", "–"}, "borrow": {"–", "75"}} {
			var line []string
			for drawn := range strings.SplitSeq(heat, "\n") {
				if strings.Contains(drawn, mode) {
					line = append(line, drawn)
				}
			}
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
	run.Arm = "base"
	wants(t, drawn(newWeakness(), run, 80, 30), "at the tasks of base", "▸base")
}

func TestWeaknessBeforeItIsMeasuredSaysWhatWouldBeHere(t *testing.T) {
	wants(t, drawn(newWeakness(), measured(t), 80, 20), "How often the solver fails", "DIAG-POP", "targets")
}

func TestWeaknessScrolls(t *testing.T) {
	modes := []event.ModeRate{{Mode: "undefined", Rate: math.NaN(), Low: math.Inf(-1), High: math.NaN()}}
	for i := range 40 {
		modes = append(modes, rate("mode"+string(rune('A'+i)), i, 40))
	}
	run := measured(t, event.WeaknessUpdated{Arm: "propel", Modes: modes})
	p := newWeakness()
	wants(t, drawn(p, run, 60, 10), "modeh", "lines 1 to 9 of 43")
	p.Do(keys.Bottom, run)
	wants(t, drawn(p, run, 60, 10), "modeA", "undefined", "lines 35 to 43 of 43")
}
