package profiles

import (
	"slices"
	"strings"
)

// String is the axis as the command line takes it: KEY=VALUE,VALUE.
func (a Axis) String() string {
	values := make([]string, len(a.Values))
	for i, v := range a.Values {
		values[i] = element(v)
		if _, isText := v.(string); isText {
			values[i] = Plain(values[i])
		}
	}
	return a.Key + "=" + strings.Join(values, ",")
}

// String is the seeds as the command line takes them: their number, or the seeds themselves.
func (s Seeds) String() string {
	text, err := s.MarshalTOML()
	if err != nil {
		panic("profiles: seeds cannot be written: " + err.Error())
	}
	return strings.ReplaceAll(strings.Trim(string(text), "[]"), " ", "")
}

// WithGrid is the profile with a sweep of these axes and seeds, each as the command line takes it, instead of its own. No seeds are one.
func (p *Profile) WithGrid(axes []string, seeds string) (*Profile, error) {
	var layers [][]entry
	for _, l := range p.layers {
		layers = append(layers, slices.DeleteFunc(slices.Clone(l), func(e entry) bool {
			return e.key == sweepSeeds || strings.HasPrefix(e.key, axesKey+".")
		}))
	}
	for _, text := range axes {
		layers = append(layers, []entry{parseAxis(text)})
	}
	if seeds != "" {
		layers = append(layers, []entry{parseSet(sweepSeeds + "=" + seeds)})
	}
	return build(p.Name, layers)
}
