package recipe

import (
	"context"
	"math"

	"verge/probes/metric"
	"verge/runner/event"
	"verge/runner/lab"
)

// Monitored is a task of a policy that was attempted to see whether the probe that rewards the policy still ranks its tasks.
type Monitored struct {
	Logit  float64 `json:"logit"`
	InBand bool    `json:"in_band"`
	Group  string  `json:"group"` // of near-duplicates
}

// monitorWindow is how many measurements the figures of each are taken over: one alone has too few tasks to rank.
const monitorWindow = 4

// monitorDraws is of the bootstrap over groups.
const monitorDraws = 1000

// monitor attempts the first of an update's different valid tasks, where one is due, and returns the recent tasks with them. What it finds is
// emitted and has no part in training; what it attempts is billed to it.
func (b *Bench) monitor(ctx context.Context, arm, probe string, step int, proposals []*lab.Proposal, rewards []float64, recent []Monitored) ([]Monitored, error) {
	o := b.Profile.Probe
	if probe == "" || o.MonitorEvery == 0 || step%o.MonitorEvery != 0 {
		return recent, nil
	}
	var tasks []*lab.Proposal
	logit, seen := map[string]float64{}, map[string]bool{}
	for i, p := range proposals {
		if len(tasks) < o.MonitorTasks && p.Valid() && !math.IsNaN(rewards[i]) && !seen[p.Task.ID] {
			seen[p.Task.ID], logit[p.Task.ID] = true, rewards[i]
			tasks = append(tasks, p)
		}
	}
	if err := b.Lab.Attempt(ctx, tasks); err != nil {
		return nil, err
	}
	e := event.ProbeMonitored{Arm: arm, Step: step, Probe: probe}
	for _, p := range tasks {
		inBand, graded := b.labelled(p)
		if !graded {
			continue
		}
		recent = append(recent, Monitored{logit[p.Task.ID], inBand, b.Lab.Domain.Skeleton(p.Task)})
		e.Tasks++
	}
	recent = recent[max(0, len(recent)-monitorWindow*o.MonitorTasks):]

	var logits []float64
	var inBand []bool
	var groups []string
	for _, m := range recent {
		logits, inBand, groups = append(logits, m.Logit), append(inBand, m.InBand), append(groups, m.Group)
		if m.InBand {
			e.InBand++
		}
	}
	e.Recent = len(recent)
	if area, ok := metric.AUROC(logits, inBand); ok {
		e.AUROC = &area
	}
	if low, high, ok := metric.AUROCInterval(logits, inBand, groups, monitorDraws, b.Lab.Seed); ok {
		e.AUROCLow, e.AUROCHigh = &low, &high
	}
	return recent, b.emit(e)
}
