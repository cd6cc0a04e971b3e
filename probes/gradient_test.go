package probes

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
)

// slopes compares a gradient with finite differences of the value it comes with.
func slopes(t *testing.T, what string, params []float64, gradient func(grad, params []float64) float64) {
	t.Helper()
	got := make([]float64, len(params))
	gradient(got, params)
	value := func(p []float64) float64 { return gradient(make([]float64, len(p)), p) }
	for j, want := range fd.Gradient(nil, value, params, &fd.Settings{Formula: fd.Central}) {
		if math.Abs(got[j]-want) > 1e-7*max(1, math.Abs(want)) {
			t.Errorf("%s: gradient %d of %d is %v, want %v", what, j, len(params), got[j], want)
		}
	}
}

func TestGradientOfMLP(t *testing.T) {
	x, y := regression(30, 4, 11)
	f, err := (&mlpLearner{x, y}).on([]int{0, 3, 4, 7, 9, 12, 15, 20, 21, 29})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	params := make([]float64, networkSize(4))
	for i := range params {
		params[i] = rng.NormFloat64()
	}
	slopes(t, "MLP", params, func(grad, params []float64) float64 {
		return f.(mlpFitter).gradient(grad, params, []int{1, 2, 5, 9}, .3)
	})
}

// The states have means far from 0 and spreads far from 1, through which the chain rule goes.
func attentionExample() attentionFitter {
	f, examples := noise(12, 0, 5, .5, 13)
	l := &attentionLearner{width: 5}
	for i, e := range examples {
		states := f.states[i][0]
		for j := range states {
			states[j] = 7 + float32(j%5+1)*states[j]
		}
		l.states, l.inBand = append(l.states, states), append(l.inBand, e.InBand)
	}
	on, _ := l.on([]int{0, 1, 2, 4, 5, 6, 8, 11})
	return on.(attentionFitter)
}

func TestGradientOfAttention(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	params := make([]float64, 11)
	for i := range params {
		params[i] = 2 * rng.NormFloat64()
	}
	f := attentionExample()
	slopes(t, "attention", params, func(grad, params []float64) float64 {
		return f.gradient(grad, params, []int{0, 3, 4, 7}, .3)
	})
}

// The probe takes raw states; the definition is written out in standardised ones.
func TestAttentionIsItsDefinition(t *testing.T) {
	f := attentionExample()
	params := []float64{.5, -1, 2, 0, 1, 1, .3, -2, .1, .7, -.4}
	p := f.raw(params)
	for row, states := range f.states {
		var top, bottom float64
		for token := range len(states) / 5 {
			score, value := 0.0, 0.0
			for j := range 5 {
				z := (float64(states[token*5+j]) - f.scale.mean[j]) * f.scale.inverse[j]
				score += params[j] * z / math.Sqrt(5)
				value += params[5+j] * z
			}
			top += math.Exp(score) * value
			bottom += math.Exp(score)
		}
		if got, want := p.pass(states), top/bottom+params[10]; math.Abs(got-want) > 1e-9 {
			t.Errorf("example %d has logit %v, want %v", row, got, want)
		}
	}
}

func TestAdam(t *testing.T) {
	w, a := []float64{1}, newAdam(1)
	for i, g := range []float64{1, -.5, .25} {
		a.step(w, []float64{g}, .1)
		if want := []float64{.900000001, .8733662974, .8393233831}[i]; math.Abs(w[0]-want) > 1e-9 {
			t.Errorf("after step %d the parameter is %.10f, want %.10f", i+1, w[0], want)
		}
	}
}

// Every epoch uses every example once, and the rate has fallen to nothing at the end.
func TestDescentUsesEveryExample(t *testing.T) {
	used := make([]int, 7)
	d := descent{steps: 9, batch: 3, rate: 1}
	params := []float64{0}
	var moves []float64
	last := 0.0
	d.run(params, 7, draws(1), func(grad, params []float64, batch []int) {
		moves, last = append(moves, last-params[0]), params[0]
		grad[0] = 1
		for _, i := range batch {
			used[i]++
		}
	})
	for i, n := range used {
		if n != 3 {
			t.Errorf("example %d was used %d times in three epochs", i, n)
		}
	}
	for i := 2; i < len(moves); i++ {
		if moves[i] >= moves[i-1] {
			t.Errorf("step %d moved by %v after %v, with the same gradient", i, moves[i], moves[i-1])
		}
	}
}

// Constants and units of the states make no difference to an MLP either.
func TestMLPStandardisesItsFeatures(t *testing.T) {
	x, y := regression(60, 3, 14)
	other := mat.NewDense(60, 3, nil)
	other.Apply(func(_, j int, v float64) float64 { return float64(5-j) + 16*v }, x)
	rows := make([]int, 50)
	for i := range rows {
		rows[i] = i
	}
	var logits [2][]float64
	for k, m := range []*mat.Dense{x, other} {
		f, err := (&mlpLearner{m, y}).on(rows)
		if err != nil {
			t.Fatal(err)
		}
		probe, err := f.fit(.01, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 60 {
			logits[k] = append(logits[k], probe.logit(i))
		}
	}
	for i := range 60 {
		if math.Abs(logits[0][i]-logits[1][i]) > 1e-4 {
			t.Errorf("row %d has logit %v in one unit and %v in the other", i, logits[0][i], logits[1][i])
		}
	}
}
