package report

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"verge/runner/report/paired"
	"verge/runner/store"
)

// sweepFigures are those of an arm that a sweep averages and compares.
var sweepFigures = []struct {
	name, heading string
	of            func(Arm) *float64
}{
	{"in_band", "in band", func(a Arm) *float64 { return a.InBand }},
	{"valid", "valid", func(a Arm) *float64 { return a.Valid }},
	{"in_band_given_valid", "in band of valid", func(a Arm) *float64 { return a.InBandGivenValid }},
	{"top_type", "top type", func(a Arm) *float64 { return a.TopType }},
}

// SweepComparison compares a figure of an arm under some settings with that of another arm or under other settings, paired by seed.
type SweepComparison struct {
	Figure   string   `json:"figure"`
	Arm      string   `json:"arm"`
	Settings Settings `json:"settings"`
	Against  Side     `json:"against"`
	Axis     string   `json:"axis,omitempty"` // whose value Against has the first of; "": Against is another arm
	paired.Comparison
}

// Side is what an arm is compared with.
type Side struct {
	Arm      string   `json:"arm"`
	Settings Settings `json:"settings"`
}

// bootstrapSeed only matters beyond paired.ExactSeeds.
const bootstrapSeed = 1

// references are the arms that the others are compared with under the same settings: the base, and the recipe's own method.
func (s *Sweep) references() []string {
	if s.Method == "" {
		return []string{"base"}
	}
	return []string{"base", s.Method}
}

// Compare fills in the comparisons: of each arm with the reference arms under the same settings, and of each arm with itself under the first value
// of each axis, all other settings being the same. Only cells that are done have figures.
func (s *Sweep) Compare() error {
	groups := s.groups()
	s.Comparisons = []SweepComparison{}
	for i, reference := range s.references() {
		for _, g := range groups {
			for _, arm := range g.arms() {
				if slices.Contains(s.references()[:i+1], arm) || !slices.Contains(g.arms(), reference) {
					continue
				}
				if err := s.compare(g, arm, g, reference, ""); err != nil {
					return err
				}
			}
		}
	}
	for i, axis := range s.Axes {
		for _, g := range groups {
			first := slices.Clone(g.settings)
			first[i].Value = axis.Values[0]
			at := slices.IndexFunc(groups, func(o group) bool { return o.settings.String() == first.String() })
			if at < 0 || first.String() == g.settings.String() {
				continue
			}
			for _, arm := range g.arms() {
				if err := s.compare(g, arm, groups[at], arm, axis.Key); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// compare adds the comparisons of all figures, if both sides have any.
func (s *Sweep) compare(a group, armA string, b group, armB, axis string) error {
	for _, f := range sweepFigures {
		c, err := paired.Compare(a.values(armA, f.of), b.values(armB, f.of), bootstrapSeed)
		if err != nil {
			return err
		}
		s.Comparisons = append(s.Comparisons, SweepComparison{Figure: f.name, Arm: armA, Settings: a.settings, Against: Side{armB, b.settings}, Axis: axis, Comparison: c})
	}
	return nil
}

// Headline is the sweep in a line, such as "propel in band 25.8 % (base 10.2 %)": means over the seeds that are done, of the recipe's own arm and of
// the base, or where there are several settings the least and the most of the arm's. "" while none is done.
func (s *Sweep) Headline() string {
	arm, groups, means := s.headline()
	if len(means) == 0 {
		return ""
	}
	least, most := slices.Min(means), slices.Max(means)
	line := fmt.Sprintf("%s in band %s", arm, percent(&least))
	if len(groups) > 1 {
		if percent(&most) != percent(&least) {
			line += " to " + percent(&most)
		}
		return line + fmt.Sprintf(" under %d of %d settings", len(means), len(groups))
	}
	if base, _, n := groups[0].meanSE("base", inBand); arm != "base" && n > 0 {
		line += fmt.Sprintf(" (base %s)", percent(&base))
	}
	return line
}

// Figure is the first figure of the headline, which sweeps are ordered by; nil where it has none.
func (s *Sweep) Figure() *float64 {
	_, _, means := s.headline()
	if len(means) == 0 {
		return nil
	}
	least := slices.Min(means)
	return &least
}

func inBand(a Arm) *float64 { return a.InBand }

// headline is the arm that a headline is about, and its share in band under each setting that has one.
func (s *Sweep) headline() (arm string, groups []group, means []float64) {
	arm, groups = "base", s.groups()
	if slices.ContainsFunc(groups, func(g group) bool { return slices.Contains(g.arms(), s.Method) }) {
		arm = s.Method
	}
	for _, g := range groups {
		if mean, _, n := g.meanSE(arm, inBand); n > 0 {
			means = append(means, mean)
		}
	}
	return arm, groups, means
}

// group is the cells of one combination of settings.
type group struct {
	settings Settings
	cells    []Cell
}

func (s *Sweep) groups() []group {
	var groups []group
	for _, c := range s.Cells {
		i := slices.IndexFunc(groups, func(g group) bool { return g.settings.String() == c.Settings.String() })
		if i < 0 {
			i = len(groups)
			groups = append(groups, group{settings: c.Settings})
		}
		groups[i].cells = append(groups[i].cells, c)
	}
	return groups
}

// arms lists the arms of the group's cells that are done, in their order.
func (g group) arms() []string {
	var names []string
	for _, c := range g.cells {
		for _, a := range c.Arms {
			if !slices.Contains(names, a.Name) {
				names = append(names, a.Name)
			}
		}
	}
	return names
}

// values are a figure of an arm by seed, of the cells that are done and define it.
func (g group) values(arm string, of func(Arm) *float64) map[uint64]float64 {
	values := map[uint64]float64{}
	for _, c := range g.cells {
		for _, a := range c.Arms {
			if v := of(a); a.Name == arm && v != nil {
				values[c.Seed] = *v
			}
		}
	}
	return values
}

// done counts the group's cells that have figures.
func (g group) done() int {
	n := 0
	for _, c := range g.cells {
		if c.State == store.Done {
			n++
		}
	}
	return n
}

// meanSE is the mean of a figure over n seeds and its standard error, the seed being the unit (n − 1); no error of fewer than two.
func (g group) meanSE(arm string, of func(Arm) *float64) (mean, se float64, n int) {
	var values []float64
	byArm := g.values(arm, of)
	for _, c := range g.cells { // in the order of the cells, so that the sum is the same every time
		if v, ok := byArm[c.Seed]; ok {
			values = append(values, v)
		}
	}
	switch n = len(values); n {
	case 0:
		return 0, 0, 0
	case 1:
		return values[0], 0, 1
	}
	mean, sd := stat.MeanStdDev(values, nil)
	return mean, stat.StdErr(sd, float64(n)), n
}
