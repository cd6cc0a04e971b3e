package grid_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"verge/profiles"
	"verge/tui/fixture"
	"verge/tui/grid"
	"verge/tui/prompt"
	"verge/tui/screentest"
	"verge/tui/text"
)

func ask(t *testing.T, profile string) *grid.Question {
	t.Helper()
	p, err := profiles.Load(profile, nil)
	if err != nil {
		t.Fatal(err)
	}
	return grid.Ask(p)
}

func paste(q *grid.Question, s string) {
	q.Type(screentest.Key("ctrl+u"))
	q.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true})
}

func drawn(t *testing.T, q *grid.Question, width int) string {
	return strings.Join(q.View(screentest.Look(t), width), "\n")
}

func TestTheProfilesOwnSweepIsThereToBeEntered(t *testing.T) {
	q := ask(t, "ablate-kl")
	if got := drawn(t, q, 100); !strings.Contains(got, "sweep: policy.kl=0.0,") && !strings.Contains(got, "sweep: policy.kl=0,") || !strings.Contains(got, "; seeds=") {
		t.Errorf("drawn\n%s", got)
	}
	if q.Type(screentest.Key("enter")) != prompt.Entered || len(q.Profile().Sweep.Axes) != 1 {
		t.Error("it cannot be entered")
	}
}

func TestASweepIsCheckedAndCountedAsItIsTyped(t *testing.T) {
	for _, c := range []struct{ typed, says string }{
		{"policy.kl=0,0.02,0.1; probe.kind=linear,mlp; seeds=5", "30 runs: 3 of policy.kl × 2 of probe.kind × 5 seeds"},
		{" policy.kl = 0, 0.1 ;", "2 runs: 2 of policy.kl × 1 seed"},
		{"seeds=11,12,13", "3 runs: 3 seeds"},
	} {
		q := ask(t, "quick")
		paste(q, c.typed)
		if got := drawn(t, q, 100); !strings.Contains(got, c.says) {
			t.Errorf("%s:\n%s", c.typed, got)
		}
		if q.Type(screentest.Key("enter")) != prompt.Entered || q.Profile() == nil {
			t.Errorf("%s cannot be entered", c.typed)
		}
	}
	for _, c := range []struct{ typed, says string }{
		{"seeds=1", "one run is no sweep"},
		{"", "one run is no sweep"},
		{"seeds=", "seeds: no value"},
		{"seeds=0", "seeds: "},
		{"seeds=2; seeds=3", "seeds is given twice"},
		{"policy.kl=0,0.1; policy.kl = 0.2", "policy.kl is given twice"},
		{"policy.kl=; seeds=2", "policy.kl: no values"},
		{"policy.kll=0,1", "policy.kll: unknown key; nearest is policy.kl"},
		{"policy.kl=0,x", "policy.kl: value 2"},
		{"policy.kl", "policy.kl: no values"},
		{"policy.kl=0,0", "is there already"},
		{"run.seed=1,2", "run.seed: cannot be an axis"},
		{"policy.kl=0,0.1; policy.steps=8,2", "policy.steps: 3 warm-up steps are more than all 2 steps"},
	} {
		q := ask(t, "quick")
		paste(q, c.typed)
		if got := drawn(t, q, 100); !strings.Contains(got, c.says) {
			t.Errorf("%q: %q is not said:\n%s", c.typed, c.says, got)
		}
		if q.Type(screentest.Key("enter")) != prompt.Typing || q.Profile() != nil {
			t.Errorf("%q can be entered", c.typed)
		}
	}
	q := ask(t, "quick")
	if got := drawn(t, q, 100); !strings.Contains(got, "For example: policy.kl=0,0.1; seeds=3") || strings.Contains(got, "no sweep") {
		t.Errorf("before anything is typed:\n%s", got)
	}
	if q.Type(screentest.Key("enter")); !strings.Contains(drawn(t, q, 100), "one run is no sweep") {
		t.Error("Enter does not say what is wrong")
	}
	if q.Type(screentest.Key("esc")) != prompt.Left {
		t.Error("Escape does not leave")
	}
}

func TestHostileTextStaysInTheBox(t *testing.T) {
	for _, s := range fixture.HostileTexts() {
		q := ask(t, "quick")
		paste(q, "policy.kl="+s+";"+s)
		for _, width := range []int{1, 7, 20, 60} {
			for line := range strings.SplitSeq(drawn(t, q, width), "\n") {
				if text.Width(line) > width || line != text.Safe(line) {
					t.Errorf("width %d: %.80q", width, line)
				}
			}
		}
	}
}
