package store

import (
	"cmp"
	"slices"
)

// TellApart is the runs with the settings first that fewest of a profile's runs have: what is cut of a list has to be what they share.
func TellApart(runs []RunInfo) []RunInfo {
	type setting struct{ profile, text string }
	have := map[setting]int{}
	for _, r := range runs {
		for _, s := range r.Settings {
			have[setting{r.Profile, s}]++
		}
	}
	out := slices.Clone(runs)
	for i := range out {
		r := &out[i]
		r.Settings = slices.Clone(r.Settings)
		slices.SortStableFunc(r.Settings, func(a, b string) int {
			return cmp.Compare(have[setting{r.Profile, a}], have[setting{r.Profile, b}])
		})
	}
	return out
}
