package diversity

import (
	"fmt"
	"math"
	"testing"
)

func TestBagSimilarities(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"1+2", "1+2", 1},
		{"1+2", "1 + 2", 1},
		{"1+2", "x*y", 0},
		{"1+2", "1+3", (2./3 + 1./2 + 0) / 3},
		{"1+1+1", "1+1", (8/math.Sqrt(13*5) + 4/math.Sqrt(8*2) + 2/math.Sqrt(5)) / 3}, // counts 3 2 and 2 1; 2 2 and 1 1; 2 1 and 1 0
		{"-7", "-7", 1},
		{"-7", "-8", (1. / 2) / 2},
		{"7", "-7+x", 1 / math.Sqrt(4) / math.Sqrt(3)}, // a lone unigram block against three blocks
	} {
		density := bagDensity(tokenised(c.a, c.b))
		near(t, fmt.Sprintf("similarity of %q and %q", c.a, c.b), 2*density.At(0, 1), c.want)
		near(t, fmt.Sprintf("similarity of %q to itself", c.a), 2*density.At(0, 0), 1)
		near(t, fmt.Sprintf("similarity of %q to itself", c.b), 2*density.At(1, 1), 1)
	}
}

// The same similarities as from the vectors written out.
func TestBagScoreIsVendiOfTheVectors(t *testing.T) {
	statements := tokenised("12+34", "12+35", "(12+34)*2", "7-x", "x = 7 - 2", "12+34", "9", "-9")
	column := map[string]int{}
	for n := 1; n <= order; n++ {
		for _, s := range statements {
			for gram := range ngrams(s, n) {
				if _, seen := column[gram]; !seen {
					column[gram] = len(column)
				}
			}
		}
	}
	vectors := make([][]float64, len(statements))
	for i, s := range statements {
		vectors[i] = make([]float64, len(column))
		for n := 1; n <= order; n++ {
			squares := 0.0
			for _, c := range ngrams(s, n) {
				squares += float64(c * c)
			}
			for gram, c := range ngrams(s, n) {
				vectors[i][column[gram]] = float64(c) / math.Sqrt(squares)
			}
		}
	}
	got, err := spectral(bagDensity(statements))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Vendi score", got, vendi(t, vectors...))
}
