package engine

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/viterin/vek/vek32"
)

// microShape is the embedded model's shape; benchmarks need its weights' sizes, not their values.
func microShape(b *testing.B) *Model {
	b.Helper()
	tok := NewByteTokenizer([]string{"math", "propose", "solve"}, 32)
	m, err := NewModel(MicroConfig(tok.Size()), tok)
	if err != nil {
		b.Fatal(err)
	}
	m.Init(1)
	return m
}

// ceiling is what vek32.MatMul, which uses all cores, reaches on the model's own matrices with n rows: floating-point operations a second.
func ceiling(m *Model, n int) float64 {
	r := rand.New(rand.NewPCG(1, 1))
	type product struct{ x, y, dst []float32 }
	var products []product
	flops := 0.0
	for _, t := range m.Tensors() {
		if len(t.Shape) != 2 {
			continue
		}
		out, in := t.Shape[0], t.Shape[1]
		p := product{make([]float32, n*in), make([]float32, in*out), make([]float32, n*out)}
		for i := range p.x {
			p.x[i] = r.Float32()
		}
		for i := range p.y {
			p.y[i] = r.Float32()
		}
		products = append(products, p)
		flops += 2 * float64(n*in*out)
	}
	best := 0.0
	for range 5 {
		start := time.Now()
		for _, p := range products {
			vek32.MatMul_Into(p.dst, p.x, p.y, len(p.x)/n)
		}
		best = max(best, flops/time.Since(start).Seconds())
	}
	return best
}

// matrixWeights is the number of weights that a token is multiplied by.
func matrixWeights(m *Model) float64 {
	n := 0
	for _, t := range m.Tensors() {
		if len(t.Shape) == 2 {
			n += len(t.Data)
		}
	}
	return float64(n)
}

// benchTraining reports tokens a second and the share of the ceiling; passes is how many products a token and weight cost.
func benchTraining(b *testing.B, lora bool, passes float64) {
	m := microShape(b)
	var a *Adapter
	kl := float32(0)
	if lora {
		var err error
		if a, err = NewAdapter(m, 8, 16, allTargets, 1); err != nil {
			b.Fatal(err)
		}
		kl = 0.1
	}
	tr, err := NewTrainer(m, a, DefaultAdamW())
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(2, 2))
	var batch []Sequence
	tokens := 0
	for tokens < 4096 {
		s := Sequence{Tokens: randomTokens(r, 16+r.IntN(32)), From: 1, KL: kl}
		tokens += len(s.Tokens)
		batch = append(batch, s)
	}
	if _, err := tr.Step(batch, 1e-4); err != nil {
		b.Fatal(err)
	}
	top := ceiling(m, tokens)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tr.Step(batch, 1e-4); err != nil {
			b.Fatal(err)
		}
	}
	rate := float64(tokens) * float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(rate, "tokens/s")
	b.ReportMetric(top/1e9, "vek32-ceiling-GFLOP/s")
	b.ReportMetric(rate*2*passes*matrixWeights(m)/top, "of-vek32-ceiling")
}

// BenchmarkProduct is one core's product of 256 rows with one of the model's matrices, by the engine's tiles and, beside it, by vek32.
func BenchmarkProduct(b *testing.B) {
	const m, n, p = 256, 128, 352
	r := rand.New(rand.NewPCG(1, 1))
	x, y, dst := randomMatrix(r, m*n), randomMatrix(r, n*p), make([]float32, m*p)
	var right panels
	right.setPanels(y, n, p, false)
	rate := func(product func()) float64 {
		best := 0.0
		for range 20 {
			start := time.Now()
			product()
			best = max(best, 2*m*n*p/time.Since(start).Seconds())
		}
		return best
	}
	var tiles, vek float64
	for b.Loop() {
		tiles = max(tiles, rate(func() { right.product(dst, x, m, false) }))
		// Three rows at a time, so that vek starts no goroutines.
		vek = max(vek, rate(func() {
			for i := 0; i+3 <= m; i += 3 {
				vek32.MatMul_Into(dst[i*p:(i+3)*p], x[i*n:(i+3)*n], y, n)
			}
		}))
	}
	b.ReportMetric(tiles/1e9, "tiles-GFLOP/s")
	b.ReportMetric(vek/1e9, "vek32-GFLOP/s")
	b.ReportMetric(tiles/vek, "times-vek32")
}

// A weight costs a product forward, one for the input's gradient and one for its own.
func BenchmarkTrainAll(b *testing.B) { benchTraining(b, false, 3) }

// With an adapter and KL a weight costs a product forward for the base, one forward and one back; the adapter's own are not counted.
func BenchmarkTrainAdapter(b *testing.B) { benchTraining(b, true, 3) }

func BenchmarkSample(b *testing.B) {
	m := microShape(b)
	v := view(b, m, nil)
	r := rand.New(rand.NewPCG(2, 2))
	var requests []Request
	for i := range 128 {
		requests = append(requests, Request{Prompt: randomTokens(r, 4), Params: Params{Temperature: 1, MaxTokens: 32}, Seeds: []uint64{uint64(i)}})
	}
	top := ceiling(m, 128)
	tokens := 0
	for b.Loop() {
		out, err := v.Sample(context.Background(), requests, nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, s := range out {
			tokens += len(s[0].Tokens)
		}
	}
	rate := float64(tokens) / b.Elapsed().Seconds()
	b.ReportMetric(rate, "tokens/s")
	b.ReportMetric(top/1e9, "vek32-ceiling-GFLOP/s")
	b.ReportMetric(rate*2*matrixWeights(m)/top, "of-vek32-ceiling")
}
