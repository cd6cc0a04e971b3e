package diversity

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func measure(t *testing.T, statements, types []string, o Options) Report {
	t.Helper()
	r, err := Measure(statements, types, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMeasure(t *testing.T) {
	statements := []string{"1+2", " ", "1 + 2", "x*y", "-7"}
	types := []string{"sum", "", "sum", "product", "sum"}
	r := measure(t, statements, types, Options{Sample: 10})
	if r.Statements != 5 || r.Empty != 1 || r.Sampled != 4 || r.Short != 1 || r.Trigrams != 3 {
		t.Errorf("sizes of %+v, want 5 statements, 1 empty, 4 sampled, 1 short, 3 trigrams", r)
	}
	nearPointer(t, "Self-BLEU-3", r.SelfBLEU3, .5) // the pair 1, the others 0
	nearPointer(t, "Distinct-3", r.Distinct3, 2./3)
	nearPointer(t, "Vendi score", r.Vendi, 2*1.4142135623730951) // λ = 1/2, 1/4, 1/4
	nearPointer(t, "top share", r.Types.Top, 3./4)
	if r.VendiFeatures != BagFeatures || r.Types.Untyped != 1 {
		t.Errorf("features %q, untyped %d, want %q and 1", r.VendiFeatures, r.Types.Untyped, BagFeatures)
	}
}

func TestMeasureReadsTheFeaturesOfTheSampledStatements(t *testing.T) {
	features := &Features{Label: "layer 2, mean", Vectors: [][]float64{{1, 0}, {0, 0}, {0, 1}}} // that of the empty one is not asked for
	r := measure(t, []string{"1+2", "", "1+2"}, make([]string, 3), Options{Sample: 5, Features: features})
	nearPointer(t, "Vendi score", r.Vendi, 2)
	if r.VendiFeatures != "layer 2, mean" {
		t.Errorf("features %q, want those of the caller", r.VendiFeatures)
	}
}

func TestFeatureErrorsCountEveryStatement(t *testing.T) {
	features := &Features{Label: "l", Vectors: [][]float64{{1}, {1}, {0}}}
	_, err := Measure([]string{"", "1+2", "3+4"}, make([]string, 3), Options{Sample: 5, Features: features})
	if err == nil || !strings.Contains(err.Error(), "vector 2 is all zeros") {
		t.Errorf("error %v, want one that names vector 2", err)
	}
}

func TestUndefinedFiguresAreNull(t *testing.T) {
	for _, c := range []struct {
		statements []string
		want       string
	}{
		{nil, `"sampled":0,"short":0,"self_bleu_3":null,"distinct_3":null,"trigrams":0,"vendi":null,`},
		{[]string{"", "\t"}, `"sampled":0,"short":0,"self_bleu_3":null,"distinct_3":null,"trigrams":0,"vendi":null,`},
		{[]string{"-7"}, `"sampled":1,"short":1,"self_bleu_3":null,"distinct_3":null,"trigrams":0,"vendi":1,`},
		{[]string{"1+2"}, `"sampled":1,"short":0,"self_bleu_3":null,"distinct_3":1,"trigrams":1,"vendi":1,`},
		{[]string{"7", "8"}, `"sampled":2,"short":2,"self_bleu_3":0,"distinct_3":null,"trigrams":0,"vendi":2,`},
	} {
		r := measure(t, c.statements, make([]string, len(c.statements)), Options{Sample: 5})
		if r.Vendi != nil { // an eigenvalue is not exact
			rounded := float64(int(*r.Vendi + .5))
			near(t, "Vendi score", *r.Vendi, rounded)
			r.Vendi = &rounded
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		want := c.want + `"vendi_features":"` + BagFeatures + `","types":{"typed":0,`
		if !strings.Contains(string(text), want) || !strings.HasSuffix(string(text), `"shares":[],"top":null,"effective":null}}`) {
			t.Errorf("report on %q is %s, want %s… and no types", c.statements, text, want)
		}
	}
}

func sums(n int) (statements, types []string) {
	rng := rand.New(rand.NewPCG(uint64(n), 4))
	for range n {
		statements = append(statements, fmt.Sprintf("%d%c%d", rng.IntN(100), "+-*"[rng.IntN(3)], rng.IntN(100)))
		types = append(types, []string{"a", "b"}[rng.IntN(2)])
	}
	return statements, types
}

func TestMeasureSamples(t *testing.T) {
	statements, types := sums(300)
	o := Options{Sample: 60, Seed: 8}
	r := measure(t, statements, types, o)
	if r.Statements != 300 || r.Sampled != 60 || r.Trigrams != 60 || r.Types.Typed != 300 {
		t.Errorf("sizes of %+v, want 60 of 300 sampled, and all for the types", r)
	}
	if again := measure(t, statements, types, o); !reflect.DeepEqual(r, again) {
		t.Errorf("the same seed gave %+v and %+v", r, again)
	}
	o.Seed++
	if other := measure(t, statements, types, o); *other.SelfBLEU3 == *r.SelfBLEU3 {
		t.Errorf("two seeds gave the same Self-BLEU-3, %v", *r.SelfBLEU3)
	}
	all := measure(t, statements, types, Options{Sample: 300, Seed: 8})
	if all.Sampled != 300 || *all.SelfBLEU3 <= *r.SelfBLEU3 {
		t.Errorf("Self-BLEU-3 of %d statements is %v, of 60 %v: more references match more", all.Sampled, *all.SelfBLEU3, *r.SelfBLEU3)
	}
}

// What the report is for: every figure has to tell a generator that repeats one kind of task from one that does not.
func TestCollapseShowsInEveryFigure(t *testing.T) {
	varied, variedTypes := sums(80)
	collapsed := make([]string, 80)
	types := make([]string, 80)
	for i := range collapsed {
		collapsed[i], types[i] = fmt.Sprintf("%d+1", 10+i%4), "a"
	}
	v := measure(t, varied, variedTypes, Options{Sample: 80})
	c := measure(t, collapsed, types, Options{Sample: 80})
	if *c.SelfBLEU3 <= *v.SelfBLEU3 || *c.Distinct3 >= *v.Distinct3 || *c.Vendi >= *v.Vendi || *c.Types.Top <= *v.Types.Top ||
		*c.Types.Effective >= *v.Types.Effective {
		t.Errorf("collapsed %+v, varied %+v", c, v)
	}
}

func TestMeasureRefuses(t *testing.T) {
	two := []string{"1+2", "3+4"}
	for _, c := range []struct {
		types []string
		o     Options
		want  string
	}{
		{[]string{"sum"}, Options{Sample: 1}, "1 types for 2 statements"},
		{two, Options{}, "Options.Sample = 0"},
		{two, Options{Sample: -1}, "Options.Sample = -1"},
		{two, Options{Sample: 2, Features: &Features{Vectors: [][]float64{{1}, {1}}}}, "Features.Label is empty"},
		{two, Options{Sample: 2, Features: &Features{Label: "l", Vectors: [][]float64{{1}}}}, "1 feature vectors for 2 statements"},
		{two, Options{Sample: 2, Features: &Features{Label: "l", Vectors: [][]float64{{1}, {0}}}}, "vector 1 is all zeros"},
	} {
		if _, err := Measure(two, c.types, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Measure with %+v: error %v, want one with %q", c.o, err, c.want)
		}
	}
}
