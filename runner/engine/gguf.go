package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/ollama/ollama/fs/ggml"
)

// architecture is the value of general.architecture, and the prefix of the keys of the shape.
const architecture = "llama"

// maxContext bounds what a file can make the engine allocate for its table of positions.
const maxContext = 1 << 20

// WriteFile writes the model as GGUF, in one step and byte for byte the same each time, and sets Digest. With half the matrices are
// stored in half precision and only the norms in single, as llama.cpp does; the weights in memory keep their precision, so that they
// are those of the file only after it has been read again. Weights that are not finite, or too large for half precision, are errors.
func (m *Model) WriteFile(path string, half bool) error {
	var tensors []*ggml.Tensor
	for _, t := range m.Tensors() {
		w, err := newTensor(t.Name, t.Shape, t.Data, half && len(t.Shape) > 1)
		if err != nil {
			return fmt.Errorf("writing %s: %w", path, err)
		}
		tensors = append(tensors, w)
	}
	digest, err := writeGGUF(path, m.metadata(half), tensors)
	if err != nil {
		return err
	}
	m.Digest = digest
	return nil
}

// metadata is what llama.cpp and Ollama need to know of the model beside its tensors.
func (m *Model) metadata(half bool) ggml.KV {
	fileType := ggml.FileTypeF32
	if half {
		fileType = ggml.FileTypeF16
	}
	kv := ggml.KV{
		"general.architecture": architecture,
		"general.type":         "model",
		"general.name":         m.Name,
		"general.version":      m.Version,
		"general.file_type":    uint32(fileType),

		"llama.vocab_size":                       uint32(m.Vocab),
		"llama.block_count":                      uint32(m.Layers),
		"llama.context_length":                   uint32(m.Context),
		"llama.embedding_length":                 uint32(m.Width),
		"llama.feed_forward_length":              uint32(m.Hidden),
		"llama.attention.head_count":             uint32(m.Heads),
		"llama.attention.head_count_kv":          uint32(m.KVHeads),
		"llama.attention.key_length":             uint32(m.HeadDim),
		"llama.attention.value_length":           uint32(m.HeadDim),
		"llama.attention.layer_norm_rms_epsilon": m.Epsilon,
		"llama.rope.dimension_count":             uint32(m.HeadDim),
		"llama.rope.freq_base":                   m.RopeBase,
	}
	m.Tokenizer.describe(kv)
	return kv
}

// OpenModel reads a model from a GGUF file of the llama architecture with F32 or F16 tensors. What the engine does not implement is
// an error that names the key or tensor, with what was expected and what was found.
func OpenModel(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	m, err := readModel(f, info.Size())
	if err == nil {
		m.Digest, err = digestOf(f)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// ReadModel is OpenModel on the bytes of a file; name is what errors call it.
func ReadModel(data []byte, name string) (*Model, error) {
	m, err := readModel(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	sum := sha256.Sum256(data)
	m.Digest = hex.EncodeToString(sum[:])
	return m, nil
}

func readModel(r io.ReaderAt, size int64) (*Model, error) {
	f, err := openGGUF(r, size)
	if err != nil {
		return nil, err
	}
	if err := f.checkKind(); err != nil {
		return nil, err
	}
	t, err := f.tokenizer()
	if err != nil {
		return nil, err
	}
	c, err := f.config(t)
	if err != nil {
		return nil, err
	}
	found, err := f.modelTensors(c)
	if err != nil {
		return nil, err
	}
	m, err := NewModel(c, t)
	if err != nil {
		return nil, err
	}
	for i, t := range m.Tensors() {
		if err := f.load(found[i], t.Data); err != nil {
			return nil, err
		}
	}
	if m.Name, err = optional(f, "general.name", ""); err != nil {
		return nil, err
	}
	m.Version, err = optional(f, "general.version", "")
	return m, err
}

// checkKind refuses files that are no models of the architecture.
func (f *ggufFile) checkKind() error {
	arch, err := value[string](f, "general.architecture")
	if err != nil {
		return err
	}
	if arch != architecture {
		return fmt.Errorf("general.architecture is %q; the engine runs %q models", arch, architecture)
	}
	kind, err := optional(f, "general.type", "model")
	if err != nil {
		return err
	}
	if kind != "model" {
		return fmt.Errorf("general.type is %q, expected \"model\"; an adapter is opened with the model it belongs to", kind)
	}
	return nil
}

// config reads the shape. A key of the architecture that is not among those read here changes what the model computes in a way that
// the engine does not implement (scaled rotary positions, experts, sliding windows …), so that ignoring it would give wrong results.
func (f *ggufFile) config(t *Tokenizer) (Config, error) {
	s := shape{f: f, known: map[string]bool{}}
	_, untied := f.tensors["output.weight"]
	c := Config{
		Vocab:   t.Size(),
		Width:   s.dim("embedding_length"),
		Layers:  s.dim("block_count"),
		Heads:   s.dim("attention.head_count"),
		Hidden:  s.dim("feed_forward_length"),
		Context: s.dim("context_length"),
		Epsilon: s.number("attention.layer_norm_rms_epsilon"),
		Tied:    !untied,
	}
	c.KVHeads = s.dim("attention.head_count_kv", c.Heads)
	c.HeadDim = s.dim("attention.key_length", c.Width/max(c.Heads, 1))
	// 10000 is the base of arXiv 2104.09864, which llama.cpp takes too where the key is absent.
	c.RopeBase = s.number("rope.freq_base", 10000)
	s.same("attention.value_length", c.HeadDim)
	s.same("rope.dimension_count", c.HeadDim)
	s.same("vocab_size", c.Vocab)
	s.nothingElse()
	if c.Context > maxContext {
		s.fail(fmt.Errorf("llama.context_length is %d; the engine holds up to %d positions", c.Context, maxContext))
	}
	if s.err != nil {
		return c, s.err
	}
	return c, c.Check()
}

// shape reads the keys of the architecture and remembers which they are. The first error stays.
type shape struct {
	f     *ggufFile
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
	key = architecture + "." + key
	s.known[key] = true
	if _, present := s.f.kv[key]; !present && len(absent) > 0 {
		return T(absent[0])
	}
	v, err := value[T](s.f, key)
	s.fail(err)
	return v
}

// same refuses a dimension that llama.cpp can vary and the engine cannot.
func (s *shape) same(key string, want int) {
	if n := s.dim(key, want); n != want {
		s.fail(fmt.Errorf("%s.%s is %d; the engine needs it to be %d here", architecture, key, n, want))
	}
}

func (s *shape) nothingElse() {
	for _, key := range slices.Sorted(maps.Keys(s.f.kv)) {
		if strings.HasPrefix(key, architecture+".") && !s.known[key] {
			s.fail(fmt.Errorf("metadata key %s: the engine does not implement it; use a model without it", key))
		}
	}
}

// modelTensors finds the tensors of a model of that shape, in the order of Model.Tensors, before anything is allocated for them.
func (f *ggufFile) modelTensors(c Config) ([]*ggml.Tensor, error) {
	if c.Layers > len(f.tensors) {
		return nil, fmt.Errorf("%s.block_count is %d in a file of %d tensors", architecture, c.Layers, len(f.tensors))
	}
	shell := &Model{Config: c, Blocks: make([]Block, c.Layers)}
	var found []*ggml.Tensor
	expected := map[string]bool{}
	for _, want := range shell.Tensors() {
		t, err := f.tensor(want.Name, want.Shape)
		if err != nil {
			return nil, err
		}
		found = append(found, t)
		expected[want.Name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(f.tensors)) {
		if !expected[name] {
			return nil, fmt.Errorf("tensor %s is no part of the models that the engine runs; use a model without it", name)
		}
	}
	return found, nil
}
