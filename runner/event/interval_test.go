package event

import (
	"fmt"
	"math"
	"testing"
)

// evaluated is the in-band rate of tasks, each proposed some times; a proposal is in band where hit says so.
func evaluated(t *testing.T, tasks, times int, hit func(proposal int) bool) Rate {
	t.Helper()
	events := []Event{started("base")}
	for i := range tasks * times {
		verdicts := "rr"
		if hit(i) {
			verdicts = "rw"
		}
		events = append(events, propose(key("base", Eval, i), fmt.Sprint(i%tasks), "", true, verdicts)...)
	}
	return fold(t, events...).Arm("base").Eval.InBandRate()
}

func TestIntervals(t *testing.T) {
	never, always := func(int) bool { return false }, func(int) bool { return true }
	even := func(i int) bool { return i%2 == 0 }
	for name, test := range map[string]struct {
		rate      Rate
		low, high float64
	}{
		"none of ten is not ±0":                 {evaluated(t, 10, 1, never), 0, .27753280},
		"ten of ten is not ±0":                  {evaluated(t, 10, 1, always), .72246720, 1},
		"repetition does not narrow all":        {evaluated(t, 10, 30, always), .72246720, 1},
		"50 of 100 is ± 1.96 standard errors":   {evaluated(t, 100, 1, even), .5 - z*.05, .5 + z*.05},
		"repetition does not narrow the middle": {evaluated(t, 100, 5, even), .5 - z*.05, .5 + z*.05},
		"one task alone says nothing":           {evaluated(t, 1, 100, even), 0, 1},
	} {
		low, high, ok := test.rate.Interval()
		if !ok || math.Abs(low-test.low) > 5e-9 || math.Abs(high-test.high) > 5e-9 {
			t.Errorf("%s: [%v, %v], %v, want [%v, %v]", name, low, high, ok, test.low, test.high)
		}
	}
	if low, high, ok := (Rate{}).Interval(); ok {
		t.Errorf("interval of nothing: [%v, %v], want none", low, high)
	}
}

func TestTimes(t *testing.T) {
	quarter := evaluated(t, 100, 1, func(i int) bool { return i%4 == 0 })
	half := evaluated(t, 100, 1, func(i int) bool { return i%2 == 0 })
	all := evaluated(t, 100, 1, func(int) bool { return true })
	none := evaluated(t, 100, 1, func(int) bool { return false })

	// log-variance: (½·½/100)/¼ + (¼·¾/100)/(1/16) = 0.01 + 0.03
	value, low, high, ok := half.Times(quarter)
	if !ok || value != 2 || math.Abs(*low-2*math.Exp(-z*.2)) > 1e-12 || math.Abs(*high-2*math.Exp(z*.2)) > 1e-12 {
		t.Errorf("ratio %v [%v, %v], %v, want 2 [%v, %v]", value, *low, *high, ok, 2*math.Exp(-z*.2), 2*math.Exp(z*.2))
	}
	for name, r := range map[string]Rate{"all": all, "none": none} {
		if _, low, high, ok := r.Times(quarter); !ok || low != nil || high != nil {
			t.Errorf("ratio of %s: interval [%v, %v], %v, want a value without", name, low, high, ok)
		}
	}
	for name, base := range map[string]Rate{"none": none, "nothing": {}} {
		if v, _, _, ok := half.Times(base); ok {
			t.Errorf("ratio to %s = %v, want undefined", name, v)
		}
	}
}

func TestTrialsAddUpToTheRateOfAStage(t *testing.T) {
	quarter := func(i int) bool { return i%4 == 0 }
	var trials Trials
	for i := range 300 {
		trials.Add(fmt.Sprint(i%100), 1, 0)
		if quarter(i) {
			trials.Add(fmt.Sprint(i%100), 0, 1)
		}
	}
	if got, want := trials.Rate(), evaluated(t, 100, 3, quarter); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
