package policy

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
)

func TestReinforcePlusPlusOfAKnownBatch(t *testing.T) {
	returns, whitened, err := ReinforcePlusPlus([]float64{1, 0}, [][]float64{{.1, .2, 0}, {.05, -.1}}, .1, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "returns 0", returns[0], []float64{.97, .98, 1})
	near(t, "returns 1", returns[1], []float64{.005, .01})
	near(t, "whitened 0", whitened[0], []float64{.7052028022, .7239084468, .7613197361})
	near(t, "whitened 1", whitened[1], []float64{-1.0998919037, -1.0905390811})
}

func TestDiscountReachesBack(t *testing.T) {
	returns, _, err := ReinforcePlusPlus([]float64{8}, [][]float64{{0, 1, 0, 0}}, 1, .5, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "returns", returns[0], []float64{.5, 1, 4, 8}) // token 1 pays its own KL of 1
}

func TestBaselineSubtractsTheGroupsMean(t *testing.T) {
	kl := [][]float64{{0}, {0}, {0}, {0}, {0}, {0}}
	returns, _, err := ReinforcePlusPlus([]float64{1, 3, nan, 10, 10, 10}, kl, 0, 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "returns", slices.Concat(returns...), []float64{-1, 1, 0, 0, 0, 0})
}

func TestWhitenedTokensHaveUnitVariance(t *testing.T) {
	kl := [][]float64{{.3, -.1}, {.2}, {nan, nan, nan}, {0, .4, .1}}
	_, whitened, err := ReinforcePlusPlus([]float64{2, -1, nan, .5}, kl, .2, .9, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "unscorable sequence", whitened[2], []float64{0, 0, 0})
	mean, variance := stat.MeanVariance(slices.Concat(whitened[0], whitened[1], whitened[3]), nil)
	if math.Abs(mean) > tolerance || math.Abs(variance-1) > 1e-7 {
		t.Errorf("mean %v and variance %v of the valid tokens, want 0 and 1", mean, variance)
	}
}

func TestNothingToWhiten(t *testing.T) {
	for _, rewards := range [][]float64{{.1, .1, .1}, {nan, nan, nan}, {nan, .1, nan}} {
		_, whitened, err := ReinforcePlusPlus(rewards, [][]float64{{0}, {0}, {0}}, .1, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range slices.Concat(whitened...) {
			if w != 0 {
				t.Errorf("rewards %v: advantage %v, want exactly 0", rewards, w)
			}
		}
	}
}

func TestReinforcePlusPlusRefuses(t *testing.T) {
	_, _, err := ReinforcePlusPlus([]float64{1, 2}, [][]float64{{0}}, .1, 1, 0)
	fails(t, "missing KL", err, "2 rewards", "1 sequences")
	_, _, err = ReinforcePlusPlus([]float64{1}, [][]float64{{0, math.Inf(1)}}, .1, 1, 0)
	fails(t, "infinite KL", err, "token 1 of sequence 0", "+Inf")
	_, _, err = ReinforcePlusPlus([]float64{1}, [][]float64{{0}}, .1, 1.5, 0)
	fails(t, "discount", err, "gamma = 1.5")
	_, _, err = ReinforcePlusPlus([]float64{math.Inf(1)}, [][]float64{{0}}, .1, 1, 0)
	fails(t, "infinite reward", err, "reward 0")
	_, _, err = ReinforcePlusPlus([]float64{1, 2, 3}, [][]float64{{0}, {0}, {0}}, .1, 1, 2)
	fails(t, "broken group", err, "3 rewards", "groups of 2")
}
