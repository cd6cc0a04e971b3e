package diversity

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// bleu is the score of a hypothesis against references.
func bleu(hypothesis []string, references [][]string, order int) float64 {
	p := newPool(order)
	p.add(hypothesis)
	for _, r := range references {
		p.add(r)
	}
	return p.score(hypothesis, order, 0)
}

// Most values are worked out in the comments; all agree with the method 1 of NLTK 3.10.4.
func TestBLEU(t *testing.T) {
	for _, c := range []struct {
		hypothesis string
		references []string
		order      int
		want       float64
	}{
		{"1+2", []string{"1+2"}, 3, 1},
		{"1+2", []string{"1+3"}, 3, .32182979486854335},              // (2/3 · 1/2 · .1/1)^(1/3)
		{"1+2", []string{"1+2*3-4"}, 3, .2635971381157267},           // all match, e^(1 − 7/3)
		{"1+2*3-4", []string{"1+2"}, 3, .3057107087328799},           // (3/7 · 2/6 · 1/5)^(1/3): not symmetric
		{"12+34*5", []string{"12+34", "34*5-1"}, 3, .87358046473629}, // (5/5 · 4/4 · 2/3)^(1/3); each n-gram in its best reference
		{"1+1+1+1", []string{"1+1", "1+2+1"}, 3, .33647817314799483}, // clipped: (4/7 · 2/6 · 1/5)^(1/3)
		{"1+2+3", []string{"1+2", "1+2+3+4"}, 3, 1},                  // lengths 3 and 7 are as close: the shorter, no penalty
		{"7*8", []string{"x-y"}, 3, 0},
		{"a b", []string{"a b"}, 4, .316227766016838}, // two tokens that are equal
		{"a b", []string{"a b"}, 3, .464158883361278},
		{"", []string{""}, 4, 0},
		{"1+2", nil, 3, 0},
	} {
		got := bleu(Tokens(c.hypothesis), tokenised(c.references...), c.order)
		near(t, fmt.Sprintf("BLEU-%d of %q against %q", c.order, c.hypothesis, c.references), got, c.want)
	}
}

func TestSelfBLEU(t *testing.T) {
	for _, c := range []struct {
		statements []string
		want       float64
	}{
		{[]string{"1+2", "1+2", "1+2"}, 1},
		{[]string{"1+2", "x*y"}, 0},
		{[]string{"1+2", "1+2*3-4"}, (.2635971381157267 + .3057107087328799) / 2},
		{[]string{"-7", "-7"}, 1}, // copies, though without a trigram
		{[]string{"7", "7", "7"}, 1},
		{[]string{"12+34", "12+35", "(12+34)*2", "7-x", "x = 7 - 2", "12+34"}, .5358197206094638},
	} {
		got, ok := SelfBLEU(tokenised(c.statements...), 3)
		if !ok {
			t.Errorf("Self-BLEU-3 of %q is undefined", c.statements)
		}
		near(t, fmt.Sprintf("Self-BLEU-3 of %q", c.statements), got, c.want)
	}
	for _, few := range [][][]string{nil, tokenised("1+2")} {
		if v, ok := SelfBLEU(few, 3); ok {
			t.Errorf("Self-BLEU-3 of %q = %v, want it undefined", few, v)
		}
	}
}

// The linear count must be the definition: each statement against a list of all the others.
func TestSelfBLEUIsTheMeanAgainstTheOthers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 50 {
		statements := make([][]string, 2+rng.IntN(8))
		for i := range statements {
			for range 3 + rng.IntN(6) {
				statements[i] = append(statements[i], string("12+*"[rng.IntN(4)]))
			}
		}
		want := 0.0
		for i, s := range statements {
			others := slices.Delete(slices.Clone(statements), i, i+1)
			want += bleu(s, others, 3) / float64(len(statements))
		}
		got, _ := SelfBLEU(statements, 3)
		near(t, fmt.Sprintf("Self-BLEU-3 of %q", statements), got, want)

		rng.Shuffle(len(statements), func(i, j int) { statements[i], statements[j] = statements[j], statements[i] })
		shuffled, _ := SelfBLEU(statements, 3)
		near(t, "Self-BLEU-3 in another order", shuffled, got)
	}
}

func TestCopiesRaiseSelfBLEU(t *testing.T) {
	last := math.Inf(-1)
	for copies := range 5 {
		statements := tokenised("12+34", "x*(7-y)", "find 8 / 2", "5 - 1 = ?", "sum a b c")
		for i := range copies {
			statements[i+1] = statements[0]
		}
		got, _ := SelfBLEU(statements, 3)
		if got <= last {
			t.Errorf("Self-BLEU-3 with %d copies is %v, want more than %v", copies, got, last)
		}
		last = got
	}
}
