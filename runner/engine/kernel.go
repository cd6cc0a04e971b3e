package engine

import (
	"math"

	"github.com/viterin/vek/vek32"
)

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

// bias is the bias that goes with a matrix, or empty.
func (b *Block) bias(i int) []float32 {
	return [matCount][]float32{matQ: b.BQ, matK: b.BK, matV: b.BV}[i]
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

// kernels are a model's weights as they are multiplied by, with the tables that go with them.
type kernels struct {
	Config
	blocks    [][matCount]linear
	norms     []struct{ attn, ffn []float32 }
	outNorm   []float32
	embedding []float32 // nil where it stays in its file
	table     *stored   // the embedding in its file
	head      linear
	cos, sin  []float32 // [Context][HeadDim/2]
	// shared says how the cores divide the work. A small model's products are too short to be cut, so that each core runs its own
	// sequences; a frozen model's are shared by all cores, which run the same sequences one pass after the other.
	shared bool
}

// newKernels lays out m's weights. The result shares m's tensors but for the transposed copies, which refresh renews.
func newKernels(m *Model) *kernels {
	k := &kernels{Config: m.Config, blocks: make([][matCount]linear, m.Layers), outNorm: m.OutNorm}
	k.norms = make([]struct{ attn, ffn []float32 }, m.Layers)
	for i := range m.Blocks {
		k.norms[i].attn, k.norms[i].ffn = m.Blocks[i].AttnNorm, m.Blocks[i].FFNNorm
	}
	k.rotations(m.RopeFactors)
	if m.frozen != nil {
		k.freeze(m)
		return k
	}
	k.embedding = m.Embedding
	for i := range m.Blocks {
		b := &m.Blocks[i]
		for j := range k.blocks[i] {
			out, in := m.matrixShape(j)
			k.blocks[i][j] = newLinear(b.matrix(j), out, in)
			k.blocks[i][j].bias = b.bias(j)
		}
	}
	k.head = newLinear(m.Head, m.Vocab, m.Width)
	k.refresh()
	return k
}

// rotations makes the table of rotary positions (arXiv 2104.09864): position p turns pair i by p·base^(−2i/HeadDim).
func (k *kernels) rotations(factors []float32) {
	half := k.HeadDim / 2
	k.cos, k.sin = make([]float32, k.Context*half), make([]float32, k.Context*half)
	scale := 1.0
	if k.RopeScale != 0 {
		scale = float64(k.RopeScale)
	}
	for i := range half {
		turn := math.Pow(float64(k.RopeBase), -2*float64(i)/float64(k.HeadDim)) / scale
		if factors != nil {
			turn /= float64(factors[i])
		}
		for pos := range k.Context {
			sin, cos := math.Sincos(float64(pos) * turn)
			k.cos[pos*half+i], k.sin[pos*half+i] = float32(cos), float32(sin)
		}
	}
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

// embed copies a token's embedding to x.
func (k *kernels) embed(x []float32, token int32) {
	if k.embedding != nil {
		copy(x, k.embedding[int(token)*k.Width:])
		return
	}
	d := decodings.Get().(*decoding)
	k.table.decode(x, d, int(token), 0)
	decodings.Put(d)
}

// passes is how many passes run side by side.
func (k *kernels) passes() int {
	if k.shared {
		return 1
	}
	return workers()
}

// apart does parts that each take a pass of their own; within does the parts of one pass. Where passes run side by side, the parts
// within one are done one after the other, and the other way round.
func (k *kernels) apart(n int, j job) { k.divide(n, j, !k.shared) }

func (k *kernels) within(n int, j job) { k.divide(n, j, k.shared) }

func (k *kernels) divide(n int, j job, cores bool) {
	if cores {
		parallel(n, j)
		return
	}
	for i := range n {
		j.part(i, 0)
	}
}

// rope turns the pairs of every head of x[n×width] by their positions; dir is 1 forward, -1 for gradients.
func (k *kernels) rope(x []float32, width int, positions []int32, dir float32) {
	half := k.HeadDim / 2
	for i, pos := range positions {
		cos, sin := k.cos[int(pos)*half:(int(pos)+1)*half], k.sin[int(pos)*half:(int(pos)+1)*half]
		row := x[i*width : (i+1)*width]
		for h := 0; h < width; h += k.HeadDim {
			head := row[h : h+k.HeadDim]
			if k.Arch == Qwen2 {
				turnHalves(head[:half], head[half:], cos, sin, dir)
			} else {
				turnNeighbours(head, cos, sin, dir)
			}
		}
	}
}

func turnNeighbours(head, cos, sin []float32, dir float32) {
	for j := range cos {
		a, b := head[2*j], head[2*j+1]
		c, s := cos[j], sin[j]*dir
		head[2*j], head[2*j+1] = a*c-b*s, a*s+b*c
	}
}

func turnHalves(low, high, cos, sin []float32, dir float32) {
	for j := range cos {
		a, b := low[j], high[j]
		c, s := cos[j], sin[j]*dir
		low[j], high[j] = a*c-b*s, a*s+b*c
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
