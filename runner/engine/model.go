package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
)

// Config is the shape of a model.
type Config struct {
	Arch     Architecture
	Vocab    int     // tokens
	Width    int     // of the residual stream
	Layers   int     // blocks
	Heads    int     // query heads
	KVHeads  int     // key and value heads; divides Heads (grouped-query attention)
	HeadDim  int     // of one head; even, for the rotary pairs
	Hidden   int     // of the SwiGLU feed-forward
	Context  int     // longest sequence, tokens
	RopeBase float32 // rotary base frequency
	Epsilon  float32 // of the RMS norms
	Tied     bool    // the output head is the embedding
	Bias     bool    // queries, keys and values have biases
	// RopeScale divides positions (linear scaling, arXiv 2306.15595); 0 is no scaling.
	RopeScale float32
}

// Check returns an error that names what does not fit.
func (c Config) Check() error {
	for _, d := range []struct {
		name  string
		value int
	}{{"vocabulary", c.Vocab}, {"width", c.Width}, {"layers", c.Layers}, {"heads", c.Heads}, {"key/value heads", c.KVHeads},
		{"head dimension", c.HeadDim}, {"hidden width", c.Hidden}, {"context", c.Context}} {
		if d.value <= 0 {
			return fmt.Errorf("model shape: %s is %d; it has to be positive", d.name, d.value)
		}
	}
	switch {
	case c.Heads%c.KVHeads != 0:
		return fmt.Errorf("model shape: %d heads cannot share %d key/value heads evenly", c.Heads, c.KVHeads)
	case c.HeadDim%2 != 0:
		return fmt.Errorf("model shape: head dimension %d is odd; rotary positions turn pairs", c.HeadDim)
	case !(c.RopeBase > 0) || !(c.Epsilon > 0):
		return fmt.Errorf("model shape: rotary base %g and norm epsilon %g have to be positive", c.RopeBase, c.Epsilon)
	case !(c.RopeScale >= 0):
		return fmt.Errorf("model shape: rotary scale %g cannot be negative", c.RopeScale)
	}
	return nil
}

func (c Config) queryWidth() int { return c.Heads * c.HeadDim }
func (c Config) kvWidth() int    { return c.KVHeads * c.HeadDim }

// Block holds one transformer block's weights. Matrices are row-major, [output][input], as GGUF stores them.
type Block struct {
	AttnNorm   []float32 // [Width]
	Q          []float32 // [Heads·HeadDim][Width]
	K, V       []float32 // [KVHeads·HeadDim][Width]
	BQ, BK, BV []float32 // their biases, one for each output; empty without Bias
	O          []float32 // [Width][Heads·HeadDim]
	FFNNorm    []float32 // [Width]
	Gate, Up   []float32 // [Hidden][Width]
	Down       []float32 // [Width][Hidden]
}

// Model is a model of one of the architectures. Its weights are float32 in memory, or frozen in the file that they were read from, as
// OpenModel decides. A model that is not being trained may be used from many goroutines.
type Model struct {
	Config
	Name      string // general.name
	Version   string // general.version: which micro it is
	Digest    string // sha256 of the file it was read from, hexadecimal; empty before it is written or read
	Tokenizer *Tokenizer
	// RopeFactors divide the rotary frequencies, [HeadDim/2] (Llama 3.1's scaling); nil is no factors.
	RopeFactors []float32

	// The matrices of a frozen model are empty here; norms and biases are always in memory.
	Embedding []float32 // [Vocab][Width]
	Blocks    []Block
	OutNorm   []float32 // [Width]
	Head      []float32 // [Vocab][Width]; the embedding itself when tied

	// params backs every tensor above, so that an optimiser walks one slice; empty in a frozen model.
	params []float32
	frozen *frozen // nil where the weights are in memory
	file   string  // what errors call it

	mu   sync.Mutex
	laid *kernels // made when first needed, dropped when the weights change
}

// layout is the model's weights laid out for multiplication.
func (m *Model) layout() *kernels {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.laid == nil {
		m.laid = newKernels(m)
	}
	return m.laid
}

// changed says that the weights were written; what was derived from them is made anew.
func (m *Model) changed() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.laid = nil
	m.Digest = ""
}

// Tensor is a named view of a model's weights.
type Tensor struct {
	Name  string // as in GGUF
	Shape []int  // outermost first: [rows, columns] or [n]
	Data  []float32
}

// NewModel makes a model of that shape with zero weights.
func NewModel(c Config, t *Tokenizer) (*Model, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	m := &Model{Config: c, Tokenizer: t, Blocks: make([]Block, c.Layers), file: "a new model"}
	m.params = make([]float32, m.bind(nil))
	m.bind(m.params)
	return m, nil
}

// bind cuts the tensors out of buf, or with a nil buf only counts; it returns the number of parameters.
func (m *Model) bind(buf []float32) int {
	n := 0
	cut := func(t *[]float32, size int) {
		if buf != nil {
			*t = buf[n : n+size : n+size]
		}
		n += size
	}
	w, q, kv, h := m.Width, m.queryWidth(), m.kvWidth(), m.Hidden
	cut(&m.Embedding, m.Vocab*w)
	for i := range m.Blocks {
		b := &m.Blocks[i]
		cut(&b.AttnNorm, w)
		cut(&b.Q, q*w)
		cut(&b.K, kv*w)
		cut(&b.V, kv*w)
		if m.Bias {
			cut(&b.BQ, q)
			cut(&b.BK, kv)
			cut(&b.BV, kv)
		}
		cut(&b.O, w*q)
		cut(&b.FFNNorm, w)
		cut(&b.Gate, h*w)
		cut(&b.Up, h*w)
		cut(&b.Down, w*h)
	}
	cut(&m.OutNorm, w)
	if m.Tied {
		m.Head = m.Embedding
	} else {
		cut(&m.Head, m.Vocab*w)
	}
	return n
}

// Parameters is the number of weights.
func (m *Model) Parameters() int {
	n := 0
	for _, t := range m.Tensors() {
		n += t.elements()
	}
	return n
}

func (t Tensor) elements() int {
	n := 1
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// Tensors lists the weights in file order. The data are views: writing them changes the model. Matrices that a frozen model keeps in
// its file have none.
func (m *Model) Tensors() []Tensor {
	w, q, kv, h := m.Width, m.queryWidth(), m.kvWidth(), m.Hidden
	ts := []Tensor{{"token_embd.weight", []int{m.Vocab, w}, m.Embedding}}
	for i := range m.Blocks {
		b := &m.Blocks[i]
		name := func(s string) string { return fmt.Sprintf("blk.%d.%s.weight", i, s) }
		ts = append(ts,
			Tensor{name("attn_norm"), []int{w}, b.AttnNorm},
			Tensor{name("attn_q"), []int{q, w}, b.Q},
			Tensor{name("attn_k"), []int{kv, w}, b.K},
			Tensor{name("attn_v"), []int{kv, w}, b.V})
		if m.Bias {
			bias := func(s string) string { return fmt.Sprintf("blk.%d.%s.bias", i, s) }
			ts = append(ts,
				Tensor{bias("attn_q"), []int{q}, b.BQ},
				Tensor{bias("attn_k"), []int{kv}, b.BK},
				Tensor{bias("attn_v"), []int{kv}, b.BV})
		}
		ts = append(ts,
			Tensor{name("attn_output"), []int{w, q}, b.O},
			Tensor{name("ffn_norm"), []int{w}, b.FFNNorm},
			Tensor{name("ffn_gate"), []int{h, w}, b.Gate},
			Tensor{name("ffn_up"), []int{h, w}, b.Up},
			Tensor{name("ffn_down"), []int{w, h}, b.Down})
	}
	ts = append(ts, Tensor{"output_norm.weight", []int{w}, m.OutNorm})
	if !m.Tied {
		ts = append(ts, Tensor{"output.weight", []int{m.Vocab, w}, m.Head})
	}
	return ts
}

// Init fills the weights at random: normals of deviation 0.02, residual outputs smaller by √(2·Layers) as in GPT-2, norms 1.
func (m *Model) Init(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0x6d6f64656c))
	residual := float32(0.02 / math.Sqrt(2*float64(m.Layers)))
	fill := func(t []float32, sd float32) {
		for i := range t {
			t[i] = sd * float32(r.NormFloat64())
		}
	}
	one := func(t []float32) {
		for i := range t {
			t[i] = 1
		}
	}
	fill(m.Embedding, 0.02)
	for i := range m.Blocks {
		b := &m.Blocks[i]
		one(b.AttnNorm)
		one(b.FFNNorm)
		for _, t := range [][]float32{b.Q, b.K, b.V, b.Gate, b.Up} {
			fill(t, 0.02)
		}
		fill(b.O, residual)
		fill(b.Down, residual)
	}
	one(m.OutNorm)
	if !m.Tied {
		fill(m.Head, 0.02)
	}
	m.changed()
}
