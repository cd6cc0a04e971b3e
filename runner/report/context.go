package report

import "verge/runner/event"

// asksFor is what a context policy asks for at the end of its training; nil of any other.
func asksFor(a *event.Arm) []event.FactorLearned {
	if len(a.Contexts) == 0 {
		return nil
	}
	return a.Contexts[len(a.Contexts)-1].Factors
}

// contexts is the table of the options that context policies ask for most, beside what an untrained one asks for.
func contexts(p *page, arms []Arm) {
	var cells [][]string
	for _, a := range arms {
		for _, f := range a.AsksFor {
			best := 0
			for i, x := range f.Probabilities {
				if x > f.Probabilities[best] {
					best = i
				}
			}
			option, even := f.Options[best], 1/float64(len(f.Options))
			if option == "" {
				option = "(nothing)"
			}
			cells = append(cells, []string{clean(a.Name), clean(f.Name), clean(option), percent(&f.Probabilities[best]), percent(&even)})
		}
	}
	p.grid(2, []string{"asks for", "factor", "most of all", "how often", "untrained"}, cells)
}

// nats is a figure of a policy's distribution: of a token, or of a cue where it says so.
func nats(v *float64, perCue bool) string {
	if v == nil || !perCue {
		return number(v)
	}
	return number(v) + " a cue"
}
