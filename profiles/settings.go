package profiles

import (
	"slices"
	"strings"
)

// sweepSeeds is the place of the seed of a sweep's cell.
const sweepSeeds = "sweep.seeds"

// Settings are the keys that sets or, in a sweep's cell, axes changed over the profile, KEY=VALUE each as Load takes it, in the order of the schema.
// The seed is not among them: it is told of every run.
func (p *Profile) Settings() []string {
	cell := p.origins[seedKey].place == sweepSeeds
	var out []string
	for _, f := range fields(p) {
		axis := cell && slices.ContainsFunc(p.Sweep.Axes, func(a Axis) bool { return a.Key == f.key })
		if f.key == seedKey || strings.HasPrefix(f.key, "sweep.") || p.origins[f.key].place != setPlace && !axis {
			continue
		}
		out = append(out, f.key+"="+Plain(element(f.value)))
	}
	return out
}
