package profiles

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestAGridIsWrittenAsItIsTyped(t *testing.T) {
	for _, p := range []*Profile{
		mustParse(t, swept), mustLoad(t, "ablate-kl"), mustLoad(t, "ablate-probe"), mustLoad(t, "quick"),
		mustParse(t, `sweep = { seeds = [9, 2], axes = { "policy.kl" = [1], "run.arms" = [["base"], ["base", "propel"]], "probe.l2" = [[1], [1, 10]], "probe.layer" = ["auto", 2] } }`),
	} {
		var axes []string
		for _, a := range p.Sweep.Axes {
			axes = append(axes, a.String())
		}
		q, err := p.WithGrid(axes, p.Sweep.Seeds.String())
		if err != nil {
			t.Errorf("%q, %s: %v", axes, p.Sweep.Seeds, err)
			continue
		}
		if diff := cmp.Diff(p.Sweep, q.Sweep, cmpopts.IgnoreUnexported(Axis{})); diff != "" {
			t.Errorf("%q: %s", axes, diff)
		}
		if p.Hash() != q.Hash() {
			t.Errorf("%q: another profile", axes)
		}
	}
}

func TestAGridTakesThePlaceOfTheProfiles(t *testing.T) {
	p, err := mustParse(t, swept).WithGrid([]string{"policy.group=4,8"}, "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string][]any{"policy.group": {int64(4), int64(8)}}, axesOf(p)); diff != "" {
		t.Error(diff)
	}
	if p.Sweep.Seeds.Count != 1 || p.Sweep.Seeds.List != nil {
		t.Errorf("seeds %s", p.Sweep.Seeds)
	}
	for _, wrong := range [][2]string{{"policy.kll=1,2", "1"}, {"policy.kl", "1"}, {"policy.kl=x", "1"}, {"policy.kl=1,2", "0"}, {"run.seed=1,2", "1"}} {
		if _, err := p.WithGrid([]string{wrong[0]}, wrong[1]); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}
