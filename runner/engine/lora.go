package engine

import (
	"fmt"

	"github.com/viterin/vek/vek32"
)

// loraFactor is one adapted matrix in training: y += scale · B(A x).
type loraFactor struct {
	in, out, rank int
	scale         float32
	a             []float32 // [rank][in], trained
	bt            []float32 // [rank][out], B transposed, trained
	at            panels    // A transposed
	b             panels    // B
}

// loraState is an adapter in training: its factors by block and matrix, nil where the matrix is not adapted.
type loraState struct {
	factors [][matCount]*loraFactor
	offsets [][matCount]int // of each factor's gradient: A, then B transposed
	params  []float32
	adapter *Adapter
}

func newLoraState(c Config, a *Adapter) (*loraState, error) {
	s := &loraState{factors: make([][matCount]*loraFactor, c.Layers), offsets: make([][matCount]int, c.Layers), adapter: a}
	total := 0
	for _, f := range a.Factors {
		total += len(f.A) + len(f.B)
	}
	s.params = make([]float32, total)
	at := 0
	for i := range a.Factors {
		f := &a.Factors[i]
		block, matrix, err := c.locate(f)
		if err != nil {
			return nil, err
		}
		na, nb := len(f.A), len(f.B)
		l := &loraFactor{in: f.In, out: f.Out, rank: a.Rank, scale: a.Alpha / float32(a.Rank),
			a: s.params[at : at+na], bt: s.params[at+na : at+na+nb]}
		copy(l.a, f.A)
		transpose(l.bt, f.B, f.Out, a.Rank)
		l.refresh()
		s.factors[block][matrix] = l
		s.offsets[block][matrix] = at
		at += na + nb
	}
	return s, nil
}

// refresh renews what is laid out after the factors have changed.
func (f *loraFactor) refresh() {
	f.at.setPanels(f.a, f.in, f.rank, true)
	f.b.setPanels(f.bt, f.out, f.rank, true)
}

// store writes what has been trained back into the adapter.
func (s *loraState) store() {
	i := 0
	for block := range s.factors {
		for _, l := range s.factors[block] {
			if l == nil {
				continue
			}
			f := &s.adapter.Factors[i]
			copy(f.A, l.a)
			transpose(f.B, l.bt, l.rank, l.out)
			i++
		}
	}
}

func (s *loraState) refresh() {
	for block := range s.factors {
		for _, l := range s.factors[block] {
			if l != nil {
				l.refresh()
			}
		}
	}
}

// forward adds the factor's share to y[n×out] and keeps scale·A x, [n×rank], in kept.
func (f *loraFactor) forward(y, x []float32, kept *[]float32, n int) {
	grow(kept, n*f.rank)
	f.at.product(*kept, x, n, false)
	vek32.MulNumber_Inplace(*kept, f.scale)
	matmul(y, *kept, f.bt, n, f.rank, f.out, true)
}

// backward adds the gradients of A and Bᵀ to grad and, where dx is not nil, the factor's share of the input's gradient to dx.
func (f *loraFactor) backward(grad, dx, dy, x, kept []float32, back *[]float32, n int) {
	na := f.rank * f.in
	matmulTurned(grad[na:na+f.rank*f.out], kept, dy, f.rank, n, f.out, true)
	grow(back, n*f.rank)
	f.b.product(*back, dy, n, false)
	vek32.MulNumber_Inplace(*back, f.scale)
	matmulTurned(grad[:na], *back, x, f.rank, n, f.in, true)
	if dx != nil {
		matmul(dx, *back, f.a, n, f.rank, f.in, true)
	}
}

// locate finds the block and matrix that a factor belongs to and checks its shape.
func (c Config) locate(f *Factor) (block, matrix int, err error) {
	for block := range c.Layers {
		for matrix, name := range matrixNames {
			if f.Name != fmt.Sprintf("blk.%d.%s", block, name) {
				continue
			}
			if out, in := c.matrixShape(matrix); out != f.Out || in != f.In {
				return 0, 0, fmt.Errorf("adapter factor %s is for a %d×%d matrix, the model's is %d×%d", f.Name, f.Out, f.In, out, in)
			}
			return block, matrix, nil
		}
	}
	return 0, 0, fmt.Errorf("adapter factor %q names no matrix of a model of %d blocks", f.Name, c.Layers)
}

// merged is the model's weights with the adapter's product added to them. What old, an earlier merge of the same model, took for the adapted
// matrices is used again; nil: there is none.
func merged(m *Model, a *Adapter, old *kernels) (*kernels, error) {
	k := *m.layout()
	k.blocks = append([][matCount]linear(nil), k.blocks...)
	for i := range a.Factors {
		f := &a.Factors[i]
		block, matrix, err := m.locate(f)
		if err != nil {
			return nil, err
		}
		l := &k.blocks[block][matrix]
		scale := a.Alpha / float32(a.Rank)
		w, wt := []float32(nil), new(panels)
		if old != nil {
			if before := &old.blocks[block][matrix]; before.wt != l.wt {
				w, wt = before.w[:0], before.wt
			}
		}
		w = append(w, l.w...)
		for o := range f.Out {
			row := w[o*f.In : (o+1)*f.In]
			for r := range a.Rank {
				s := scale * f.B[o*a.Rank+r]
				for j, v := range f.A[r*f.In : (r+1)*f.In] {
					row[j] += s * v
				}
			}
		}
		l.w, l.wt = w, wt
		l.refresh()
	}
	return &k, nil
}

// transpose sets dst[cols][rows] to the transpose of src[rows][cols].
func transpose(dst, src []float32, rows, cols int) {
	for r := range rows {
		for c, v := range src[r*cols : (r+1)*cols] {
			dst[c*rows+r] = v
		}
	}
}
