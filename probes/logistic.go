package probes

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// gradientTolerance ends a fit, in the coordinates of the preconditioner, where curvature is about 1.
const gradientTolerance = 1e-6

// maxIterations is far beyond what a preconditioned fit takes; one that gets there is reported, not used.
const maxIterations = 1000

// resolution is the least spread of a feature, relative to its mean, that single precision can carry. Below it there is only rounding.
const resolution = 1e-6

// linear is a linear function of raw features.
type linear struct {
	bias    float64
	weights []float64
}

func (l linear) logit(x []float64) float64 { return l.bias + floats.Dot(l.weights, x) }

// scaling standardises features: (x − mean)·inverse, with inverse 1/sd, or 0 for a feature that does not vary.
type scaling struct{ mean, inverse []float64 }

func scalingOf(x *mat.Dense) scaling {
	n, d := x.Dims()
	return scalingOver(d, func(yield func([]float64) bool) {
		for i := range n {
			if !yield(x.RawRowView(i)) {
				return
			}
		}
	})
}

// scalingOver goes over the rows, of d features, twice.
func scalingOver(d int, rows iter.Seq[[]float64]) scaling {
	s := scaling{make([]float64, d), make([]float64, d)}
	n := 0
	for row := range rows {
		floats.Add(s.mean, row)
		n++
	}
	floats.Scale(1/float64(n), s.mean)
	for row := range rows {
		for j, v := range row {
			s.inverse[j] += (v - s.mean[j]) * (v - s.mean[j])
		}
	}
	for j, squares := range s.inverse {
		sd := math.Sqrt(squares / float64(n))
		s.inverse[j] = 0
		if sd > resolution*math.Abs(s.mean[j]) {
			s.inverse[j] = 1 / sd
		}
	}
	return s
}

// apply standardises x in place.
func (s scaling) apply(x *mat.Dense) {
	n, _ := x.Dims()
	for i := range n {
		row := x.RawRowView(i)
		floats.Sub(row, s.mean)
		floats.Mul(row, s.inverse)
	}
}

// raw turns a function of standardised features into the same function of raw ones.
func (s scaling) raw(l linear) linear {
	w := slices.Clone(l.weights)
	floats.Mul(w, s.inverse)
	return linear{l.bias - floats.Dot(w, s.mean), w}
}

// preconditioner is U, upper triangular, with UᵀU = XᵀX/4n + l2·I: an upper bound of the Hessian of the logistic loss with unit weights
// (Böhning and Lindsay, 1988). In the coordinates z = Uw the loss has curvature of about 1 in every direction, and a fit takes about ten
// evaluations where it would take hundreds. It shapes the path to the minimum, not the minimum, and knows no classes; so that one, of all
// the examples, serves the fits of all the folds.
type preconditioner struct{ u blas64.Triangular }

// curvature is XᵀX/4n of the standardised x.
func curvature(x *mat.Dense) *mat.SymDense {
	n, _ := x.Dims()
	var standard mat.Dense
	standard.CloneFrom(x)
	scalingOf(x).apply(&standard)
	var gram mat.SymDense
	gram.SymOuterK(1/(4*float64(n)), standard.T())
	return &gram
}

func newPreconditioner(curvature *mat.SymDense, l2 float64) (preconditioner, error) {
	d := curvature.SymmetricDim()
	h := mat.NewSymDense(d, nil)
	h.CopySym(curvature)
	for j := range d {
		h.SetSym(j, j, h.At(j, j)+l2)
	}
	var c mat.Cholesky
	if !c.Factorize(h) {
		return preconditioner{}, fmt.Errorf("probes: L2 %g is too weak for %d features: their covariance with it is not positive definite; raise it", l2, d)
	}
	var u mat.TriDense
	c.UTo(&u)
	return preconditioner{u.RawTriangular()}, nil
}

// solve overwrites x with U⁻¹x, or with U⁻ᵀx.
func (p preconditioner) solve(t blas.Transpose, x []float64) {
	blas64.Trsv(t, p.u, blas64.Vector{N: len(x), Inc: 1, Data: x})
}

// objective is class-weighted logistic regression,
//
//	Σ_i c_i·log(1 + e^(−y_i·(w·x_i + b))) / n + l2/2·‖w‖²   with y of ±1 and c_i = n / (2·examples of the class of i),
//
// as a function of z = (Uw, b/2); the factor of the intercept, which is not penalised, is U's for a constant feature.
type objective struct {
	x       *mat.Dense // standardised
	y       []float64
	c       []float64
	l2      float64
	pre     preconditioner
	at      []float64 // z of the figures below
	w       []float64
	b       float64
	margins *mat.VecDense // y_i·(w·x_i + b)
}

func (o *objective) move(z []float64) {
	if slices.Equal(o.at, z) {
		return
	}
	o.at = append(o.at[:0], z...)
	d := len(z) - 1
	o.w = append(o.w[:0], z[:d]...)
	o.pre.solve(blas.NoTrans, o.w)
	o.b = 2 * z[d]
	o.margins.MulVec(o.x, mat.NewVecDense(d, o.w))
	for i, y := range o.y {
		o.margins.SetVec(i, y*(o.margins.AtVec(i)+o.b))
	}
}

func (o *objective) value(z []float64) float64 {
	o.move(z)
	sum := 0.0
	for i, c := range o.c {
		sum += c * softplus(-o.margins.AtVec(i))
	}
	return sum/float64(len(o.y)) + o.l2/2*floats.Dot(o.w, o.w)
}

func (o *objective) gradient(grad, z []float64) {
	o.move(z)
	n, d := len(o.y), len(z)-1
	residuals := make([]float64, n)
	for i, y := range o.y {
		residuals[i] = -y * o.c[i] * sigmoid(-o.margins.AtVec(i)) / float64(n)
	}
	mat.NewVecDense(d, grad[:d]).MulVec(o.x.T(), mat.NewVecDense(n, residuals))
	floats.AddScaled(grad[:d], o.l2, o.w)
	o.pre.solve(blas.Trans, grad[:d])
	grad[d] = 2 * floats.Sum(residuals)
}

// fit minimises the objective over the rows of x, which it standardises in place. The result takes raw features.
func fit(x *mat.Dense, inBand []bool, l2 float64, pre preconditioner) (linear, error) {
	n, d := x.Dims()
	scale := scalingOf(x)
	scale.apply(x)
	o := &objective{x: x, l2: l2, pre: pre, margins: mat.NewVecDense(n, nil)}
	o.y, o.c = weigh(inBand)
	// The optimiser looks for a descent before it looks whether one is needed: where no feature varies, the start is the minimum.
	start, slope := make([]float64, d+1), make([]float64, d+1)
	if o.gradient(slope, start); floats.Norm(slope, math.Inf(1)) < gradientTolerance {
		return scale.raw(linear{o.b, o.w}), nil
	}
	result, err := optimize.Minimize(optimize.Problem{Func: o.value, Grad: o.gradient}, start,
		&optimize.Settings{Converger: optimize.NeverTerminate{}, MajorIterations: maxIterations},
		&optimize.LBFGS{GradStopThreshold: gradientTolerance})
	if err == nil && result.Status != optimize.GradientThreshold {
		err = fmt.Errorf("it ended with %v after %d iterations", result.Status, result.MajorIterations)
	}
	if err != nil {
		return linear{}, fmt.Errorf("probes: logistic regression on %d tasks, %d features and L2 %g did not converge: %w; raise L2", n, d, l2, err)
	}
	o.move(result.X)
	return scale.raw(linear{o.b, o.w}), nil
}

// weigh gives each example its side y of ±1 and its weight c = n / (2·examples of its class), so that both classes weigh the same.
func weigh(inBand []bool) (y, c []float64) {
	n := len(inBand)
	y, c = make([]float64, n), make([]float64, n)
	var count [2]int
	for _, in := range inBand {
		count[class(in)]++
	}
	for i, in := range inBand {
		k := class(in)
		y[i] = float64(2*k - 1)
		c[i] = float64(n) / (2 * float64(count[k]))
	}
	return y, c
}

// softplus is log(1 + eᵗ).
func softplus(t float64) float64 { return max(t, 0) + math.Log1p(math.Exp(-math.Abs(t))) }

func sigmoid(t float64) float64 {
	if t < 0 {
		e := math.Exp(t)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-t))
}
