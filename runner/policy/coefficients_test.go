package policy

import (
	"slices"
	"testing"
)

func TestCoefficientsFollowEachLoss(t *testing.T) {
	rewards, lengths := []float64{0, .25, .5, 1}, []int{2, 1, 0, 4}
	for _, c := range []struct {
		est   Estimator
		scale []float64 // beside the advantage, for sequences 0, 1 and 3
	}{
		{GRPO, []float64{1. / 8, 1. / 4, 1. / 16}},
		{DrGRPO, []float64{1. / 40, 1. / 40, 1. / 40}},
		{RLOO, []float64{1. / 4, 1. / 4, 1. / 4}},
	} {
		adv, _, err := Advantages(c.est, rewards, 4)
		if err != nil {
			t.Fatal(err)
		}
		got, stats, err := Coefficients(CoefficientOptions{Estimator: c.est, Group: 4, MaxTokens: 10}, rewards, lengths, nil)
		if err != nil {
			t.Fatal(err)
		}
		if stats != (GroupStats{Groups: 1}) {
			t.Errorf("%s: %+v, want one live group", c.est, stats)
		}
		for j, i := range []int{0, 1, 3} {
			near(t, string(c.est), got[i], slices.Repeat([]float64{adv[i] * c.scale[j]}, lengths[i]))
			near(t, "normaliser of "+string(c.est), []float64{Normaliser(c.est, lengths, i, 10)}, c.scale[j:j+1])
		}
		if len(got[2]) != 0 || Normaliser(c.est, lengths, 2, 10) != 0 {
			t.Errorf("%s: a sequence without tokens has coefficients %v", c.est, got[2])
		}
	}
}

// GRPO weighs sequences alike, Dr. GRPO and RLOO weigh tokens alike: what the papers argue about.
func TestLengthBias(t *testing.T) {
	rewards, lengths := []float64{1, 0, 1, 0}, []int{1, 1, 9, 9}
	ratio := func(est Estimator) float64 {
		c, _, err := Coefficients(CoefficientOptions{Estimator: est, Group: 4, MaxTokens: 9}, rewards, lengths, nil)
		if err != nil {
			t.Fatal(err)
		}
		return c[0][0] / c[2][0]
	}
	near(t, "weight of a token in a short sequence against a long one",
		[]float64{ratio(GRPO), ratio(DrGRPO), ratio(RLOO)}, []float64{9, 1, 1})
}

func TestCoefficientsOfReinforcePlusPlus(t *testing.T) {
	o := CoefficientOptions{Estimator: ReinforcePP, Group: 1, Beta: .1, Gamma: 1}
	got, stats, err := Coefficients(o, []float64{1, 0}, []int{3, 2}, [][]float64{{.1, .2, 0}, {.05, -.1}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "coefficients", slices.Concat(got...),
		[]float64{.7052028022 / 5, .7239084468 / 5, .7613197361 / 5, -1.0998919037 / 5, -1.0905390811 / 5})
	if stats != (GroupStats{Groups: 1}) {
		t.Errorf("%+v: the batch is one group", stats)
	}
}

func TestBaselineCountsItsGroups(t *testing.T) {
	o := CoefficientOptions{Estimator: ReinforcePP, Group: 2, Gamma: 1, Baseline: true}
	got, stats, err := Coefficients(o, []float64{5, 5, 1, 0}, []int{1, 1, 1, 1}, [][]float64{{0}, {0}, {0}, {0}})
	if err != nil {
		t.Fatal(err)
	}
	if want := (GroupStats{Groups: 2, Dead: 1}); stats != want {
		t.Errorf("%+v, want %+v", stats, want)
	}
	near(t, "dead group", slices.Concat(got[:2]...), []float64{0, 0})
	if !(got[2][0] > 0 && got[3][0] < 0) {
		t.Errorf("live group has coefficients %v and %v", got[2], got[3])
	}
}

// Equal rewards teach nothing, though the KL varies: whitening must not make a full-sized update of it.
func TestEqualRewardsGiveNoUpdate(t *testing.T) {
	for _, est := range []Estimator{GRPO, DrGRPO, RLOO, ReinforcePP} {
		for _, baseline := range []bool{false, true} {
			o := CoefficientOptions{Estimator: est, Group: 2, MaxTokens: 5, Beta: .1, Gamma: 1, Baseline: baseline}
			got, stats, err := Coefficients(o, []float64{.1, .1, .1, .1}, []int{2, 1, 1, 1}, [][]float64{{.01, .02}, {0}, {-.03}, {.2}})
			if err != nil {
				t.Fatal(err)
			}
			if stats.Dead != stats.Groups || stats.Groups == 0 {
				t.Errorf("%s: %+v, want all groups dead", est, stats)
			}
			for _, c := range slices.Concat(got...) {
				if c != 0 {
					t.Errorf("%s: coefficient %v, want exactly 0", est, c)
				}
			}
		}
	}
}

func TestCoefficientsRefuse(t *testing.T) {
	_, _, err := Coefficients(CoefficientOptions{Estimator: DrGRPO, Group: 2}, []float64{0, 1}, []int{1, 1}, nil)
	fails(t, "no token budget", err, "token budget", "0")
	_, _, err = Coefficients(CoefficientOptions{Estimator: GRPO, Group: 2}, []float64{0, 1}, []int{1}, nil)
	fails(t, "missing length", err, "2 rewards", "1 sequences")
	_, _, err = Coefficients(CoefficientOptions{Estimator: ReinforcePP, Gamma: 1}, []float64{0, 1}, []int{1, 2}, [][]float64{{0}, {0}})
	fails(t, "short k1", err, "sequence 1", "2 tokens")
	_, _, err = Coefficients(CoefficientOptions{Estimator: "ppo", Group: 2}, []float64{0, 1}, []int{1, 1}, nil)
	fails(t, "unknown estimator", err, `"ppo"`)
}
