package paired

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// The means of 0/1 differences are binomial, so the ends can be read from a binomial table.
func TestDifference(t *testing.T) {
	for _, c := range []struct {
		a, b             []float64
		value, low, high float64
		exact            bool
	}{
		{[]float64{5, 7, 9}, []float64{5, 5, 5}, 2, 0, 4, true},                           // either end is 1/27, 3.7 %
		{[]float64{0, 0, 0, 4}, []float64{0, 0, 0, 0}, 1, 0, 3, true},                     // P(k ≥ 3) 13/256, P(k ≥ 4) 1/256
		{[]float64{1, 1, 1, 1, 2}, []float64{1, 1, 1, 1, 1}, .2, 0, .6, true},             // P(k ≥ 3) 5.8 %, P(k ≥ 4) 0.7 %
		{[]float64{0, 0, 2, 2, 2}, []float64{1, 1, 1, 1, 1}, .2, -.6, 1, true},            // P(k ≤ 0) 1.0 %, P(k ≤ 1) 8.7 %; P(k ≥ 5) 7.8 %
		{[]float64{0, 0, 0, 0, 0, 0, 0, 1}, make([]float64, 8), .125, 0, .375, true},      // P(k ≥ 3) 6.7 %, P(k ≥ 4) 1.1 %
		{[]float64{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, make([]float64, 10), .5, .2, .8, false}, // P(k ≤ 1) 1.1 %, P(k ≤ 2) 5.5 %
	} {
		got := compare(t, cell(c.a...), cell(c.b...))
		what := fmt.Sprintf("difference of %v and %v", c.a, c.b)
		near(t, what, got.Difference.Value, c.value)
		near(t, "lower end, "+what, got.Difference.Low, c.low)
		near(t, "upper end, "+what, got.Difference.High, c.high)
		near(t, "means of A and B, "+what, ptr(*got.MeanA-*got.MeanB), c.value)
		if got.N != len(c.a) || got.Exact != c.exact {
			t.Errorf("%s: n %d, exact %v, want %d, %v", what, got.N, got.Exact, len(c.a), c.exact)
		}
	}
}

func ptr(v float64) *float64 { return &v }

func TestRatio(t *testing.T) {
	none := math.NaN()
	for _, c := range []struct {
		a, b             []float64
		value, low, high float64 // NaN for undefined
	}{
		{[]float64{2, 6, 6}, []float64{1, 2, 2}, 2.8, 2, 3},         // seed 1 thrice is 1/27, 3.7 %
		{[]float64{2, 4, 6}, []float64{1, 2, 3}, 2, 2, 2},           // always twice
		{[]float64{0, 0, 0}, []float64{1, 2, 3}, 0, 0, 0},           // never
		{[]float64{1, 3, 3}, []float64{0, 1, 1}, 3.5, 3, none},      // seed 1 thrice has no denominator: no upper end
		{[]float64{0, 3, 3}, []float64{0, 1, 1}, 3, 0, none},        // seed 1 thrice is 0/0, which may be anything
		{[]float64{1, 3, 5}, []float64{0, 0, 0}, none, none, none},  // n/0
		{[]float64{1, -3, 2}, []float64{1, 2, 3}, none, none, none}, // a sign makes a ratio of means meaningless
		{[]float64{1, 3, 2}, []float64{2, -1, 3}, none, none, none}, //
		{[]float64{4, 5}, []float64{2, 2}, 2.25, none, none},        // two seeds have no interval
	} {
		got := compare(t, cell(c.a...), cell(c.b...)).Ratio
		for what, v := range map[string]struct {
			got  *float64
			want float64
		}{"value": {got.Value, c.value}, "lower end": {got.Low, c.low}, "upper end": {got.High, c.high}} {
			what = fmt.Sprintf("%s of the ratio of %v and %v", what, c.a, c.b)
			if math.IsNaN(v.want) {
				undefined(t, what, v.got)
				continue
			}
			near(t, what, v.got, v.want)
		}
	}
}

func TestSeedsOnOneSideAreLeftOutAndCounted(t *testing.T) {
	a := map[uint64]float64{1: 10, 2: 20, 3: 1e6, 9: 30}
	b := map[uint64]float64{9: 3, 2: 2, 1: 1, 7: -1e6, 8: -1e6}
	got := compare(t, a, b)
	if got.N != 3 || got.OnlyA != 1 || got.OnlyB != 2 {
		t.Errorf("n %d, only A %d, only B %d, want 3, 1, 2", got.N, got.OnlyA, got.OnlyB)
	}
	near(t, "mean of A", got.MeanA, 20)
	near(t, "mean of B", got.MeanB, 2)
	near(t, "difference", got.Difference.Value, 18)
	near(t, "lower end", got.Difference.Low, 9)
	near(t, "ratio", got.Ratio.Value, 10)
	if got.Sign.Higher != 3 || got.Sign.Lower != 0 {
		t.Errorf("sign test over %+v, want 3 to 0", got.Sign)
	}
}

func TestFewSeedsLeaveFiguresUndefined(t *testing.T) {
	for _, c := range []Comparison{compare(t, nil, nil), compare(t, cell(1, 2), map[uint64]float64{5: 1})} {
		for what, v := range map[string]*float64{
			"mean of A": c.MeanA, "mean of B": c.MeanB, "difference": c.Difference.Value, "lower end": c.Difference.Low,
			"upper end": c.Difference.High, "ratio": c.Ratio.Value, "p": c.Sign.P,
		} {
			undefined(t, what+" without a common seed", v)
		}
	}
	for _, few := range []Comparison{compare(t, cell(3), cell(1)), compare(t, cell(3, 4), cell(1, 2))} {
		near(t, "difference of few seeds", few.Difference.Value, 2)
		for what, v := range map[string]*float64{"lower end": few.Difference.Low, "upper end": few.Difference.High} {
			undefined(t, fmt.Sprintf("%s of %d seeds", what, few.N), v)
		}
		if few.Exact {
			t.Errorf("an interval of %d seeds is called exact, want none", few.N)
		}
	}
	undefined(t, "p of one seed", compare(t, cell(3), cell(1)).Sign.P)
}

func TestCompareRefuses(t *testing.T) {
	bad := map[uint64]float64{4: math.NaN()}
	if _, err := Compare(bad, nil, 1); err == nil || !strings.Contains(err.Error(), "cell A, seed 4: the value is NaN") {
		t.Errorf("error %v, want one that names cell A and seed 4", err)
	}
	bad[4] = math.Inf(1)
	if _, err := Compare(nil, bad, 1); err == nil || !strings.Contains(err.Error(), "cell B, seed 4: the value is +Inf") {
		t.Errorf("error %v, want one that names cell B and seed 4", err)
	}
}
