package charts

import (
	"strings"
	"testing"

	"verge/tui/fixture"
	"verge/tui/pane"
	"verge/tui/theme"
)

func TestThePolicyPaneShowsWhatAContextPolicyAsksFor(t *testing.T) {
	s := fixture.NewSession(fixture.Steered())
	look, err := theme.New("dark")
	if err != nil {
		t.Fatal(err)
	}
	c := pane.Context{Snapshot: s.Board(), Theme: look, Arm: "propel"}
	lines := strings.Join(newPolicy().View(c, 80, 24), "\n")
	for _, want := range []string{"topic: shopping", "75.0 %", "1.50", "difficulty: easy", "nats/cue"} {
		if !strings.Contains(lines, want) {
			t.Errorf("%q is not shown:\n%s", want, lines)
		}
	}
	// The likeliest option comes first.
	if strings.Index(lines, "topic: shopping") > strings.Index(lines, "topic: nothing said") && strings.Contains(lines, "topic: nothing said") {
		t.Errorf("the options are not ordered:\n%s", lines)
	}
}
