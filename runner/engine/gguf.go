package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/ollama/ollama/fs/ggml"
	"golang.org/x/exp/mmap"

	"verge/internal/disk"
)

// ropeFactorsName is the tensor that Model.RopeFactors comes from.
const ropeFactorsName = "rope_freqs.weight"

// WriteFile writes the model as GGUF, in one step and byte for byte the same each time, and sets Digest. With half the matrices are
// stored in half precision and only the norms in single, as llama.cpp does; the weights in memory keep their precision, so that they
// are those of the file only after it has been read again. Weights that are not finite, or too large for half precision, are errors.
func (m *Model) WriteFile(path string, half bool) error {
	if m.Frozen() {
		return fmt.Errorf("writing %s: the model is frozen in %s; copy that", path, m.file)
	}
	list := m.Tensors()
	if m.RopeFactors != nil {
		list = append(list, Tensor{ropeFactorsName, []int{len(m.RopeFactors)}, m.RopeFactors})
	}
	var tensors []*ggml.Tensor
	for _, t := range list {
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
		"general.architecture": m.Arch.String(),
		"general.type":         "model",
		"general.name":         m.Name,
		"general.version":      m.Version,
		"general.file_type":    uint32(fileType),
	}
	for key, v := range map[string]any{
		"vocab_size":                       uint32(m.Vocab),
		"block_count":                      uint32(m.Layers),
		"context_length":                   uint32(m.Context),
		"embedding_length":                 uint32(m.Width),
		"feed_forward_length":              uint32(m.Hidden),
		"attention.head_count":             uint32(m.Heads),
		"attention.head_count_kv":          uint32(m.KVHeads),
		"attention.key_length":             uint32(m.HeadDim),
		"attention.value_length":           uint32(m.HeadDim),
		"attention.layer_norm_rms_epsilon": m.Epsilon,
		"rope.dimension_count":             uint32(m.HeadDim),
		"rope.freq_base":                   m.RopeBase,
	} {
		kv[m.Arch.String()+"."+key] = v
	}
	if m.RopeScale != 0 {
		kv[m.Arch.String()+".rope.scaling.type"] = "linear"
		kv[m.Arch.String()+".rope.scaling.factor"] = m.RopeScale
	}
	m.Tokenizer.describe(kv)
	return kv
}

// OpenModel reads a model from a GGUF file of one of the architectures. Tensors may have any type that package quant reads.
//
// A model whose weights take up to 64 MiB as float32 is read into memory and can be trained whole. A larger one is frozen: its
// matrices stay in the memory-mapped file, in the file's format, and the file may not change while the model is in use. Up to 2 GiB
// as float32, which is a model of half a billion weights, its matrices are also kept decoded, in memory, for running forward; beyond,
// they are decoded whenever they are used. That changes the time products take, never their results. Whether a frozen matrix's values
// are finite shows when the model samples, not when it is opened.
//
// What the engine does not implement is an error that names the key or tensor, with what was expected and what was found.
func OpenModel(path string) (*Model, error) {
	return openModel(path, residence{whole: 64 << 20, widened: 2 << 30})
}

// residence says how many bytes a model's weights may take as float32 to be in memory whole, or at least widened for running forward.
type residence struct{ whole, widened int64 }

func openModel(path string, r residence) (*Model, error) {
	if err := disk.Regular(path); err != nil {
		return nil, err
	}
	file, err := mmap.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	m, err := readModel(file, int64(file.Len()), r)
	if err == nil {
		m.Digest, err = digestOf(io.NewSectionReader(file, 0, int64(file.Len())))
	}
	// The map of a frozen model is closed when the model is collected.
	if err != nil || !m.Frozen() {
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	m.file = path
	return m, nil
}

// ReadModel reads a model from the bytes of a file into memory; name is what errors call it.
func ReadModel(data []byte, name string) (*Model, error) {
	m, err := readModel(bytes.NewReader(data), int64(len(data)), residence{whole: math.MaxInt64})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	m.file = name
	sum := sha256.Sum256(data)
	m.Digest = hex.EncodeToString(sum[:])
	return m, nil
}

func readModel(r io.ReaderAt, size int64, place residence) (*Model, error) {
	f, err := openGGUF(r, size)
	if err != nil {
		return nil, err
	}
	c, t, err := f.describe()
	if err != nil {
		return nil, err
	}
	found, err := f.modelTensors(c)
	if err != nil {
		return nil, err
	}
	m := &Model{Config: c, Tokenizer: t, Blocks: make([]Block, c.Layers)}
	widened := 4 * int64(m.Parameters())
	if widened <= place.whole {
		m, err = f.whole(c, t, found)
	} else {
		m.frozen = &frozen{widen: widened <= place.widened}
		err = f.freeze(m, found)
	}
	if err != nil {
		return nil, err
	}
	if factors := found[ropeFactorsName]; factors != nil {
		m.RopeFactors = make([]float32, c.HeadDim/2)
		if err := f.load(factors, m.RopeFactors); err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(m.RopeFactors, func(v float32) bool { return v <= 0 }); i >= 0 {
			return nil, fmt.Errorf("tensor %s: value %d is %g; factors have to be positive", ropeFactorsName, i, m.RopeFactors[i])
		}
	}
	if m.Name, err = optional(f, "general.name", ""); err != nil {
		return nil, err
	}
	m.Version, err = optional(f, "general.version", "")
	return m, err
}

// describe reads what the file says of the model beside its tensors.
func (f *ggufFile) describe() (c Config, t *Tokenizer, err error) {
	if c.Arch, err = f.architecture(); err != nil {
		return c, nil, err
	}
	if t, err = f.tokenizer(); err != nil {
		return c, nil, err
	}
	c, err = f.config(c.Arch, t)
	return c, t, err
}

// whole reads all weights into memory.
func (f *ggufFile) whole(c Config, t *Tokenizer, found map[string]*fileTensor) (*Model, error) {
	m, err := NewModel(c, t)
	if err != nil {
		return nil, err
	}
	for _, t := range m.Tensors() {
		if err := f.load(found[t.Name], t.Data); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// architecture reads which architecture the file's model has, and refuses files that are no models.
func (f *ggufFile) architecture() (Architecture, error) {
	name, err := value[string](f, "general.architecture")
	if err != nil {
		return 0, err
	}
	arch, err := architectureOf(name)
	if err != nil {
		return 0, err
	}
	kind, err := optional(f, "general.type", "model")
	if err != nil {
		return 0, err
	}
	if kind != "model" {
		return 0, fmt.Errorf("general.type is %q, expected \"model\"; an adapter is opened with the model it belongs to", kind)
	}
	return arch, nil
}

// modelTensors finds the tensors of a model of that shape, by name, before anything is allocated for them.
func (f *ggufFile) modelTensors(c Config) (map[string]*fileTensor, error) {
	if c.Layers > len(f.tensors) {
		return nil, fmt.Errorf("%s.block_count is %d in a file of %d tensors", c.Arch, c.Layers, len(f.tensors))
	}
	list := (&Model{Config: c, Blocks: make([]Block, c.Layers)}).Tensors()
	if _, ok := f.tensors[ropeFactorsName]; ok {
		list = append(list, Tensor{Name: ropeFactorsName, Shape: []int{c.HeadDim / 2}})
	}
	found := map[string]*fileTensor{}
	for _, want := range list {
		t, err := f.tensor(want.Name, want.Shape)
		if err != nil {
			return nil, err
		}
		found[want.Name] = t
	}
	for _, name := range slices.Sorted(maps.Keys(f.tensors)) {
		if found[name] == nil {
			return nil, fmt.Errorf("tensor %s is no part of the models that the engine runs; use a model without it", name)
		}
	}
	return found, nil
}
