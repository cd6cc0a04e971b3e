package profiles

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func counts(t Target, graded int) []int {
	var in []int
	for right := 0; right <= graded; right++ {
		if t.inBand(right, graded) {
			in = append(in, right)
		}
	}
	return in
}

func TestInBandOfShippedBounds(t *testing.T) {
	target := Default().Target
	if diff := cmp.Diff([]int{1, 2, 3}, counts(target, 8)); diff != "" {
		t.Error(diff)
	}
	if target.inBand(0, 0) || target.inBand(1, 0) {
		t.Error("no attempts are in the band")
	}
}

func TestBoundsAsTheyAreWritten(t *testing.T) {
	for _, c := range []struct {
		attempts  int
		low, high string
		want      []int
	}{
		{3, `"1/3"`, `"2/3"`, []int{1, 2}},
		{3, "0.333", "0.667", []int{1, 2}},
		{3, "0.334", "0.666", []int{1, 2}},
		{3, "0.3333333333333333", "0.6666666666666666", []int{1, 2}},
		{3, "0.34", "0.66", nil}, // too far from thirds to stand for them
		{3, "0.3", "0.7", []int{1, 2}},
		{8, "0.125", "0.375", []int{1, 2, 3}},
		{8, "0.12", "0.37", []int{1, 2}},
		{8, "0", "1", nil},
		{8, `"0/8"`, `"7/8"`, []int{0, 1, 2, 3, 4, 5, 6, 7}},
		{8, "0.0", "0.0", []int{0}},
		{6, `"2/6"`, `"4/6"`, []int{2, 3, 4}},
		{64, "0.016", "0.031", []int{1, 2}},
	} {
		text := fmt.Sprintf("[target]\nattempts = %d\nlow = %s\nhigh = %s", c.attempts, c.low, c.high)
		p, err := Parse("f.toml", text, nil)
		if c.want == nil {
			if err == nil {
				t.Errorf("%q: in band %v, want an error", text, counts(p.Target, c.attempts))
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if diff := cmp.Diff(c.want, counts(p.Target, c.attempts)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
		if fewest, most := p.Target.Counts(); fewest != c.want[0] || most != c.want[len(c.want)-1] {
			t.Errorf("%q: counts %d to %d, want %v", text, fewest, most, c.want)
		}
	}
}

// A decimal means the number of attempts that holds in the end, not the one of the file it stands in.
func TestDecimalBoundsFollowTheAttempts(t *testing.T) {
	p, err := Parse("f.toml", "target.low = 0.333\ntarget.high = 0.667", []string{"target.attempts=3"})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Target{3, Rate{1, 3}, Rate{2, 3}}); p.Target != want {
		t.Errorf("got %v, want %v", p.Target, want)
	}
}

// For every k ≤ K ≤ 64 the rate k/K is in the band from k/K to k/K however it is written to three places or more, and neighbours are not.
func TestEveryRateIsInItsOwnBand(t *testing.T) {
	for attempts := 1; attempts <= 64; attempts++ {
		for right := 0; right <= attempts; right++ {
			for _, places := range []int{3, 4, 9, 17} {
				text := fmt.Sprintf("%.*f", places, float64(right)/float64(attempts))
				var x float64
				if _, err := fmt.Sscan(text, &x); err != nil {
					t.Fatal(err)
				}
				r, ok := decimalRate(x)
				if !ok {
					t.Fatalf("%s is no rate", text)
				}
				bound := r.snap(attempts)
				target := Target{attempts, bound, bound}
				if diff := cmp.Diff([]int{right}, counts(target, attempts)); diff != "" {
					t.Fatalf("%s of %d attempts: %s", text, attempts, diff)
				}
			}
		}
	}
}

func TestInBandAgreesWithRationals(t *testing.T) {
	for _, target := range []Target{
		{8, Rate{1, 8}, Rate{3, 8}},
		{3, Rate{1, 3}, Rate{2, 3}},
		{5, Rate{137, 1000}, Rate{999_999_999, 1_000_000_000}},
	} {
		low, high := big.NewRat(target.Low.Num, target.Low.Den), big.NewRat(target.High.Num, target.High.Den)
		for graded := 1; graded <= 64; graded++ {
			for right := 0; right <= graded; right++ {
				rate := big.NewRat(int64(right), int64(graded))
				want := low.Cmp(rate) <= 0 && rate.Cmp(high) <= 0
				if got := target.inBand(right, graded); got != want {
					t.Errorf("%d of %d in %v: %v, want %v", right, graded, target, got, want)
				}
			}
		}
	}
}
