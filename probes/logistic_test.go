package probes

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
)

// regression is n rows of d correlated features with means and spreads of very different sizes, and classes that depend on them.
func regression(n, d int, seed uint64) (*mat.Dense, []bool) {
	rng := rand.New(rand.NewPCG(seed, 2))
	x, y := mat.NewDense(n, d, nil), make([]bool, n)
	for i := range n {
		common, sum := rng.NormFloat64(), 0.0
		for j := range d {
			v := common + .5*rng.NormFloat64()
			if j%2 == 0 {
				sum += v
			} else {
				sum -= v
			}
			x.Set(i, j, 100*float64(j)+math.Pow(10, float64(j%5)-2)*v)
		}
		y[i] = sum+rng.NormFloat64() > .8
	}
	return x, y
}

func trained(t *testing.T, x *mat.Dense, y []bool, l2 float64) linear {
	t.Helper()
	pre, err := newPreconditioner(curvature(x), l2)
	if err != nil {
		t.Fatal(err)
	}
	l, err := fit(mat.DenseCopyOf(x), y, l2, pre)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The loss is written out again, in the standardised coordinates and without a preconditioner: at the minimum nothing slopes.
func TestFitIsTheMinimum(t *testing.T) {
	x, y := regression(120, 9, 1)
	n, d := x.Dims()
	var count [2]float64
	for _, in := range y {
		count[class(in)]++
	}
	scale := scalingOf(x)
	standard := mat.DenseCopyOf(x)
	scale.apply(standard)
	for _, l2 := range []float64{1e-4, .01, 1, 100} {
		loss := func(p []float64) float64 {
			sum := 0.0
			for i, in := range y {
				m := p[d] + mat.Dot(standard.RowView(i), mat.NewVecDense(d, p[:d]))
				if in {
					m = -m
				}
				sum += math.Log1p(math.Exp(m)) / (2 * count[class(in)])
			}
			for _, w := range p[:d] {
				sum += l2 / 2 * w * w
			}
			return sum
		}
		l := trained(t, x, y, l2)
		p := make([]float64, d+1)
		p[d] = l.bias
		for j, w := range l.weights {
			p[j] = w / scale.inverse[j]
			p[d] += w * scale.mean[j]
		}
		for j, slope := range fd.Gradient(nil, loss, p, &fd.Settings{Formula: fd.Central}) {
			if math.Abs(slope) > 1e-5*max(1, l2) {
				t.Errorf("L2 %v: the loss slopes by %v along coefficient %d of %d tasks", l2, slope, j, n)
			}
		}
	}
}

func TestGradientIsThatOfTheValue(t *testing.T) {
	x, y := regression(40, 5, 2)
	pre, err := newPreconditioner(curvature(x), .1)
	if err != nil {
		t.Fatal(err)
	}
	scalingOf(x).apply(x)
	o := &objective{x: x, y: make([]float64, 40), c: make([]float64, 40), l2: .1, pre: pre, margins: mat.NewVecDense(40, nil)}
	for i, in := range y {
		o.y[i], o.c[i] = float64(2*class(in)-1), .5+float64(class(in))
	}
	z := []float64{.3, -1, 2, .1, -.7, .9}
	got := make([]float64, 6)
	o.gradient(got, z)
	for j, want := range fd.Gradient(nil, o.value, z, &fd.Settings{Formula: fd.Central}) {
		if math.Abs(got[j]-want) > 1e-6 {
			t.Errorf("gradient %d is %v, want %v", j, got[j], want)
		}
	}
}

// Standardising makes the units of the features irrelevant.
func TestUnitsDoNotMatter(t *testing.T) {
	x, y := regression(90, 6, 3)
	n, d := x.Dims()
	other := mat.NewDense(n, d, nil)
	other.Apply(func(_, j int, v float64) float64 { return 3 - float64(j+1)*7*v }, x)
	a, b := trained(t, x, y, .05), trained(t, other, y, .05)
	for i := range n {
		if p, q := a.logit(x.RawRowView(i)), b.logit(other.RawRowView(i)); math.Abs(p-q) > 1e-4 {
			t.Errorf("row %d has logit %v in one unit and %v in the other", i, p, q)
		}
	}
}

// One preconditioner, of all the examples, serves every fold: the minimum must not depend on it.
func TestPreconditionerDoesNotMoveTheMinimum(t *testing.T) {
	x, y := regression(100, 6, 4)
	elsewhere, _ := regression(30, 6, 99)
	pre, err := newPreconditioner(curvature(elsewhere), 3)
	if err != nil {
		t.Fatal(err)
	}
	other, err := fit(mat.DenseCopyOf(x), y, .05, pre)
	if err != nil {
		t.Fatal(err)
	}
	own := trained(t, x, y, .05)
	for i := range 100 {
		if p, q := own.logit(x.RawRowView(i)), other.logit(x.RawRowView(i)); math.Abs(p-q) > 1e-4 {
			t.Errorf("row %d has logit %v with its own preconditioner and %v with another", i, p, q)
		}
	}
}

// The last token of a prompt is often the same control token: its embedding does not vary, up to rounding.
func TestConstantFeatureHasNoWeight(t *testing.T) {
	x, y := regression(80, 4, 5)
	for i := range 80 {
		x.Set(i, 2, 1.7)
		x.Set(i, 3, 250+1e-5*float64(i%2))
	}
	l := trained(t, x, y, .1)
	if l.weights[2] != 0 || l.weights[3] != 0 {
		t.Errorf("constant features have weights %v", l.weights[2:])
	}
	if l.weights[0] == 0 || l.weights[1] == 0 {
		t.Errorf("varying features have weights %v", l.weights[:2])
	}
}

// With a strong penalty only the intercept is left, and classes that weigh the same put it at even odds.
func TestClassesWeighTheSame(t *testing.T) {
	x, y := regression(200, 3, 6)
	for i := range y {
		y[i] = i%10 == 0
	}
	l := trained(t, x, y, 1e4)
	for i := range 200 {
		if p := l.logit(x.RawRowView(i)); math.Abs(p) > 1e-3 {
			t.Fatalf("row %d has logit %v with a tenth in band, want 0", i, p)
		}
	}
}

func TestTooWeakPenalty(t *testing.T) {
	x, _ := regression(30, 4, 7)
	twins := mat.NewDense(30, 8, nil)
	twins.Augment(x, x)
	_, err := newPreconditioner(curvature(twins), 1e-300)
	says(t, "twin features", err, "L2 1e-300", "8 features", "raise it")
}

// A prompt that ends in the same token has the same last embedding whatever the task.
func TestFeaturesThatDoNotVaryLeaveTheProbeInDoubt(t *testing.T) {
	x := mat.NewDense(40, 3, nil)
	y := make([]bool, 40)
	for i := range y {
		x.SetRow(i, []float64{0.1, -7, 0})
		y[i] = i%3 == 0
	}
	pre, err := newPreconditioner(curvature(x), 1)
	if err != nil {
		t.Fatal(err)
	}
	l, err := fit(mat.DenseCopyOf(x), y, 1, pre)
	if err != nil {
		t.Fatal(err)
	}
	if logit := l.logit([]float64{0.1, -7, 0}); math.Abs(logit) > 1e-9 {
		t.Errorf("logit %g, want 0", logit)
	}
}
