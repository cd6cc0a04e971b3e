// Package quant reads the number formats of tensors in GGUF files.
//
// A format stores values in blocks: 32 values (or 256, in the K formats) share a scale, and some an offset, and each value is an
// integer of a few bits. The layouts are ggml's; values are decoded to float32.
package quant

import (
	"fmt"
	"strings"

	"github.com/ollama/ollama/fs/ggml"
)

// Format is how a tensor's values are stored.
type Format struct {
	Type  ggml.TensorType
	Block int // values in a block
	Bytes int // bytes in a block
	// decode sets dst, whole blocks of values, from src.
	decode func(dst []float32, src []byte)
}

// formats are those that can be decoded.
var formats = []Format{
	{ggml.TensorTypeF32, 1, 4, decodeF32},
	{ggml.TensorTypeF16, 1, 2, decodeF16},
	{ggml.TensorTypeBF16, 1, 2, decodeBF16},
	{ggml.TensorTypeQ8_0, 32, 34, decodeQ8_0},
	{ggml.TensorTypeQ4_0, 32, 18, decodeQ4_0},
	{ggml.TensorTypeQ4_1, 32, 20, decodeQ4_1},
	{ggml.TensorTypeQ5_0, 32, 22, decodeQ5_0},
	{ggml.TensorTypeQ5_1, 32, 24, decodeQ5_1},
	{ggml.TensorTypeQ4_K, 256, 144, decodeQ4_K},
	{ggml.TensorTypeQ5_K, 256, 176, decodeQ5_K},
	{ggml.TensorTypeQ6_K, 256, 210, decodeQ6_K},
}

// Of is the format of a tensor type. A type that cannot be decoded is an error that lists those that can.
func Of(t ggml.TensorType) (*Format, error) {
	var names []string
	for i := range formats {
		if formats[i].Type == t {
			return &formats[i], nil
		}
		names = append(names, formats[i].Type.String())
	}
	return nil, fmt.Errorf("type %s (%d) cannot be read; supported: %s", t, uint32(t), strings.Join(names, ", "))
}

// Types lists the tensor types that can be decoded.
func Types() []ggml.TensorType {
	var types []ggml.TensorType
	for _, f := range formats {
		types = append(types, f.Type)
	}
	return types
}

// Size is the number of bytes that n values take; n is a multiple of Block.
func (f *Format) Size(n int) int { return n / f.Block * f.Bytes }

// Decode sets dst from src, which holds Size(len(dst)) bytes of whole blocks.
func (f *Format) Decode(dst []float32, src []byte) {
	if len(dst)%f.Block != 0 || len(src) != f.Size(len(dst)) {
		panic(fmt.Sprintf("quant: %d values of %s from %d bytes", len(dst), f.Type, len(src)))
	}
	f.decode(dst, src)
}
