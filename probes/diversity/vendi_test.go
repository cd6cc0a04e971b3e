package diversity

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func everyOne(vectors [][]float64) []int {
	items := make([]int, len(vectors))
	for i := range items {
		items[i] = i
	}
	return items
}

func vendi(t *testing.T, vectors ...[]float64) float64 {
	t.Helper()
	v, err := Vendi(vectors, everyOne(vectors))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestVendi(t *testing.T) {
	half := math.Sqrt(.75)
	for _, c := range []struct {
		name    string
		vectors [][]float64
		want    float64
	}{
		{"one", [][]float64{{3, 4}}, 1},
		{"two, similarity 0", [][]float64{{1, 0}, {0, 5}}, 2},
		{"two, similarity .5", [][]float64{{2, 0}, {.5, half}}, 1.7547653506},
		{"two, similarity 1", [][]float64{{1, 2}, {10, 20}}, 1},
		{"two, similarity −1", [][]float64{{1, 2}, {-1, -2}}, 1}, // λ = 1, 0 all the same
		{"three, all .5", [][]float64{{1, 1, 0}, {1, 0, 1}, {0, 1, 1}}, 2.3811015780},
		{"pair of .9 and one apart", [][]float64{{1, 0, 0}, {.9, math.Sqrt(.19), 0}, {0, 0, 1}}, // λ = 1.9/3, .1/3, 1/3
			math.Pow(3/1.9, 1.9/3) * math.Pow(30, .1/3) * math.Cbrt(3)}, // 2.1573
		{"four alike", [][]float64{{1, 1}, {1, 1}, {1, 1}, {1, 1}}, 1},
		{"four orthogonal", [][]float64{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}, 4},
		{"two of each of two", [][]float64{{1, 0}, {0, 1}, {1, 0}, {0, 1}}, 2},
	} {
		near(t, c.name, vendi(t, c.vectors...), c.want)
	}
}

func gaussian(n, d int, seed uint64) [][]float64 {
	rng := rand.New(rand.NewPCG(seed, 0))
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, d)
		for j := range out[i] {
			out[i][j] = rng.NormFloat64()
		}
	}
	return out
}

// Features that are zero for all items change no similarity, but may make the item side of the matrix the smaller one.
func TestVendiTakesEitherSideOfTheMatrix(t *testing.T) {
	narrow := gaussian(12, 5, 1)
	wide := make([][]float64, len(narrow))
	for i, v := range narrow {
		wide[i] = append(append([]float64{}, v...), make([]float64, 20)...)
	}
	near(t, "score by items", vendi(t, wide...), vendi(t, narrow...))
}

func TestVendiOfCopiesOfASetIsItsScore(t *testing.T) {
	set := gaussian(6, 9, 2)
	near(t, "score of two copies", vendi(t, append(append([][]float64{}, set...), set...)...), vendi(t, set...))
}

func TestVendiRefuses(t *testing.T) {
	for _, c := range []struct {
		vectors [][]float64
		want    string
	}{
		{nil, "at least one item"},
		{[][]float64{{}}, "at least one item"},
		{[][]float64{{1, 2}, {1}}, "vector 1 has 1 features"},
		{[][]float64{{1, 2}, {0, 0}}, "vector 1 is all zeros"},
		{[][]float64{{1, math.NaN()}}, "vector 0 has the length NaN"},
		{[][]float64{{1, 2}, {math.Inf(-1), 0}}, "vector 1 has the length +Inf"},
	} {
		if _, err := Vendi(c.vectors, everyOne(c.vectors)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Vendi(%v): error %v, want one with %q", c.vectors, err, c.want)
		}
	}
}
