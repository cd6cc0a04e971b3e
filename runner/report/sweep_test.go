package report

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"verge/runner/store"
)

func ptr(v float64) *float64 { return &v }

// cellOf is a cell of policy.kl = kl whose arms base and propel have the figures given; top types are undefined.
func cellOf(kl any, seed uint64, base, propel float64) Cell {
	arm := func(name string, v float64) Arm {
		return Arm{Name: name, InBand: ptr(v), Valid: ptr(2 * v), InBandGivenValid: ptr(.5)}
	}
	return Cell{Hash: "h", Settings: Settings{{"policy.kl", kl}}, Seed: seed, Run: "run", State: store.Done,
		Arms: []Arm{arm("base", base), arm("propel", propel)}}
}

// handMade is two settings and three seeds, of which one failed and one is missing.
func handMade(t *testing.T) Sweep {
	t.Helper()
	s := Sweep{Name: "ablate", Profile: "ablate", Axes: Axes{{"policy.kl", []any{int64(0), 0.1}}}, Seeds: []uint64{1, 2, 3}, Dir: "out", Cells: []Cell{
		cellOf(int64(0), 1, .10, .20), cellOf(int64(0), 2, .12, .26), cellOf(int64(0), 3, .14, .20),
		cellOf(0.1, 1, .10, .30),
		{Hash: "f", Settings: Settings{{"policy.kl", 0.1}}, Seed: 2, Run: "broken", State: store.Failed, Error: "out of memory", Arms: []Arm{}},
		{Hash: "m", Settings: Settings{{"policy.kl", 0.1}}, Seed: 3, State: Missing, Arms: []Arm{}},
	}}
	if err := s.Compare(); err != nil {
		t.Fatal(err)
	}
	return s
}

func find(t *testing.T, s Sweep, figure, arm, axis, settings string) SweepComparison {
	t.Helper()
	for _, c := range s.Comparisons {
		if c.Figure == figure && c.Arm == arm && c.Axis == axis && c.Settings.String() == settings {
			return c
		}
	}
	t.Fatalf("%s of %s under %s is not compared along %q", figure, arm, settings, axis)
	return SweepComparison{}
}

func TestComparisonsArePairedBySeed(t *testing.T) {
	s := handMade(t)
	c := find(t, s, "in_band", "propel", "", "policy.kl=0")
	if c.N != 3 || math.Abs(*c.Difference.Value-.10) > 1e-12 || math.Abs(*c.Sign.P-.25) > 1e-12 || c.Sign.Higher != 3 || c.Against.Arm != "base" {
		t.Errorf("propel against base: %+v", c)
	}
	// The bootstrap's extremes are within the lowest and the highest difference.
	if *c.Difference.Low < .06-1e-12 || *c.Difference.High > .14+1e-12 || *c.Difference.Low >= *c.Difference.High {
		t.Errorf("interval [%g, %g]", *c.Difference.Low, *c.Difference.High)
	}
	// Only seed 1 is done under both settings.
	c = find(t, s, "in_band", "propel", "policy.kl", "policy.kl=0.1")
	if c.N != 1 || c.OnlyB != 2 || math.Abs(*c.Difference.Value-.10) > 1e-12 || c.Difference.Low != nil || c.Against.Settings.String() != "policy.kl=0" {
		t.Errorf("0.1 against 0: %+v", c)
	}
	if c := find(t, s, "top_type", "propel", "", "policy.kl=0"); c.N != 0 || c.Difference.Value != nil {
		t.Errorf("an undefined figure is compared: %+v", c)
	}
	for _, c := range s.Comparisons {
		if c.Arm == "base" && c.Axis == "" {
			t.Error("base is compared with itself")
		}
	}
}

func TestTheOtherAxesStayTheSame(t *testing.T) {
	s := Sweep{Axes: Axes{{"a", []any{"x", "y"}}, {"b", []any{int64(1), int64(2)}}}, Seeds: []uint64{1}}
	value := .1
	for _, a := range s.Axes[0].Values {
		for _, b := range s.Axes[1].Values {
			value *= 2
			s.Cells = append(s.Cells, Cell{Settings: Settings{{"a", a}, {"b", b}}, Seed: 1, State: store.Done, Arms: []Arm{{Name: "base", InBand: ptr(value)}}})
		}
	}
	if err := s.Compare(); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range s.Comparisons {
		got[c.Axis+": "+c.Settings.String()] = c.Against.Settings.String()
	}
	want := map[string]string{"a: a=y b=1": "a=x b=1", "a: a=y b=2": "a=x b=2", "b: a=x b=2": "a=x b=1", "b: a=y b=2": "a=y b=1"}
	if len(got) != len(want) {
		t.Errorf("compared %v", got)
	}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s is compared with %q, want %q", k, got[k], v)
		}
	}
}

func TestSweepTableShowsWhatIsNotDone(t *testing.T) {
	s := handMade(t)
	s.Notes = []string{"A note of the runner's."}
	var b bytes.Buffer
	if err := SweepTable(&b, s, Style{}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	fields := func(line string) string { return strings.Join(strings.Fields(line), " ") }
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, fields(line))
	}
	flat := "\n" + strings.Join(lines, "\n") + "\n"
	for _, want := range []string{
		"2 settings x 3 seeds 4 of 6 cells done",
		"\n0.1 2 failed broken out of memory\n",
		"\n0.1 3 missing\n",
		"\n0 base 3/3 12.0 (1.2) 24.0 (2.3) 50.0 (0.0) -\n",
		"\n0 propel 3/3 22.0 (2.0) 44.0 (4.0) 50.0 (0.0) -\n",
		"\n0.1 propel 1/3 30.0 60.0 50.0 -\n",
		"\n0 propel in band 3 +10.0 [+6.0, +14.0] 3/0/0 0.2500\n",
		"\n0.1 propel in band 1 +10.0 1/0/0 -\n",
		"\n0 propel top type 0 -\n",
		"Of 3 seeds, all agreeing, the two-sided sign test gives p = 0.25 and never less.",
		"too narrow",
		"A note of the runner's.",
	} {
		if !strings.Contains(flat, want) {
			t.Errorf("the table lacks %q:\n%s", want, text)
		}
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "0.1 propel") && strings.Contains(line, " 0.0 ") {
			t.Errorf("a cell that is not done counts as zero: %s", line)
		}
	}
}

func TestArmsThatAreTheSameAtEverySeedTakeOneRow(t *testing.T) {
	s := Sweep{Axes: Axes{{"policy.kl", []any{int64(0), int64(1)}}}, Seeds: []uint64{1, 2}}
	for _, kl := range s.Axes[0].Values {
		for _, seed := range s.Seeds {
			c := cellOf(kl, seed, .1, .2*float64(1+kl.(int64)))
			for i := range c.Arms {
				c.Arms[i].TopType = ptr(.3)
			}
			s.Cells = append(s.Cells, c)
		}
	}
	if err := s.Compare(); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := SweepTable(&b, s, Style{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "the same at every seed"); n != 1 {
		t.Errorf("%d rows say so, want one, of base:\n%s", n, b.String())
	}
}

func TestSweepJSON(t *testing.T) {
	var b bytes.Buffer
	if err := WriteSweepJSON(&b, handMade(t)); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n != 1 {
		t.Errorf("%d lines", n)
	}
	for _, want := range []string{
		`{"sweep":"ablate","profile":"ablate","axes":{"policy.kl":[0,0.1]},"seeds":[1,2,3],"cells":[{"hash":"h","settings":{"policy.kl":0},"seed":1,"run":"run","state":"done","arms":[{"name":"base",`,
		`{"hash":"f","settings":{"policy.kl":0.1},"seed":2,"run":"broken","state":"failed","error":"out of memory","arms":[]}`,
		`"comparisons":[{"figure":"in_band","arm":"propel","settings":{"policy.kl":0},"against":{"arm":"base","settings":{"policy.kl":0}},"n":3,`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the JSON lacks %s:\n%s", want, b.String())
		}
	}
	var whole map[string]any
	if err := json.Unmarshal(b.Bytes(), &whole); err != nil {
		t.Error(err)
	}
	ordered, err := json.Marshal(Axes{{"z", []any{"x"}}, {"a", []any{int64(1)}}})
	if err != nil || string(ordered) != `{"z":["x"],"a":[1]}` {
		t.Errorf("axes out of order: %s, %v", ordered, err)
	}
}

func TestTheHeadlineOfASweep(t *testing.T) {
	s := handMade(t)
	s.Method = "propel"
	if got, want := s.Headline(), "propel in band 22.0 % to 30.0 % under 2 of 2 settings"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := s.Figure(); got == nil || math.Abs(*got-.22) > 1e-9 {
		t.Errorf("figure %v, want that of the first setting, .22", got)
	}
	one := s
	one.Cells = s.Cells[:3]
	if got, want := one.Headline(), "propel in band 22.0 % (base 12.0 %)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	one.Method = "soar" // of which there is no arm
	if got, want := one.Headline(), "base in band 12.0 %"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	one.Cells = s.Cells[4:]
	if got := one.Headline(); got != "" {
		t.Errorf("%q of a sweep of which nothing is done", got)
	}
	if got := one.Figure(); got != nil {
		t.Errorf("figure %g of a sweep of which nothing is done", *got)
	}
}
