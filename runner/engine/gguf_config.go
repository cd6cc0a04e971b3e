package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// What a file can make the engine allocate for its table of positions: their number, and that of the table's values, which take 512 MiB.
const (
	maxContext   = 1 << 20
	maxRotations = 1 << 27
)

// config reads the shape. A key of the architecture that is not among those read here changes what the model computes in a way that
// the engine does not implement (scaled rotary positions, experts, sliding windows …), so that ignoring it would give wrong results.
func (f *ggufFile) config(arch Architecture, t *Tokenizer) (Config, error) {
	s := shape{f: f, arch: arch, known: map[string]bool{}}
	_, untied := f.tensors["output.weight"]
	_, bias := f.tensors["blk.0.attn_q.bias"]
	c := Config{
		Arch:    arch,
		Vocab:   t.Size(),
		Width:   s.dim("embedding_length"),
		Layers:  s.dim("block_count"),
		Heads:   s.dim("attention.head_count"),
		Hidden:  s.dim("feed_forward_length"),
		Context: s.dim("context_length"),
		Epsilon: s.number("attention.layer_norm_rms_epsilon"),
		Tied:    !untied,
		Bias:    bias,
	}
	c.KVHeads = s.dim("attention.head_count_kv", c.Heads)
	c.HeadDim = s.dim("attention.key_length", c.Width/max(c.Heads, 1))
	// 10000 is the base of arXiv 2104.09864, which llama.cpp takes too where the key is absent.
	c.RopeBase = s.number("rope.freq_base", 10000)
	s.same("attention.value_length", c.HeadDim)
	s.same("rope.dimension_count", c.HeadDim)
	s.same("vocab_size", c.Vocab)
	s.same("expert_count", 0)
	s.same("expert_used_count", 0)
	c.RopeScale = s.ropeScale()
	s.text("tensor_data_layout") // how the weights lay in the file that they were converted from
	s.nothingElse()
	if c.Context > maxContext {
		s.fail(fmt.Errorf("%s.context_length is %d; the engine holds up to %d positions", arch, c.Context, maxContext))
	} else if c.HeadDim > maxRotations/max(c.Context, 1) {
		s.fail(fmt.Errorf("%s.context_length is %d and attention.key_length is %d; the engine holds a table of up to %d values for both",
			arch, c.Context, c.HeadDim, maxRotations))
	}
	if s.err != nil {
		return c, s.err
	}
	return c, c.Check()
}

// shape reads the keys of the architecture and remembers which they are. The first error stays.
type shape struct {
	f     *ggufFile
	arch  Architecture
	known map[string]bool // keys read
	err   error
}

func (s *shape) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

func (s *shape) dim(key string, absent ...int) int {
	return int(entry[uint32](s, key, absent))
}

func (s *shape) number(key string, absent ...int) float32 {
	return entry[float32](s, key, absent)
}

// entry is the value of a key of the architecture; it has to be there unless a value for its absence is given.
func entry[T uint32 | float32](s *shape, key string, absent []int) T {
	key = s.arch.String() + "." + key
	s.known[key] = true
	if _, present := s.f.kv[key]; !present && len(absent) > 0 {
		return T(absent[0])
	}
	v, err := value[T](s.f, key)
	s.fail(err)
	return v
}

// text is the value of a key of the architecture, empty where it is not there.
func (s *shape) text(key string) string {
	key = s.arch.String() + "." + key
	s.known[key] = true
	v, err := optional(s.f, key, "")
	s.fail(err)
	return v
}

// ropeScale reads the linear scaling of rotary positions: 0 is none. Where the file names a factor and no kind, llama.cpp takes it as
// linear.
func (s *shape) ropeScale() float32 {
	const kindKey, factorKey = "rope.scaling.type", "rope.scaling.factor"
	kind, factor := s.text(kindKey), s.number(factorKey, 0)
	// What these keys say of how the model was made matters to other kinds of scaling only.
	s.dim("rope.scaling.original_context_length", 0)
	finetuned := s.arch.String() + ".rope.scaling.finetuned"
	s.known[finetuned] = true
	_, err := optional(s.f, finetuned, false)
	s.fail(err)
	switch kind {
	case "none":
		return 0
	case "", "linear":
		return factor
	}
	s.fail(fmt.Errorf("%s.%s is %q; the engine scales rotary positions linearly, by rope_freqs.weight or not at all", s.arch, kindKey, kind))
	return 0
}

// same refuses a dimension that llama.cpp can vary and the engine cannot.
func (s *shape) same(key string, want int) {
	if n := s.dim(key, want); n != want {
		s.fail(fmt.Errorf("%s.%s is %d; the engine needs it to be %d here", s.arch, key, n, want))
	}
}

func (s *shape) nothingElse() {
	for _, key := range slices.Sorted(maps.Keys(s.f.kv)) {
		if strings.HasPrefix(key, s.arch.String()+".") && !s.known[key] {
			s.fail(fmt.Errorf("metadata key %s: the engine does not implement it; use a model without it", key))
		}
	}
}
