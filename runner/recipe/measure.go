package recipe

import (
	"verge/domains"
	"verge/probes/diversity"
	"verge/probes/weakness"
	"verge/runner/event"
	"verge/runner/lab"
)

// diversity measures the variety of the valid tasks among an arm's proposals, all of one stage and step.
func (b *Bench) diversity(arm string, proposals []*lab.Proposal) (event.DiversityMeasured, error) {
	e := event.DiversityMeasured{Arm: arm, Stage: proposals[0].Key.Stage, Step: proposals[0].Key.Step}
	var statements, types []string
	for _, p := range proposals {
		if p.Valid() {
			statements = append(statements, p.Task.Statement)
			types = append(types, p.Task.Type)
		}
	}
	r, err := diversity.Measure(statements, types, diversity.Options{Sample: b.Profile.Diversity.Sample, Seed: b.Lab.Seed})
	if err != nil {
		return e, err
	}
	e.Statements, e.Sampled = r.Statements, r.Sampled
	e.SelfBLEU3, e.Distinct3, e.Vendi, e.VendiFeatures = r.SelfBLEU3, r.Distinct3, r.Vendi, r.VendiFeatures
	e.TopType, e.EffectiveTypes = r.Types.Top, r.Types.Effective
	return e, nil
}

// overlap is how many of the different valid tasks of proposals are among those of a corpus; nil without one.
func overlap(proposals []*lab.Proposal, corpus map[string]bool) *event.Overlap {
	if corpus == nil {
		return nil
	}
	var o event.Overlap
	for id := range taskSet(proposals) {
		o.Tasks++
		if corpus[id] {
			o.InCorpus++
		}
	}
	return &o
}

// taskSet is the valid tasks of proposals, by ID.
func taskSet(proposals []*lab.Proposal) map[string]bool {
	ids := map[string]bool{}
	for _, p := range proposals {
		if p.Valid() {
			ids[p.Task.ID] = true
		}
	}
	return ids
}

// weakness is what the solver failed at among an arm's graded attempts.
func (b *Bench) weakness(arm string, proposals []*lab.Proposal) event.WeaknessUpdated {
	var attempts []weakness.Attempt
	for _, p := range proposals {
		for k, g := range p.Gradings {
			if g.Verdict == domains.Right || g.Verdict == domains.Wrong {
				attempts = append(attempts, weakness.Attempt{Task: p.Task.ID, Steps: p.Steps[k]})
			}
		}
	}
	measured, silent := weakness.Measure(attempts, b.Lab.Domain.Modes())
	e := event.WeaknessUpdated{Arm: arm, Modes: []event.ModeRate{}, Attempts: len(attempts), Silent: silent}
	for _, m := range measured {
		e.Modes = append(e.Modes, event.ModeRate(m))
	}
	return e
}
