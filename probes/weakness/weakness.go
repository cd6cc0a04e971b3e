// Package weakness says what a solver fails at: for each mode of step, how often a step of that mode is wrong.
package weakness

import (
	"math"

	"verge/domains"
	"verge/probes/metric"
)

// Attempt is one graded attempt: the task it was made at, and its steps.
type Attempt struct {
	Task  string // attempts at one task are not independent
	Steps []domains.Step
}

// Mode is how a solver does at one mode.
type Mode struct {
	Mode   string
	Steps  int // of that mode
	Failed int // of them, those that do not hold
	Tasks  int // different tasks they belong to
	Rate   float64
	// Low and High are a 95 % interval of Rate with the task as the unit; with all steps alike, Wilson's over the tasks.
	Low, High float64
}

// Measure is the failure rate of every mode that the attempts' steps exercise, in the order of modes. A mode that none exercises is left out:
// it is unmeasured, not strong.
func Measure(attempts []Attempt, modes []string) []Mode {
	failed := map[string][]float64{}
	tasks := map[string][]string{}
	for _, a := range attempts {
		for _, s := range a.Steps {
			y := 1.0
			if s.OK {
				y = 0
			}
			failed[s.Mode] = append(failed[s.Mode], y)
			tasks[s.Mode] = append(tasks[s.Mode], a.Task)
		}
	}
	var out []Mode
	for _, name := range modes {
		y := failed[name]
		if len(y) == 0 {
			continue
		}
		m := Mode{Mode: name, Steps: len(y)}
		for _, v := range y {
			m.Failed += int(v)
		}
		different := map[string]bool{}
		for _, t := range tasks[name] {
			different[t] = true
		}
		m.Tasks = len(different)
		m.Rate = float64(m.Failed) / float64(m.Steps)
		m.Low, m.High = interval(m, y, tasks[name])
		out = append(out, m)
	}
	return out
}

func interval(m Mode, y []float64, tasks []string) (low, high float64) {
	se, ok := metric.ClusterSE(y, tasks)
	if !ok || se == 0 || m.Tasks < 2 {
		return metric.Wilson(int(math.Round(m.Rate*float64(m.Tasks))), m.Tasks)
	}
	const z = 1.959963984540054
	return math.Max(0, m.Rate-z*se), math.Min(1, m.Rate+z*se)
}
