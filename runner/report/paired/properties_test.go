package paired

import (
	"maps"
	"testing"
)

// sizes are below and above what is enumerated.
var sizes = []int{3, 4, 5, ExactSeeds, ExactSeeds + 1, 20}

func TestSwappingTheCellsMirrorsTheComparison(t *testing.T) {
	for _, n := range sizes {
		a, b := noise(n, 1), noise(n, 2)
		a[100] = 1 // on one side only
		c, d := compare(t, a, b), compare(t, b, a)
		same(t, "difference", d.Difference.Value, ptr(-*c.Difference.Value))
		same(t, "lower end", d.Difference.Low, ptr(-*c.Difference.High))
		same(t, "upper end", d.Difference.High, ptr(-*c.Difference.Low))
		near(t, "ratio", d.Ratio.Value, 1 / *c.Ratio.Value)
		near(t, "lower end of the ratio", d.Ratio.Low, 1 / *c.Ratio.High)
		near(t, "upper end of the ratio", d.Ratio.High, 1 / *c.Ratio.Low)
		same(t, "p", d.Sign.P, c.Sign.P)
		if d.Sign.Higher != c.Sign.Lower || d.Sign.Lower != c.Sign.Higher || d.OnlyA != c.OnlyB || d.OnlyB != c.OnlyA {
			t.Errorf("counts %+v, swapped %+v", c, d)
		}
	}
}

func TestShiftingACellShiftsTheDifference(t *testing.T) {
	const by = .25
	for _, n := range sizes {
		a, b := noise(n, 3), noise(n, 4)
		shifted := maps.Clone(a)
		for s := range shifted {
			shifted[s] += by
		}
		c, d := compare(t, a, b), compare(t, shifted, b)
		near(t, "difference", d.Difference.Value, *c.Difference.Value+by)
		near(t, "lower end", d.Difference.Low, *c.Difference.Low+by)
		near(t, "upper end", d.Difference.High, *c.Difference.High+by)
	}
}

func TestScalingBothCellsKeepsTheRatio(t *testing.T) {
	for _, n := range sizes {
		a, b := noise(n, 5), noise(n, 6)
		c := compare(t, a, b)
		for s := range a {
			a[s] *= 3
			b[s] *= 3
		}
		d := compare(t, a, b)
		near(t, "ratio", d.Ratio.Value, *c.Ratio.Value)
		near(t, "lower end of the ratio", d.Ratio.Low, *c.Ratio.Low)
		near(t, "upper end of the ratio", d.Ratio.High, *c.Ratio.High)
		near(t, "lower end", d.Difference.Low, 3**c.Difference.Low)
		same(t, "p", d.Sign.P, c.Sign.P)
	}
}

// What a seed is called must not matter, and where all resamples are counted neither must their order.
func TestTheOrderOfSeedsDoesNotMatter(t *testing.T) {
	for _, n := range sizes {
		a, b := noise(n, 7), noise(n, 8)
		c := compare(t, a, b)
		reversedA, reversedB, laterA, laterB := map[uint64]float64{}, map[uint64]float64{}, map[uint64]float64{}, map[uint64]float64{}
		for s := range a {
			reversedA[1000-s], reversedB[1000-s] = a[s], b[s]
			laterA[1000+s], laterB[1000+s] = a[s], b[s]
		}
		later := compare(t, laterA, laterB)
		same(t, "lower end", later.Difference.Low, c.Difference.Low)
		same(t, "upper end", later.Difference.High, c.Difference.High)
		reversed := compare(t, reversedA, reversedB)
		near(t, "difference", reversed.Difference.Value, *c.Difference.Value)
		near(t, "ratio", reversed.Ratio.Value, *c.Ratio.Value)
		same(t, "p", reversed.Sign.P, c.Sign.P)
		if c.Exact {
			near(t, "lower end", reversed.Difference.Low, *c.Difference.Low)
			near(t, "upper end of the ratio", reversed.Ratio.High, *c.Ratio.High)
		}
	}
}

func TestTheBootstrapSeedMattersOnlyToRandomDraws(t *testing.T) {
	for _, n := range sizes {
		a, b := noise(n, 9), noise(n, 10)
		c, err := Compare(a, b, 1)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Compare(a, b, 1)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "lower end with the same seed", again.Difference.Low, c.Difference.Low)
		other, err := Compare(a, b, 2)
		if err != nil {
			t.Fatal(err)
		}
		if equal := *other.Difference.Low == *c.Difference.Low; equal != c.Exact {
			t.Errorf("%d seeds, exact %v: lower ends %v and %v", n, c.Exact, *c.Difference.Low, *other.Difference.Low)
		}
	}
}

func TestTheIntervalHoldsTheDifference(t *testing.T) {
	for seed := range uint64(40) {
		for _, n := range sizes {
			d := compare(t, noise(n, seed), noise(n, seed+100)).Difference
			if !(*d.Low <= *d.Value && *d.Value <= *d.High) {
				t.Errorf("%d seeds: difference %v outside [%v, %v]", n, *d.Value, *d.Low, *d.High)
			}
		}
	}
}
