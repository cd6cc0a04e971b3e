package report

import (
	"fmt"
	"slices"

	"verge/runner/event"
)

// Training is how an arm's updates went.
type Training struct {
	Updates int       `json:"updates"`
	Reward  FirstLast `json:"reward"`  // mean over scorable proposals
	Length  FirstLast `json:"length"`  // sampled tokens a proposal
	Entropy FirstLast `json:"entropy"` // nats a token, or a cue
	KL      FirstLast `json:"kl"`      // nats a token, or a cue, to where training started
	// DeadGroups is the share of all updates' groups that had nothing to teach; null without groups.
	DeadGroups *float64 `json:"dead_groups"`
	Unused     int      `json:"unused_proposals"` // made for an update that was not made
}

// FirstLast is a figure at the first update and at the last.
type FirstLast struct {
	First float64 `json:"first"`
	Last  float64 `json:"last"`
}

// training is nil of an arm without updates.
func training(a *event.Arm) *Training {
	curve := a.Curve
	if len(curve) == 0 {
		return nil
	}
	first, last := curve[0], curve[len(curve)-1]
	t := &Training{Updates: len(curve), Reward: FirstLast{first.Reward, last.Reward}, Length: FirstLast{first.Length, last.Length},
		Entropy: FirstLast{first.Entropy, last.Entropy}, KL: FirstLast{first.KL, last.KL}, Unused: a.Unused()}
	dead, groups := 0, 0
	for _, u := range curve {
		dead += u.Dead
		groups += u.Groups
	}
	if groups > 0 {
		share := float64(dead) / float64(groups)
		t.DeadGroups = &share
	}
	return t
}

// trainings is the table of how the arms' updates went.
func trainings(p *page, arms []Arm) {
	var cells [][]string
	for _, a := range arms {
		if t := a.Training; t != nil {
			cells = append(cells, []string{clean(a.Name), fmt.Sprint(t.Updates), t.Reward.text(2), t.Length.text(1), t.Entropy.text(2), t.KL.text(3), percent(t.DeadGroups)})
		}
	}
	p.grid(1, []string{"training of", "updates", "reward", "tokens", "entropy, nats", "KL, nats", "dead groups"}, cells)
}

func (f FirstLast) text(digits int) string {
	return fmt.Sprintf("%.*f to %.*f", digits, f.First, digits, f.Last)
}

// probes is the table of how well the probes that rewarded the arms rank tasks: held out, and of the policy they reward where that was monitored.
func probes(p *page, arms []Arm) {
	headings := []string{"probe of", "AUROC", "balanced accuracy", "RVP"}
	monitored := slices.ContainsFunc(arms, func(a Arm) bool { return a.Monitored != nil })
	if monitored {
		headings = append(headings, "AUROC on its policy, last")
	}
	var cells [][]string
	for _, a := range arms {
		q := a.Probe
		if q == nil {
			continue
		}
		row := []string{clean(a.Name), within(q.AUROC, q.AUROCLow, q.AUROCHigh), number(q.BalancedAccuracy), number(q.RVP)}
		if m := a.Monitored; m != nil {
			row = append(row, fmt.Sprintf("%s, %d tasks", within(m.AUROC, m.AUROCLow, m.AUROCHigh), m.Recent))
		} else if monitored {
			row = append(row, "-")
		}
		cells = append(cells, row)
	}
	p.grid(1, headings, cells)
}

// calibrations is the table of the probes' probabilities, as they are and calibrated.
func calibrations(p *page, arms []Arm) {
	var cells [][]string
	for _, a := range arms {
		if a.Probe == nil {
			continue
		}
		of := map[string]event.Calibration{} // of a run of before there were any: none
		for _, c := range a.Probe.Calibrations {
			of[c.Method] = c
		}
		isotonic, platt := of[event.Isotonic], of[event.Platt]
		cells = append(cells, []string{clean(a.Name), number(a.Probe.Brier), number(isotonic.Brier), number(platt.Brier),
			number(a.Probe.ECE), number(isotonic.ECE), number(platt.ECE)})
	}
	p.grid(1, []string{"calibration", "Brier", "isotonic", "Platt", "ECE", "isotonic", "Platt"}, cells)
}

// within is a figure and its interval.
func within(v, low, high *float64) string {
	if v == nil || low == nil || high == nil {
		return number(v)
	}
	return fmt.Sprintf("%.3f [%.3f, %.3f]", *v, *low, *high)
}
