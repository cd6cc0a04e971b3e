package policy

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

var nan = math.NaN()

func TestAdvantagesOfKnownGroups(t *testing.T) {
	eight := []float64{1, 1, 1, 0, 0, 0, 0, 0}
	four := []float64{0, .25, .5, 1}
	for _, c := range []struct {
		est     Estimator
		rewards []float64
		want    []float64
	}{
		{GRPO, eight, []float64{1.2076123955202949, 1.2076123955202949, 1.2076123955202949, -.724567437312177, -.724567437312177, -.724567437312177, -.724567437312177, -.724567437312177}},
		{DrGRPO, eight, []float64{.625, .625, .625, -.375, -.375, -.375, -.375, -.375}},
		{RLOO, eight, []float64{.7142857142857143, .7142857142857143, .7142857142857143, -.42857142857142855, -.42857142857142855, -.42857142857142855, -.42857142857142855, -.42857142857142855}},
		{GRPO, four, []float64{-1.0246926766015811, -.4391540042578205, .14638466808594017, 1.3174620127734615}},
		{RLOO, four, []float64{-.5833333333333334, -.25, .08333333333333333, .75}},
	} {
		got, stats, err := Advantages(c.est, c.rewards, len(c.rewards))
		if err != nil {
			t.Fatal(err)
		}
		near(t, string(c.est), got, c.want)
		if stats != (GroupStats{Groups: 1}) {
			t.Errorf("%s: %+v, want one live group", c.est, stats)
		}
	}
}

func TestAdvantagesOfDeadGroups(t *testing.T) {
	for _, est := range []Estimator{GRPO, DrGRPO, RLOO} {
		for _, c := range []struct {
			name    string
			rewards []float64
			group   int
			want    GroupStats
		}{
			{"one member each", []float64{3, 4}, 1, GroupStats{Groups: 2, Dead: 2}},
			{"tenths, whose mean is rounded", []float64{.1, .1, .1, .1, .1, .1, .1, .1, .1, .1}, 10, GroupStats{Groups: 1, Dead: 1}},
			{"one scorable member", []float64{nan, 2, nan}, 3, GroupStats{Groups: 1, Dead: 1, Unscorable: 2}},
			{"no scorable member", []float64{nan, nan}, 2, GroupStats{Groups: 1, Dead: 1, Unscorable: 2}},
			{"no rewards", nil, 4, GroupStats{}},
		} {
			adv, stats, err := Advantages(est, c.rewards, c.group)
			if err != nil {
				t.Fatalf("%s, %s: %v", est, c.name, err)
			}
			if stats != c.want {
				t.Errorf("%s, %s: %+v, want %+v", est, c.name, stats, c.want)
			}
			for i, a := range adv {
				if a != 0 {
					t.Errorf("%s, %s: advantage %d is %v, want exactly 0", est, c.name, i, a)
				}
			}
		}
	}
}

func TestUnscorableRewardIsLeftOut(t *testing.T) {
	for _, est := range []Estimator{GRPO, DrGRPO, RLOO} {
		with, stats, err := Advantages(est, []float64{5, 5, 5, 5, 5, 0, nan, .25, .5, 1}, 5)
		if err != nil {
			t.Fatal(err)
		}
		if want := (GroupStats{Groups: 2, Dead: 1, Unscorable: 1}); stats != want {
			t.Errorf("%s: %+v, want %+v", est, stats, want)
		}
		without, _, err := Advantages(est, []float64{0, .25, .5, 1}, 4)
		if err != nil {
			t.Fatal(err)
		}
		near(t, string(est), with, append([]float64{0, 0, 0, 0, 0, without[0], 0}, without[1:]...))
	}
}

func TestAdvantageProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		k := 2 + rng.IntN(9)
		rewards := make([]float64, k*(1+rng.IntN(4)))
		for i := range rewards {
			rewards[i] = rng.NormFloat64()
		}
		shifted, scaled := make([]float64, len(rewards)), make([]float64, len(rewards))
		for i, r := range rewards {
			shifted[i], scaled[i] = r+7, 3*r
		}
		of := func(est Estimator, r []float64) []float64 {
			adv, _, err := Advantages(est, r, k)
			if err != nil {
				t.Fatal(err)
			}
			return adv
		}
		for _, est := range []Estimator{GRPO, DrGRPO, RLOO} {
			adv := of(est, rewards)
			for from := 0; from < len(adv); from += k {
				near(t, "sum of a group under "+string(est), []float64{floats.Sum(adv[from : from+k])}, []float64{0})
			}
			near(t, "shifted rewards under "+string(est), of(est, shifted), adv)
			for i, a := range of(est, scaled) {
				want := 3 * adv[i]
				slack := tolerance
				if est == GRPO { // up to the 1e-6 beside the standard deviation
					want, slack = adv[i], 1e-2*math.Abs(adv[i])
				}
				if math.Abs(a-want) > slack {
					t.Errorf("%s: tripled rewards give %v, want %v", est, a, want)
				}
			}
		}
		loo := of(DrGRPO, rewards)
		floats.Scale(float64(k)/float64(k-1), loo)
		near(t, "k/(k-1) Dr. GRPO", loo, of(RLOO, rewards))
	}
}

func TestRLOOComparesWithTheOthers(t *testing.T) {
	rewards := []float64{.3, -1, 2.5, 4}
	adv, _, err := Advantages(RLOO, rewards, 4)
	if err != nil {
		t.Fatal(err)
	}
	sum := floats.Sum(rewards)
	for i, r := range rewards {
		near(t, "advantage", adv[i:i+1], []float64{r - (sum-r)/3})
	}
}

func TestAdvantagesRefuse(t *testing.T) {
	_, _, err := Advantages(GRPO, []float64{0, 1, math.Inf(-1)}, 3)
	fails(t, "infinite reward", err, "reward 2", "-Inf")
	_, _, err = Advantages(GRPO, []float64{0, 1, 2}, 2)
	fails(t, "broken group", err, "3 rewards", "groups of 2", "multiple")
	_, _, err = Advantages(GRPO, []float64{0, 1}, 0)
	fails(t, "group of none", err, "groups of 0")
	_, _, err = Advantages("ppo", []float64{0, 1}, 2)
	fails(t, "unknown estimator", err, `"ppo"`, `"grpo"`, `"drgrpo"`, `"rloo"`, `"reinforce++"`)
	_, _, err = Advantages(ReinforcePP, []float64{0, 1}, 2)
	fails(t, "token-level estimator", err, "ReinforcePlusPlus")
}
