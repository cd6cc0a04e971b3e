package probes

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// hiddenUnits is the width of an MLP's hidden layer: PROPEL's probe is "small" (arXiv 2606.18284).
const hiddenUnits = 16

// mlpDescent is enough for 1500 tasks and little enough for 15 trainings a layer.
var mlpDescent = descent{steps: 240, batch: 64, rate: .02}

// mlpLearner trains networks of one hidden layer.
type mlpLearner struct {
	all    *mat.Dense
	inBand []bool
}

func (l *mlpLearner) on(rows []int) (fitter, error) {
	x, inBand := selectRows(l.all, l.inBand, rows)
	scale := scalingOf(x)
	scale.apply(x)
	_, d := x.Dims()
	f := mlpFitter{all: l.all, x: x, scale: scale, input: mat.NewDense(mlpDescent.batch, d, nil), hidden: mat.NewDense(mlpDescent.batch, hiddenUnits, nil)}
	f.y, f.c = weigh(inBand)
	return f, nil
}

type mlpFitter struct {
	all   *mat.Dense // raw
	x     *mat.Dense // standardised training rows
	scale scaling
	y, c  []float64

	input, hidden *mat.Dense // scratch, of one batch
}

// network is a view of an MLP's parameters, or of their gradient, in one slice.
type network struct {
	weights *mat.Dense // hidden × features
	biases  []float64
	output  []float64
	bias    *float64
}

// networkSize is the number of parameters.
func networkSize(features int) int { return hiddenUnits*(features+2) + 1 }

func networkOn(params []float64, features int) network {
	n := hiddenUnits * features
	return network{
		weights: mat.NewDense(hiddenUnits, features, params[:n]),
		biases:  params[n : n+hiddenUnits],
		output:  params[n+hiddenUnits : n+2*hiddenUnits],
		bias:    &params[n+2*hiddenUnits],
	}
}

func (f mlpFitter) fit(l2 float64, seed uint64) (fitted, error) {
	n, d := f.x.Dims()
	rng, params := draws(seed), make([]float64, networkSize(d))
	net := networkOn(params, d)
	weights := net.weights.RawMatrix().Data
	for i := range weights { // a variance of 1/features keeps the units where tanh bends little
		weights[i] = rng.NormFloat64() / math.Sqrt(float64(d))
	}
	for k := range net.output {
		net.output[k] = rng.NormFloat64() / math.Sqrt(hiddenUnits)
	}
	mlpDescent.run(params, n, rng, func(grad, params []float64, batch []int) { f.gradient(grad, params, batch, l2) })

	p := &MLP{Biases: net.biases, Output: net.output, Bias: *net.bias}
	for k := range hiddenUnits {
		unit := f.scale.raw(linear{net.biases[k], net.weights.RawRowView(k)})
		p.Biases[k] = unit.bias
		p.Weights = append(p.Weights, unit.weights)
	}
	return fittedMLP{p, f.all}, nil
}

// gradient adds the gradient of the mean class-weighted logistic loss over a batch, plus l2/2 times the squared norm of the weights of both
// layers, and returns the loss.
func (f mlpFitter) gradient(grad, params []float64, batch []int, l2 float64) float64 {
	_, d := f.x.Dims()
	net, slope := networkOn(params, d), networkOn(grad, d)
	for i, row := range batch {
		f.input.SetRow(i, f.x.RawRowView(row))
	}
	x, hidden := f.input.RawMatrix(), f.hidden.RawMatrix()
	x.Rows, hidden.Rows = len(batch), len(batch)
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, x, net.weights.RawMatrix(), 0, hidden)

	loss, n := 0.0, float64(len(batch))
	for i, row := range batch {
		h := f.hidden.RawRowView(i)
		for k := range h {
			h[k] = math.Tanh(h[k] + net.biases[k])
		}
		margin := f.y[row] * (*net.bias + floats.Dot(net.output, h))
		loss += f.c[row] * softplus(-margin) / n
		residual := -f.y[row] * f.c[row] * sigmoid(-margin) / n
		*slope.bias += residual
		floats.AddScaled(slope.output, residual, h)
		for k, a := range h { // h becomes the gradient before the tanh
			h[k] = residual * net.output[k] * (1 - a*a)
		}
		floats.Add(slope.biases, h)
	}
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, hidden, x, 1, slope.weights.RawMatrix())

	weights := net.weights.RawMatrix().Data
	floats.AddScaled(slope.weights.RawMatrix().Data, l2, weights)
	floats.AddScaled(slope.output, l2, net.output)
	return loss + l2/2*(floats.Dot(weights, weights)+floats.Dot(net.output, net.output))
}

type fittedMLP struct {
	*MLP
	all *mat.Dense
}

func (f fittedMLP) logit(row int) float64 { return f.MLP.logit(f.all.RawRowView(row)) }

func (f fittedMLP) probe(s Setting) Probe {
	f.Setting = s
	return f.MLP
}
