package weakness

import (
	"math"
	"testing"

	"verge/domains"
)

func steps(mode string, ok ...bool) []domains.Step {
	var out []domains.Step
	for _, o := range ok {
		out = append(out, domains.Step{Mode: mode, OK: o})
	}
	return out
}

func TestRatesAreOfStepsAndIntervalsOfTasks(t *testing.T) {
	got := Measure([]Attempt{
		{Task: "a", Steps: append(steps("carry", true, false), steps("sign", true)...)},
		{Task: "a", Steps: steps("carry", false, false)},
		{Task: "b", Steps: steps("carry", true, true, true, false)},
	}, []string{"sign", "borrow", "carry"})
	if len(got) != 2 || got[0].Mode != "sign" || got[1].Mode != "carry" {
		t.Fatalf("modes %+v", got)
	}
	carry := got[1]
	if carry.Steps != 8 || carry.Failed != 4 || carry.Tasks != 2 || carry.Rate != 0.5 {
		t.Errorf("carry %+v", carry)
	}
	// Residuals sum to 1 on task a and to −1 on task b: the squared error is 2/8².
	if se := math.Sqrt2 / 8; math.Abs(carry.Low-(0.5-1.959963984540054*se)) > 1e-12 || math.Abs(carry.High-(0.5+1.959963984540054*se)) > 1e-12 {
		t.Errorf("interval %g to %g", carry.Low, carry.High)
	}
}

func TestRepeatingATaskDoesNotNarrowTheInterval(t *testing.T) {
	var many []Attempt
	for range 1000 {
		many = append(many, Attempt{Task: "a", Steps: steps("carry", false)})
	}
	got := Measure(many, []string{"carry"})[0]
	if got.Rate != 1 || got.Low > 0.25 || got.High != 1 {
		t.Errorf("one task, a thousand failures: %+v", got)
	}
}
