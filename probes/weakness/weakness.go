// Package weakness says what a solver fails at: for each mode of step, how often a step of that mode is wrong.
package weakness

import (
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
	// Low and High are a 95 % interval of Rate with the task as the unit: see metric.ClusterWilson.
	Low, High float64
}

// Measure is the failure rate of every mode that the attempts' steps exercise, in the order of modes. A mode that none exercises is left out:
// it is unmeasured, not strong. An attempt without steps, such as an empty reply, says nothing of any mode; how many there were is silent.
func Measure(attempts []Attempt, modes []string) (measured []Mode, silent int) {
	failed := map[string][]float64{}
	tasks := map[string][]string{}
	for _, a := range attempts {
		if len(a.Steps) == 0 {
			silent++
		}
		for _, s := range a.Steps {
			y := 1.0
			if s.OK {
				y = 0
			}
			failed[s.Mode] = append(failed[s.Mode], y)
			tasks[s.Mode] = append(tasks[s.Mode], a.Task)
		}
	}
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
		m.Low, m.High = metric.ClusterWilson(y, tasks[name])
		measured = append(measured, m)
	}
	return measured, silent
}
