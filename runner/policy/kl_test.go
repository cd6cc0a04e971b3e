package policy

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestKLOfKnownTokens(t *testing.T) {
	for _, c := range []struct{ logp, logq, k1, k3 float64 }{
		{-1, -1.5, .5, .10653065971263342},
		{-2, -1, -1, .7182818284590451},
		{-.7, -.7, 0, 0},
	} {
		near(t, "k1, k3", []float64{K1(c.logp, c.logq), K3(c.logp, c.logq)}, []float64{c.k1, c.k3})
	}
}

// Both are estimates of the same divergence: weighted by p they come to Σ p log(p/q).
func TestExpectationOfKL(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		p, q := distribution(rng), distribution(rng)
		var kl, k1, k3 float64
		for i := range p {
			lp, lq := math.Log(p[i]), math.Log(q[i])
			kl += p[i] * math.Log(p[i]/q[i])
			k1 += p[i] * K1(lp, lq)
			k3 += p[i] * K3(lp, lq)
			if K3(lp, lq) < 0 {
				t.Errorf("K3(%v, %v) is negative", lp, lq)
			}
		}
		near(t, "expectation", []float64{k1, k3}, []float64{kl, kl})
	}
}

func distribution(rng *rand.Rand) []float64 {
	p, sum := make([]float64, 6), 0.0
	for i := range p {
		p[i] = .01 + rng.Float64()
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// Near agreement is where training lives, and where e^d − d − 1 would cancel.
func TestK3NearAgreement(t *testing.T) {
	if got, want := K3(-1, -1+1e-8), 5e-17; math.Abs(got-want) > .1*want {
		t.Errorf("K3 of log-probabilities 1e-8 apart is %v, want about %v", got, want)
	}
}
