package engine

import (
	"fmt"
	"io"
	"slices"

	"github.com/ollama/ollama/fs/ggml"
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

// tensor finds a tensor and checks its type and its shape, outermost dimension first.
func (f *ggufFile) tensor(name string, shape []int) (*ggml.Tensor, error) {
	t, ok := f.tensors[name]
	if !ok {
		return nil, fmt.Errorf("tensor %s is missing; it has to have shape %v", name, shape)
	}
	if kind := ggml.TensorType(t.Kind); kind != ggml.TensorTypeF32 && kind != ggml.TensorTypeF16 {
		return nil, fmt.Errorf("tensor %s has type %s (%d); the engine reads F32 and F16", name, kind, t.Kind)
	}
	found := make([]uint64, len(t.Shape)) // GGUF lists the innermost dimension first
	for i, n := range t.Shape {
		found[len(found)-1-i] = n
	}
	if !slices.EqualFunc(found, shape, func(a uint64, b int) bool { return a == uint64(b) }) {
		return nil, fmt.Errorf("tensor %s has shape %v, expected %v", name, found, shape)
	}
	return t, nil
}

// floatsAtATime is how many values are converted in one piece between a file and memory.
const floatsAtATime = 16 << 10

// load reads a tensor of F32 or F16 values into dst, which has as many elements.
func (f *ggufFile) load(t *ggml.Tensor, dst []float32) error {
	kind := ggml.TensorType(t.Kind)
	width := int(kind.TypeSize())
	buf := make([]byte, min(len(dst), floatsAtATime)*width)
	r := io.NewSectionReader(f.r, f.data+int64(t.Offset), int64(t.Size()))
	for piece := range slices.Chunk(dst, floatsAtATime) {
		b := buf[:len(piece)*width]
		if _, err := io.ReadFull(r, b); err != nil {
			return fmt.Errorf("reading tensor %s: %w", t.Name, err)
		}
		decodeFloats(piece, b, kind == ggml.TensorTypeF16)
	}
	return checkFinite(t.Name, dst)
}
