package probes

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// attentionDescent is enough for 1500 tasks and little enough for 15 trainings a layer.
var attentionDescent = descent{steps: 400, batch: 16, rate: .05}

// attentionLearner trains attention probes on the tokens of one layer.
type attentionLearner struct {
	width  int
	states [][]float32 // by example: tokens × width
	inBand []bool
}

func (l *attentionLearner) on(rows []int) (fitter, error) {
	inBand, row := make([]bool, len(rows)), make([]float64, l.width)
	for i, r := range rows {
		inBand[i] = l.inBand[r]
	}
	f := attentionFitter{attentionLearner: l, rows: rows, pass: &attending{width: l.width}}
	f.y, f.c = weigh(inBand)
	f.scale = scalingOver(l.width, func(yield func([]float64) bool) {
		for _, r := range rows {
			for token := range slices.Chunk(l.states[r], l.width) {
				for j, v := range token {
					row[j] = float64(v)
				}
				if !yield(row) {
					return
				}
			}
		}
	})
	return f, nil
}

type attentionFitter struct {
	*attentionLearner
	rows  []int
	scale scaling // over the tokens of the rows
	y, c  []float64
	pass  *attending // scratch
}

// fit starts from a query whose scores have a spread of about 1.
func (f attentionFitter) fit(l2 float64, seed uint64) (fitted, error) {
	rng, params := draws(seed), make([]float64, 2*f.width+1)
	for j := range f.width {
		params[j] = rng.NormFloat64()
	}
	attentionDescent.run(params, len(f.rows), rng, func(grad, params []float64, batch []int) { f.gradient(grad, params, batch, l2) })
	return fittedAttention{f.raw(params), f.attentionLearner}, nil
}

// raw is the probe of parameters that take standardised states: query, weights, bias. A constant added to all scores changes no softmax,
// so that the mean matters to the weights only.
func (f attentionFitter) raw(params []float64) *Attention {
	d := f.width
	query := f.scale.raw(linear{0, params[:d]}).weights
	floats.Scale(1/math.Sqrt(float64(d)), query)
	out := f.scale.raw(linear{params[2*d], params[d : 2*d]})
	return &Attention{Query: query, Weights: out.weights, Bias: out.bias}
}

// gradient adds the gradient of the mean class-weighted logistic loss over a batch, plus l2/2 times the squared norm of query and weights,
// and returns the loss. The states stay as they were read: the chain rule goes through the standardisation instead.
func (f attentionFitter) gradient(grad, params []float64, batch []int, l2 float64) float64 {
	d, p := f.width, f.raw(params)
	query, out := make([]float64, d), make([]float64, d)
	loss, residuals, n := 0.0, 0.0, float64(len(batch))
	for _, i := range batch {
		pooled := f.pass.over(f.states[f.rows[i]], p.Query, p.Weights)
		margin := f.y[i] * (pooled + p.Bias)
		loss += f.c[i] * softplus(-margin) / n
		residual := -f.y[i] * f.c[i] * sigmoid(-margin) / n
		residuals += residual
		for t, a := range f.pass.weight {
			h := f.pass.token(t)
			floats.AddScaled(query, residual*a*(f.pass.value[t]-pooled), h)
			floats.AddScaled(out, residual*a, h)
		}
	}
	floats.Mul(query, f.scale.inverse)
	floats.AddScaled(grad[:d], 1/math.Sqrt(float64(d)), query)
	floats.AddScaled(out, -residuals, f.scale.mean)
	floats.Mul(out, f.scale.inverse)
	floats.Add(grad[d:2*d], out)
	grad[2*d] += residuals
	penalised := params[:2*d]
	floats.AddScaled(grad[:2*d], l2, penalised)
	return loss + l2/2*floats.Dot(penalised, penalised)
}

type fittedAttention struct {
	*Attention
	from *attentionLearner
}

func (f fittedAttention) logit(row int) float64 { return f.pass(f.from.states[row]) }

func (f fittedAttention) probe(s Setting) Probe {
	f.Setting = s
	return f.Attention
}
