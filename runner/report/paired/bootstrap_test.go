package paired

import (
	"math"
	"testing"
)

// Every resample of four pairs, one by one.
func TestEnumerationIsTheWholeDistribution(t *testing.T) {
	pairs := []pair{{1, 0}, {20, 1}, {300, 10}, {4000, 100}}
	want := map[resample]int{}
	for i := range 256 {
		var r resample
		for _, at := range []int{i % 4, i / 4 % 4, i / 16 % 4, i / 64} {
			r.add(pairs[at], 1)
		}
		want[r]++
	}
	got := enumerate(pairs)
	if len(got) != 35 || len(want) != 35 { // C(7, 4)
		t.Fatalf("%d multisets, one by one %d, want 35", len(got), len(want))
	}
	for _, r := range got {
		ways := r.ways
		r.ways = 0
		if want[r] != ways {
			t.Errorf("resample %+v in %d ways, want %d", r, ways, want[r])
		}
	}
}

func TestWaysAddUp(t *testing.T) {
	for n, want := range map[int]int{1: 1, 2: 4, 5: 3125, ExactSeeds: 16777216} {
		total := 0
		for _, r := range enumerate(make([]pair, n)) {
			total += r.ways
		}
		if total != want {
			t.Errorf("%d pairs have %d resamples, want %d", n, total, want)
		}
	}
}

func TestDrawsFollowTheDistribution(t *testing.T) {
	a, b := noise(ExactSeeds, 1), noise(ExactSeeds, 2)
	pairs, _, _, err := match(a, b)
	if err != nil {
		t.Fatal(err)
	}
	difference := func(r resample) float64 { return r.difference }
	exact, drawn := values(enumerate(pairs), difference), values(draw(pairs, 3), difference)
	if len(drawn) != Draws {
		t.Errorf("%d draws, want %d", len(drawn), Draws)
	}
	width := high(exact) - low(exact)
	if d := math.Abs(low(exact) - low(drawn)); d > width/20 {
		t.Errorf("lower ends %v and, drawn, %v differ by %v", low(exact), low(drawn), d)
	}
	if d := math.Abs(high(exact) - high(drawn)); d > width/20 {
		t.Errorf("upper ends %v and, drawn, %v differ by %v", high(exact), high(drawn), d)
	}
}

func TestEndsOfAnInterval(t *testing.T) {
	var values []weighted
	for i := range Draws {
		values = append(values, weighted{float64(Draws - i), 1}) // 9999 … 1
	}
	if l, h := low(values), high(values); l != 250 || h != 9750 {
		t.Errorf("95 %% of 1 … 9999 is [%v, %v], want [250, 9750]", l, h)
	}
	if l, h := low([]weighted{{1, 1}, {2, 38}, {3, 1}}), high([]weighted{{1, 1}, {2, 38}, {3, 1}}); l != 1 || h != 3 {
		t.Errorf("interval [%v, %v], want [1, 3]: a fortieth at either end is 2.5 %%", l, h)
	}
	if l, h := low([]weighted{{1, 1}, {2, 39}, {3, 1}}), high([]weighted{{1, 1}, {2, 39}, {3, 1}}); l != 2 || h != 2 {
		t.Errorf("interval [%v, %v], want [2, 2]: less than a fortieth at either end is beyond", l, h)
	}
}
