package charts

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verge/profiles"
)

func TestThePipelineKnowsTheArmsOfPROPEL(t *testing.T) {
	arms := profiles.Arms("propel")
	slices.Sort(arms)
	if d := cmp.Diff(arms, slices.Sorted(maps.Keys(propelArms))); d != "" {
		t.Error(d)
	}
}
