package engine

import (
	"fmt"
	"io"
	"slices"

	"github.com/ollama/ollama/fs/ggml"

	"verge/runner/engine/quant"
)

// ggufFile is a GGUF file to read from: its metadata and its tensors, which are known to lie within it.
type ggufFile struct {
	r       io.ReaderAt
	kv      ggml.KV
	tensors map[string]*ggml.Tensor
	data    int64 // where the tensors' offsets count from
}

func openGGUF(r io.ReaderAt, size int64) (*ggufFile, error) {
	if err := checkGGUF(io.NewSectionReader(r, 0, size), size); err != nil {
		return nil, err
	}
	decoded, err := ggml.Decode(io.NewSectionReader(r, 0, size), -1)
	if err != nil {
		return nil, err
	}
	table := decoded.Tensors()
	f := &ggufFile{r: r, kv: decoded.KV(), tensors: map[string]*ggml.Tensor{}, data: int64(table.Offset)}
	for _, t := range table.Items() {
		f.tensors[t.Name] = t
	}
	return f, nil
}

// value is the metadata value of a key that has to be there.
func value[T string | uint32 | float32 | bool](f *ggufFile, key string) (T, error) {
	var zero T
	if _, present := f.kv[key]; !present {
		return zero, fmt.Errorf("metadata key %s is missing; it has to be a %T", key, zero)
	}
	return optional(f, key, zero)
}

// optional is the metadata value of a key, or absent where the file does not have it.
func optional[T string | uint32 | float32 | bool](f *ggufFile, key string, absent T) (T, error) {
	v, present := f.kv[key]
	if !present {
		return absent, nil
	}
	t, ok := v.(T)
	if !ok {
		return absent, fmt.Errorf("metadata key %s is a %T, expected a %T", key, v, absent)
	}
	return t, nil
}

func (f *ggufFile) strings(key string) ([]string, error) {
	if s := f.kv.Strings(key); s != nil {
		return s, nil
	}
	return nil, fmt.Errorf("metadata key %s is missing or no array of strings", key)
}

func (f *ggufFile) ints(key string) ([]int32, error) {
	if s := f.kv.Ints(key); s != nil {
		return s, nil
	}
	return nil, fmt.Errorf("metadata key %s is missing or no array of 32-bit integers", key)
}

// fileTensor is a tensor of a file, in a format that can be decoded.
type fileTensor struct {
	*ggml.Tensor
	format *quant.Format
}

// tensor finds a tensor and checks its type and its shape, outermost dimension first.
func (f *ggufFile) tensor(name string, shape []int) (*fileTensor, error) {
	t, ok := f.tensors[name]
	if !ok {
		return nil, fmt.Errorf("tensor %s is missing; it has to have shape %v", name, shape)
	}
	format, err := quant.Of(ggml.TensorType(t.Kind))
	if err != nil {
		return nil, fmt.Errorf("tensor %s: %w", name, err)
	}
	found := make([]uint64, len(t.Shape)) // GGUF lists the innermost dimension first
	for i, n := range t.Shape {
		found[len(found)-1-i] = n
	}
	if !slices.EqualFunc(found, shape, func(a uint64, b int) bool { return a == uint64(b) }) {
		return nil, fmt.Errorf("tensor %s has shape %v, expected %v", name, found, shape)
	}
	if row := shape[len(shape)-1]; row%format.Block != 0 {
		return nil, fmt.Errorf("tensor %s has rows of %d values, which %s cannot hold: its blocks have %d", name, row, format.Type, format.Block)
	}
	return &fileTensor{t, format}, nil
}

// floatsAtATime is how many values are converted in one piece between a file and memory: whole blocks of any format.
const floatsAtATime = 16 << 10

// load reads a tensor into dst, which has as many elements.
func (f *ggufFile) load(t *fileTensor, dst []float32) error {
	buf := make([]byte, t.format.Size(min(len(dst), floatsAtATime)))
	r := io.NewSectionReader(f.r, f.data+int64(t.Offset), int64(t.Size()))
	for piece := range slices.Chunk(dst, floatsAtATime) {
		b := buf[:t.format.Size(len(piece))]
		if _, err := io.ReadFull(r, b); err != nil {
			return fmt.Errorf("reading tensor %s: %w", t.Name, err)
		}
		t.format.Decode(piece, b)
	}
	return checkFinite(t.Name, dst)
}
