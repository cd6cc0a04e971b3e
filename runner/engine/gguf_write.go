package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/ollama/ollama/fs/ggml"

	"verge/internal/disk"
)

// writeGGUF writes a file in one step: whoever opens path sees the old file or the whole new one. The same metadata and tensors give
// the same bytes. It returns the file's sha256, in hexadecimal.
func writeGGUF(path string, kv ggml.KV, tensors []*ggml.Tensor) (digest string, err error) {
	err = disk.Write(path, func(f *os.File) (err error) {
		if err := ggml.WriteGGUF(f, kv, tensors); err != nil {
			return err
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		digest, err = digestOf(f)
		return err
	})
	return digest, err
}

// digestOf is the sha256 of all that r has, in hexadecimal.
func digestOf(r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// newTensor makes a tensor to write, in half precision or single. shape has the outermost dimension first.
func newTensor(name string, shape []int, data []float32, half bool) (*ggml.Tensor, error) {
	elements := 1
	innermostFirst := make([]uint64, len(shape))
	for i, n := range shape {
		elements *= n
		innermostFirst[len(shape)-1-i] = uint64(n)
	}
	if elements != len(data) {
		return nil, fmt.Errorf("tensor %s has %d values for shape %v", name, len(data), shape)
	}
	if err := checkFinite(name, data); err != nil {
		return nil, err
	}
	kind := ggml.TensorTypeF32
	if half {
		if err := checkHalf(name, data); err != nil {
			return nil, err
		}
		kind = ggml.TensorTypeF16
	}
	return &ggml.Tensor{Name: name, Kind: uint32(kind), Shape: innermostFirst, WriterTo: floats{data, half}}, nil
}

// floats writes values as a file stores them.
type floats struct {
	data []float32
	half bool
}

// WriteTo implements io.WriterTo.
func (v floats) WriteTo(w io.Writer) (n int64, err error) {
	width := 4
	if v.half {
		width = 2
	}
	buf := make([]byte, min(len(v.data), floatsAtATime)*width)
	for piece := range slices.Chunk(v.data, floatsAtATime) {
		b := buf[:len(piece)*width]
		encodeFloats(b, piece, v.half)
		written, err := w.Write(b)
		n += int64(written)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}
