package weakness

import (
	"testing"

	"verge/domains"
	"verge/probes/metric"
)

func steps(mode string, ok ...bool) []domains.Step {
	var out []domains.Step
	for _, o := range ok {
		out = append(out, domains.Step{Mode: mode, OK: o})
	}
	return out
}

func TestRatesAreOfStepsAndIntervalsOfTasks(t *testing.T) {
	got, silent := Measure([]Attempt{
		{Task: "a", Steps: append(steps("carry", true, false), steps("sign", true)...)},
		{Task: "a", Steps: steps("carry", false, false)},
		{Task: "b", Steps: steps("carry", true, true, true, false)},
		{Task: "b"}, {Task: "c", Steps: []domains.Step{}},
	}, []string{"sign", "borrow", "carry"})
	if silent != 2 {
		t.Errorf("%d attempts without steps, want 2", silent)
	}
	if len(got) != 2 || got[0].Mode != "sign" || got[1].Mode != "carry" {
		t.Fatalf("modes %+v", got)
	}
	carry := got[1]
	if carry.Steps != 8 || carry.Failed != 4 || carry.Tasks != 2 || carry.Rate != 0.5 {
		t.Errorf("carry %+v", carry)
	}
	// Two tasks say little, however many steps they have.
	if low, high := metric.ClusterWilson([]float64{0, 1, 1, 1, 0, 0, 0, 1}, []string{"a", "a", "a", "a", "b", "b", "b", "b"}); carry.Low != low || carry.High != high || high-low < .9 {
		t.Errorf("interval %g to %g, want %g to %g", carry.Low, carry.High, low, high)
	}
}

func TestRepeatingATaskDoesNotNarrowTheInterval(t *testing.T) {
	var many []Attempt
	for range 1000 {
		many = append(many, Attempt{Task: "a", Steps: steps("carry", false)})
	}
	modes, _ := Measure(many, []string{"carry"})
	if got := modes[0]; got.Rate != 1 || got.Low > 0.25 || got.High != 1 {
		t.Errorf("one task, a thousand failures: %+v", got)
	}
}
