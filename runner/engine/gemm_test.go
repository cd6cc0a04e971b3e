package engine

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func randomMatrix(r *rand.Rand, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(r.NormFloat64())
	}
	return out
}

func TestProductsMatchTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		m, n, p := 1+r.IntN(20), 1+r.IntN(40), 1+r.IntN(50)
		x, y, start := randomMatrix(r, m*n), randomMatrix(r, n*p), randomMatrix(r, m*p)
		turnedX, turnedY := make([]float32, m*n), make([]float32, n*p)
		transpose(turnedX, x, m, n)
		transpose(turnedY, y, n, p)
		var straight, turned panels
		straight.setPanels(y, n, p, false)
		turned.setPanels(turnedY, n, p, true)
		for _, add := range []bool{false, true} {
			want := make([]float64, m*p)
			for i := range m {
				for j := range p {
					if add {
						want[i*p+j] = float64(start[i*p+j])
					}
					for k := range n {
						want[i*p+j] += float64(x[i*n+k]) * float64(y[k*p+j])
					}
				}
			}
			for name, f := range map[string]func(dst []float32){
				"matmul":          func(d []float32) { matmul(d, x, y, m, n, p, add) },
				"matmulTurned":    func(d []float32) { matmulTurned(d, turnedX, y, m, n, p, add) },
				"product":         func(d []float32) { straight.product(d, x, m, add) },
				"product, turned": func(d []float32) { turned.product(d, x, m, add) },
			} {
				// A guard behind the result shows writes beyond it.
				got := append(append([]float32(nil), start...), 42)
				f(got[: m*p : m*p])
				for i := range want {
					if math.Abs(float64(got[i])-want[i]) > 1e-4 {
						t.Fatalf("%s %d×%d×%d add=%v: element %d is %g, want %g", name, m, n, p, add, i, got[i], want[i])
					}
				}
				if got[m*p] != 42 {
					t.Fatalf("%s %d×%d×%d wrote beyond its result", name, m, n, p)
				}
			}
		}
	}
}

func TestARowOfAProductDoesNotDependOnTheOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	m, n, p := 17, 33, 40
	x, y := randomMatrix(r, m*n), randomMatrix(r, n*p)
	var right panels
	right.setPanels(y, n, p, false)
	all := make([]float32, m*p)
	right.product(all, x, m, false)
	for i := range m {
		one := make([]float32, p)
		right.product(one, x[i*n:(i+1)*n], 1, false)
		if d := cmp.Diff(one, all[i*p:(i+1)*p]); d != "" {
			t.Fatalf("row %d alone differs in its bits:\n%s", i, d)
		}
	}
}

func TestExpAndLog(t *testing.T) {
	var xs, es []float32
	for x := -86.0; x < 88; x += 0.0137 {
		xs = append(xs, float32(x))
	}
	es = make([]float32, len(xs))
	exps(es, xs)
	for i, x := range xs {
		if got, want := float64(es[i]), math.Exp(float64(x)); math.Abs(got-want) > 3e-7*want {
			t.Fatalf("exps(%g) = %g, want %g", x, got, want)
		}
		if got, want := float64(exp32(float32(x))), math.Exp(float64(float32(x))); math.Abs(got-want) > 3e-7*want {
			t.Fatalf("exp(%g) = %g, want %g", x, got, want)
		}
	}
	for x := 1e-37; x < 1e37; x *= 1.0173 {
		if got, want := float64(log32(float32(x))), math.Log(float64(float32(x))); math.Abs(got-want) > 2e-6*math.Max(1, math.Abs(want)) {
			t.Fatalf("log(%g) = %g, want %g", x, got, want)
		}
	}
}

func TestNaNIsNotSwallowed(t *testing.T) {
	nan := float32(math.NaN())
	x := []float32{0, nan, 1, 2, 3, 4, 5, 6, nan}
	exps(x, x)
	for _, i := range []int{1, 8} {
		if !math.IsNaN(float64(x[i])) {
			t.Errorf("exp of NaN at %d is %g", i, x[i])
		}
	}
	v := view(t, smallModel(t, true), nil)
	for i := range v.k.outNorm {
		v.k.outNorm[i] = nan
	}
	if _, err := v.Sample(context.Background(), sampleRequests(3), nil); err == nil {
		t.Error("a model without finite logits was sampled")
	}
}

func TestSoftmaxOfHugeLogits(t *testing.T) {
	x := []float32{1e4, 1e4 - 1, -1e4, float32(math.Inf(-1))}
	norm := softmax(x)
	var sum float32
	for _, v := range x {
		sum += v
	}
	if math.Abs(float64(sum)-1) > 1e-6 || math.IsNaN(float64(norm)) || x[3] != 0 {
		t.Errorf("softmax %v, log of the sum %g", x, norm)
	}
}

func TestPanelsAreTheTranspose(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, rows := range []int{1, 7, 15, 16} {
		for _, cols := range []int{1, 7, 8, 9, 24, 31, 64} {
			src, panel := randomMatrix(r, rows*cols), make([]float32, cols*tileCols)
			turnRows(panel, src, rows, cols)
			for row := range tileCols {
				for col := range cols {
					want := float32(0)
					if row < rows {
						want = src[row*cols+col]
					}
					if got := panel[col*tileCols+row]; got != want {
						t.Fatalf("%d×%d: row %d, column %d is %g, want %g", rows, cols, row, col, got, want)
					}
				}
			}
		}
	}
}
