package sweepboard_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/compare"
	"verge/tui/fixture"
	"verge/tui/keys"
	"verge/tui/screen"
	"verge/tui/screentest"
	"verge/tui/sweepboard"
)

func open(t *testing.T, states ...screen.SweepState) (*screentest.App, *fixture.Launcher) {
	t.Helper()
	l := &fixture.Launcher{States: states}
	return screentest.New(t, sweepboard.New(screentest.Env(t, l), states[0].Dir, states[0].Name)), l
}

func TestGolden(t *testing.T) {
	sweeps := fixture.Sweeps()
	t.Run("going", func(t *testing.T) {
		a, _ := open(t, sweeps[0])
		a.Golden("going")
		a.Press("down", "down", "down", "down", "right", "right", "right")
		a.Golden("failed-cell")
		a.Press("end", "right", "f")
		a.Golden("end")
	})
	t.Run("seeds", func(t *testing.T) {
		a, _ := open(t, sweeps[1])
		a.Press("down")
		for range 8 {
			a.Press("right")
		}
		a.Golden("seeds")
	})
	t.Run("unreadable", func(t *testing.T) {
		a, l := open(t, sweeps[0])
		l.Refuse(errors.New("runs/sweep-ablate-kl/sweep.json: permission denied"))
		a.Tick()
		a.Golden("unreadable")
	})
}

func TestAClickSelectsTheArmThatItIsOn(t *testing.T) {
	a, l := open(t, fixture.Sweeps()[0])
	lines := strings.Split(a.Draw(120, 38), "\n")
	y := slices.IndexFunc(lines, func(s string) bool { return strings.HasPrefix(s, "policy.kl = 0.02") })
	a.Screen().Receive(tea.MouseMsg{X: 3, Y: y + 1, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	a.Press("enter")
	if got, want := l.Calls(), []string{"watch " + fixture.Sweeps()[0].Cells[5].Run}; !slices.Equal(got, want) {
		t.Errorf("asked %q, want %q", got, want)
	}
}

func TestWhyASweepStoppedIsReadWhole(t *testing.T) {
	s := fixture.Sweeps()[0]
	s.Stopped = "seed 1, policy.kl = 0: store: write runs/sweep-ablate-kl/20261129-120000-ablate-kl-0001/run.db: database or disk is full (13): the disk is full, or a quota or a limit on the size of files (ulimit -f) is reached: free some space, then start the run or resume it"
	a, _ := open(t, s)
	for _, size := range screentest.Sizes {
		drawn := a.Draw(size[0], size[1]-2)
		if words := strings.Join(strings.Fields(drawn), " "); !strings.Contains(words, s.Stopped) {
			t.Errorf("%v: it is not read:\n%s", size, drawn)
		}
	}
}

func TestFiguresAreThoseOfTheSeeds(t *testing.T) {
	// Means 0.11 of base and 0.25 of propel; differences 0.10, 0.14 and 0.18, of which the least thrice is 1/27, 3.7 %.
	x := func(v float64) *float64 { return &v }
	cell := func(seed uint64, base, propel float64) screen.SweepCell {
		return screen.SweepCell{Seed: seed, State: "done", Run: "r", Figures: map[string]screen.SweepFigure{"base": {InBand: x(base)}, "propel": {InBand: x(propel)}}}
	}
	s := screen.SweepState{SweepInfo: screen.SweepInfo{Dir: "d", Done: 3}, Arms: []string{"base", "propel"}, Cells: []screen.SweepCell{cell(1, 0.10, 0.20), cell(2, 0.11, 0.25), cell(3, 0.12, 0.30)}}
	a, _ := open(t, s)
	drawn := a.Draw(120, 20)
	for _, want := range []string{"11.0 % ± 0.6", "25.0 % ± 2.9", "+14.0 [+10.0, +18.0]", "3 of 3 done"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("%q is not shown:\n%s", want, drawn)
		}
	}
	// Of two seeds the interval would be the differences themselves.
	two := s
	two.Cells = s.Cells[:2]
	b, _ := open(t, two)
	if drawn := b.Draw(120, 20); !strings.Contains(drawn, "+12.0") || strings.Contains(drawn, "+12.0 [") {
		t.Errorf("two seeds:\n%s", drawn)
	}
	// A figure that no cell defines is shown as such.
	a.Press("f")
	if drawn := a.Draw(120, 20); !strings.Contains(drawn, "in band of valid") || strings.Contains(drawn, "NaN") || !strings.Contains(drawn, "–") {
		t.Errorf("an undefined figure:\n%s", drawn)
	}
}

func TestWhatIsAskedOfTheLauncher(t *testing.T) {
	going, seeds := fixture.Sweeps()[0], fixture.Sweeps()[1]
	stopped := going
	stopped.Running = false
	for _, c := range []struct {
		name  string
		state screen.SweepState
		keys  []string
		want  []string
		said  string
	}{
		{"open", going, []string{"right", "enter"}, []string{"watch " + going.Cells[1].Run}, ""},
		{"open another setting's", going, []string{"pgdown", "right", "right", "enter"}, []string{"watch " + going.Cells[7].Run}, ""},
		{"open a missing one", going, []string{"end", "right", "enter"}, nil, "no run yet: g makes it"},
		{"compare", going, []string{"c"}, []string{"watch " + going.Cells[0].Run}, ""},
		{"stop", going, []string{"x"}, []string{"stop " + going.Dir}, "g goes on with it"},
		{"stop what is at rest", stopped, []string{"x"}, nil, "does not run"},
		{"go on", stopped, []string{"g"}, []string{"go on " + going.Dir}, "the sweep goes on"},
		{"redo", stopped, []string{"r"}, []string{"go on " + going.Dir}, "the sweep goes on"},
		{"go on while it does", going, []string{"g"}, nil, "goes on already"},
		{"go on when all is done", seeds, []string{"g"}, nil, "every cell is done"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, l := open(t, c.state)
			a.Press(c.keys...)
			if got := l.Calls(); !slices.Equal(got, c.want) {
				t.Errorf("asked %q, want %q", got, c.want)
			}
			if said := strings.Join(a.Said(), "; "); !strings.Contains(said, c.said) || c.said == "" && said != "" {
				t.Errorf("said %q, want %q", said, c.said)
			}
		})
	}
}

func TestComparingOpensTheArmsOfTheCell(t *testing.T) {
	a, _ := open(t, fixture.Sweeps()[0])
	a.Press("c")
	if _, ok := a.Screen().(*compare.Screen); !ok {
		t.Errorf("%T", a.Screen())
	}
}

func TestEveryKeyIsAnswered(t *testing.T) {
	for _, b := range keys.Bindings.Of(keys.Sweep) {
		a, l := open(t, fixture.Sweeps()[0])
		switch b.Action {
		case keys.Up, keys.PageUp, keys.Top:
			a.Press("end")
		case keys.Left:
			a.Press("right")
		}
		before, top := a.Draw(120, 37), a.Screen()
		a.Press(b.Keys[0])
		if len(a.Said()) == 0 && len(l.Calls()) == 0 && a.Screen() == top && a.Draw(120, 37) == before {
			t.Errorf("%s, key %q: nothing happens", b.Action, b.Keys[0])
		}
	}
}

// The board follows the sweep, and what cannot be read for a moment does not clear it.
func TestTheBoardFollowsTheSweep(t *testing.T) {
	going := fixture.Sweeps()[0]
	a, l := open(t, going)
	l.Refuse(errors.New("disk full"))
	a.Tick()
	if drawn := a.Draw(120, 37); !strings.Contains(drawn, "disk full") || !strings.Contains(drawn, "propel-wco") {
		t.Errorf("an error clears the board, or is not shown:\n%s", drawn)
	}
	l.Refuse(nil)
	going.Cells = slices.Clone(going.Cells)
	for i := range going.Cells {
		if going.Cells[i].State == "missing" {
			going.Cells[i].State = "running"
		}
	}
	l.States[0] = going
	a.Tick()
	if drawn := a.Draw(120, 37); !strings.Contains(drawn, "9 running") || strings.Contains(drawn, "disk full") {
		t.Errorf("not read again:\n%s", drawn)
	}
}

func TestHostileTextStaysInTheBox(t *testing.T) {
	a, l := open(t, fixture.HostileSweep())
	a.AnySize()
	a.Press("end", "right")
	a.AnySize()
	l.Refuse(errors.New(strings.Join(fixture.HostileTexts(), " ")))
	a.Tick()
	a.AnySize()
	empty, _ := open(t, screen.SweepState{})
	empty.AnySize()
	empty.Press("down", "right", "enter", "end")
}
