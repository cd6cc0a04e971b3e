package profiles_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"verge/profiles"
)

func TestAGridReadsBackAsTheSameSweep(t *testing.T) {
	p, err := profiles.Load("ablate-kl", []string{"policy.steps=7"})
	if err != nil {
		t.Fatal(err)
	}
	if p, err = p.ForSweep([]string{`probe.kind=linear,mlp`, "policy.targets=[\"attn_q\"]"}); err != nil {
		t.Fatal(err)
	}
	grid, err := p.Grid()
	if err != nil {
		t.Fatal(err)
	}
	q, err := profiles.Parse("ablate-kl", grid, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, grid)
	}
	type axis struct {
		Key    string
		Values []any
	}
	axes := func(p *profiles.Profile) (out []axis) {
		for _, a := range p.Sweep.Axes {
			out = append(out, axis{a.Key, a.Values})
		}
		return out
	}
	if diff := cmp.Diff(axes(p), axes(q)); diff != "" {
		t.Error(diff)
	}
	if p.Hash() != q.Hash() || !cmp.Equal(p.Sweep.Seeds, q.Sweep.Seeds) {
		t.Errorf("the profile reads back otherwise:\n%s", grid)
	}
}
