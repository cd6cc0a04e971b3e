package engine

import (
	"math"

	"github.com/viterin/vek/vek32"
)

// exp32 is e^x to within two units in the last place; below -87 it is 0.
//
// x = n·ln 2 + r with |r| <= ln 2 / 2, where seven terms of the series reach float32's precision.
func exp32(x float32) float32 {
	if x < -87 {
		return 0
	}
	if x > 88 {
		return float32(math.Inf(1))
	}
	const (
		log2e = 1.44269504088896341
		ln2Hi = 0.693359375
		ln2Lo = -2.12194440e-4
		shift = 3 << 22 // adding it rounds to an integer
	)
	n := x*log2e + shift - shift
	r := x - n*ln2Hi - n*ln2Lo
	p := float32(1.0 / 5040)
	p = p*r + 1.0/720
	p = p*r + 1.0/120
	p = p*r + 1.0/24
	p = p*r + 1.0/6
	p = p*r + 0.5
	p = p*r + 1
	p = p*r + 1
	return p * math.Float32frombits(uint32(int32(n)+127)<<23)
}

// exps sets dst = e^src, element by element; they may be the same slice.
func exps(dst, src []float32) {
	if useTiles {
		n := len(src) / 8 * 8
		if n > 0 {
			_ = dst[n-1]
			exp8(&dst[0], &src[0], n)
		}
		if n < len(src) {
			var buf [8]float32
			copy(buf[:], src[n:])
			exp8(&buf[0], &buf[0], 8)
			copy(dst[n:len(src)], buf[:])
		}
		return
	}
	for i, v := range src {
		dst[i] = exp32(v)
	}
}

// softmax turns x into probabilities in place and returns the logarithm of the sum of exponentials.
func softmax(x []float32) float32 {
	top := vek32.Max(x)
	vek32.SubNumber_Inplace(x, top)
	exps(x, x)
	sum := vek32.Sum(x)
	vek32.MulNumber_Inplace(x, 1/sum)
	return top + float32(math.Log(float64(sum)))
}

// linear is one weight matrix as the engine multiplies by it.
type linear struct {
	in, out int
	w       []float32 // [out][in]: gradients flow back through it
	wt      *panels   // [in][out]: activations flow forward through it
}

func newLinear(w []float32, out, in int) linear {
	return linear{in: in, out: out, w: w, wt: new(panels)}
}

func (l *linear) refresh() { l.wt.setPanels(l.w, l.in, l.out, true) }

// forward sets y[n×out] = x[n×in] · Wᵀ.
func (l *linear) forward(y, x []float32, n int) { l.wt.product(y, x, n, false) }

// The matrices of a block, in the order of Block.
const (
	matQ = iota
	matK
	matV
	matO
	matGate
	matUp
	matDown
	matCount
)

// matrixNames are the tensors' names within a block, by matrix.
var matrixNames = [matCount]string{"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"}

func (b *Block) matrix(i int) []float32 {
	return [matCount][]float32{b.Q, b.K, b.V, b.O, b.Gate, b.Up, b.Down}[i]
}

// matrixShape is the output and input width of a block's matrix.
func (c Config) matrixShape(i int) (out, in int) {
	switch i {
	case matQ:
		return c.queryWidth(), c.Width
	case matK, matV:
		return c.kvWidth(), c.Width
	case matO:
		return c.Width, c.queryWidth()
	case matDown:
		return c.Width, c.Hidden
	}
	return c.Hidden, c.Width
}

// kernels are a model's weights laid out for multiplication, with the tables that go with them.
type kernels struct {
	Config
	blocks    [][matCount]linear
	norms     []struct{ attn, ffn []float32 }
	outNorm   []float32
	embedding []float32
	head      linear
	cos, sin  []float32 // [Context][HeadDim/2]
}

// newKernels lays out m's weights. The result shares m's tensors but for the transposed copies, which refresh renews.
func newKernels(m *Model) *kernels {
	k := &kernels{Config: m.Config, blocks: make([][matCount]linear, m.Layers), outNorm: m.OutNorm, embedding: m.Embedding}
	k.norms = make([]struct{ attn, ffn []float32 }, m.Layers)
	for i := range m.Blocks {
		b := &m.Blocks[i]
		for j := range k.blocks[i] {
			out, in := m.matrixShape(j)
			k.blocks[i][j] = newLinear(b.matrix(j), out, in)
		}
		k.norms[i].attn, k.norms[i].ffn = b.AttnNorm, b.FFNNorm
	}
	k.head = newLinear(m.Head, m.Vocab, m.Width)
	half := m.HeadDim / 2
	k.cos, k.sin = make([]float32, m.Context*half), make([]float32, m.Context*half)
	for pos := range m.Context {
		for i := range half {
			angle := float64(pos) * math.Pow(float64(m.RopeBase), -2*float64(i)/float64(m.HeadDim))
			sin, cos := math.Sincos(angle)
			k.cos[pos*half+i], k.sin[pos*half+i] = float32(cos), float32(sin)
		}
	}
	k.refresh()
	return k
}

// refresh renews the transposed copies after the weights have changed.
func (k *kernels) refresh() {
	for i := range k.blocks {
		for j := range k.blocks[i] {
			k.blocks[i][j].refresh()
		}
	}
	k.head.refresh()
}

// rope turns the pairs of every head of x[n×width] by their positions; dir is 1 forward, -1 for gradients.
func (k *kernels) rope(x []float32, width int, positions []int32, dir float32) {
	half := k.HeadDim / 2
	for i, pos := range positions {
		cos, sin := k.cos[int(pos)*half:(int(pos)+1)*half], k.sin[int(pos)*half:(int(pos)+1)*half]
		row := x[i*width : (i+1)*width]
		for h := 0; h < width; h += k.HeadDim {
			head := row[h : h+k.HeadDim]
			for j := range half {
				a, b := head[2*j], head[2*j+1]
				c, s := cos[j], sin[j]*dir
				head[2*j], head[2*j+1] = a*c-b*s, a*s+b*c
			}
		}
	}
}

// rmsnorm sets y = x / rms(x) · g for n rows and keeps 1/rms of each.
func (k *kernels) rmsnorm(y, x, g, inv []float32, n int) {
	w := k.Width
	for i := range n {
		xr, yr := x[i*w:(i+1)*w], y[i*w:(i+1)*w]
		r := 1 / float32(math.Sqrt(float64(vek32.Dot(xr, xr)/float32(w)+k.Epsilon)))
		inv[i] = r
		vek32.MulNumber_Into(yr, xr, r)
		vek32.Mul_Inplace(yr, g)
	}
}

// Kernels names the instruction sets that the engine's loops use here. Results are the same bits only where these are the same.
func Kernels() []string {
	if useTiles {
		return []string{"avx2", "fma"}
	}
	return []string{"go"}
}
