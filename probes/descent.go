package probes

import (
	"math"
	"math/rand/v2"
)

// adam is Adam (Kingma and Ba, arXiv 1412.6980, algorithm 1) with its usual β₁ = 0.9, β₂ = 0.999, ε = 10⁻⁸.
type adam struct {
	first, second []float64 // moments
	steps         int
}

func newAdam(n int) *adam { return &adam{first: make([]float64, n), second: make([]float64, n)} }

// step moves the parameters against the gradient.
func (a *adam) step(params, grad []float64, rate float64) {
	const beta1, beta2, epsilon = .9, .999, 1e-8
	a.steps++
	bias1, bias2 := 1-math.Pow(beta1, float64(a.steps)), 1-math.Pow(beta2, float64(a.steps))
	for i, g := range grad {
		a.first[i] = beta1*a.first[i] + (1-beta1)*g
		a.second[i] = beta2*a.second[i] + (1-beta2)*g*g
		params[i] -= rate * (a.first[i] / bias1) / (math.Sqrt(a.second[i]/bias2) + epsilon)
	}
}

// descent is a schedule: that many steps, each on a batch, through the examples in a new order each time they are used up, at a rate that
// falls linearly to 0, so that the end does not depend on which batch came last.
type descent struct {
	steps, batch int
	rate         float64
}

// run descends from params, which it changes, over n examples. gradient adds the gradient of the mean loss over a batch to grad.
func (d descent) run(params []float64, n int, rng *rand.Rand, gradient func(grad, params []float64, batch []int)) {
	optimiser, grad := newAdam(len(params)), make([]float64, len(params))
	var order []int
	for step := range d.steps {
		if len(order) == 0 {
			order = rng.Perm(n)
		}
		batch := order[:min(d.batch, len(order))]
		order = order[len(batch):]
		clear(grad)
		gradient(grad, params, batch)
		optimiser.step(params, grad, d.rate*(1-float64(step)/float64(d.steps)))
	}
}

// draws is what a training with that seed draws from.
func draws(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x70726f6265)) }
