// Package quanttest writes tensors in the formats that package quant reads, for tests. It rounds each value to the nearest that its
// block can hold; it does not search for better scales, as quantisers for real models do.
package quanttest

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/ollama/ollama/fs/ggml"
	"github.com/x448/float16"
)

// Encode stores values in the format of a tensor type; their number is a multiple of its block. It panics on types that package
// quant does not read.
func Encode(t ggml.TensorType, values []float32) []byte {
	f, ok := encoders[t]
	if !ok || len(values)%f.block != 0 {
		panic(fmt.Sprintf("quanttest: %d values as %s", len(values), t))
	}
	var out []byte
	for block := range slices.Chunk(values, f.block) {
		out = f.append(out, block)
	}
	return out
}

var encoders = map[ggml.TensorType]struct {
	block  int
	append func(dst []byte, x []float32) []byte
}{
	ggml.TensorTypeF32: {1, func(dst []byte, x []float32) []byte {
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(x[0]))
	}},
	ggml.TensorTypeF16:  {1, func(dst []byte, x []float32) []byte { return appendHalf(dst, x[0]) }},
	ggml.TensorTypeBF16: {1, appendBF16},
	ggml.TensorTypeQ8_0: {32, appendQ8_0},
	ggml.TensorTypeQ4_0: {32, func(dst []byte, x []float32) []byte { return appendCentred(dst, x, 4) }},
	ggml.TensorTypeQ5_0: {32, func(dst []byte, x []float32) []byte { return appendCentred(dst, x, 5) }},
	ggml.TensorTypeQ4_1: {32, func(dst []byte, x []float32) []byte { return appendOffset(dst, x, 4) }},
	ggml.TensorTypeQ5_1: {32, func(dst []byte, x []float32) []byte { return appendOffset(dst, x, 5) }},
	ggml.TensorTypeQ4_K: {256, func(dst []byte, x []float32) []byte { return appendK(dst, x, 4) }},
	ggml.TensorTypeQ5_K: {256, func(dst []byte, x []float32) []byte { return appendK(dst, x, 5) }},
	ggml.TensorTypeQ6_K: {256, appendQ6_K},
}

// toHalf is x as a half holds it, and appendHalf writes it.
func toHalf(x float32) float32 { return float16.Fromfloat32(x).Float32() }

func appendHalf(dst []byte, x float32) []byte {
	return binary.LittleEndian.AppendUint16(dst, float16.Fromfloat32(x).Bits())
}

// appendBF16 rounds to nearest, ties to even, by adding what carries into the upper half.
func appendBF16(dst []byte, x []float32) []byte {
	b := math.Float32bits(x[0])
	return binary.LittleEndian.AppendUint16(dst, uint16((b+0x7fff+b>>16&1)>>16))
}

// level is the integer in 0 … top nearest to x/scale, 0 where the scale is.
func level(x, scale float32, top int) uint8 {
	if scale == 0 {
		return 0
	}
	return uint8(min(max(math.RoundToEven(float64(x/scale)), 0), float64(top)))
}

func largest(x []float32) float32 {
	var top float32
	for _, v := range x {
		top = max(top, float32(math.Abs(float64(v))))
	}
	return top
}

func appendQ8_0(dst []byte, x []float32) []byte {
	d := toHalf(largest(x) / 127)
	dst = appendHalf(dst, d)
	for _, v := range x {
		dst = append(dst, level(v+128*d, d, 255)-128)
	}
	return dst
}

// appendCentred writes Q4_0 or Q5_0: integers about the middle of their range.
func appendCentred(dst []byte, x []float32, bits int) []byte {
	middle := float32(int(1) << (bits - 1))
	d := toHalf(largest(x) / (middle - 1))
	q := make([]uint8, len(x))
	for i, v := range x {
		q[i] = level(v+middle*d, d, 1<<bits-1)
	}
	return appendQuants(appendHalf(dst, d), q, bits)
}

// appendOffset writes Q4_1 or Q5_1: integers from the block's least value up.
func appendOffset(dst []byte, x []float32, bits int) []byte {
	low := toHalf(slices.Min(x))
	d := toHalf((slices.Max(x) - low) / float32(int(1)<<bits-1))
	q := make([]uint8, len(x))
	for i, v := range x {
		q[i] = level(v-low, d, 1<<bits-1)
	}
	return appendQuants(appendHalf(appendHalf(dst, d), low), q, bits)
}

// appendQuants writes 32 integers: their fifth bits if there are, then nibbles.
func appendQuants(dst []byte, q []uint8, bits int) []byte {
	if bits == 5 {
		var high uint32
		for i, v := range q {
			high |= uint32(v>>4) << i
		}
		dst = binary.LittleEndian.AppendUint32(dst, high)
	}
	for i := range 16 {
		dst = append(dst, q[i]&15|q[i+16]<<4)
	}
	return dst
}

// appendK writes Q4_K or Q5_K: sub-blocks of 32 values, each with a scale and an offset of six bits.
func appendK(dst []byte, x []float32, bits int) []byte {
	top := 1<<bits - 1
	var scales, offsets [8]float32
	for i := range 8 {
		sub := x[32*i : 32*i+32]
		offsets[i] = max(0, -slices.Min(sub))
		scales[i] = max(0, slices.Max(sub)+offsets[i]) / float32(top)
	}
	d, m := toHalf(slices.Max(scales[:])/63), toHalf(slices.Max(offsets[:])/63)
	var sc, of [8]uint8
	q := make([]uint8, len(x))
	for i := range 8 {
		sc[i], of[i] = level(scales[i], d, 63), level(offsets[i], m, 63)
		for j := 32 * i; j < 32*i+32; j++ {
			q[j] = level(x[j]+m*float32(of[i]), d*float32(sc[i]), top)
		}
	}
	dst = appendHalf(appendHalf(dst, d), m)
	dst = appendScales(dst, sc, of)
	if bits == 5 {
		for j := range 32 {
			var high uint8
			for i := range 8 {
				high |= q[32*i+j] >> 4 << i
			}
			dst = append(dst, high)
		}
	}
	for pair := range 4 {
		for j := 64 * pair; j < 64*pair+32; j++ {
			dst = append(dst, q[j]&15|q[j+32]<<4)
		}
	}
	return dst
}

// appendScales packs eight scales and eight offsets of six bits into twelve bytes.
func appendScales(dst []byte, sc, of [8]uint8) []byte {
	for i := range 4 {
		dst = append(dst, sc[i]|sc[i+4]>>4<<6)
	}
	for i := range 4 {
		dst = append(dst, of[i]|of[i+4]>>4<<6)
	}
	for i := range 4 {
		dst = append(dst, sc[i+4]&15|of[i+4]<<4)
	}
	return dst
}

// appendQ6_K writes sub-blocks of 16 values with a scale of eight bits.
func appendQ6_K(dst []byte, x []float32) []byte {
	var scales [16]float32
	for i := range scales {
		scales[i] = largest(x[16*i:16*i+16]) / 31
	}
	d := toHalf(slices.Max(scales[:]) / 127)
	var sc [16]uint8
	q := make([]uint8, len(x))
	for i := range scales {
		sc[i] = level(scales[i], d, 127)
		s := d * float32(sc[i])
		for j := 16 * i; j < 16*i+16; j++ {
			q[j] = level(x[j]+32*s, s, 63)
		}
	}
	for h := 0; h < 256; h += 128 {
		for j := range 64 {
			dst = append(dst, q[h+j]&15|q[h+64+j]<<4)
		}
	}
	for h := 0; h < 256; h += 128 {
		for j := range 32 {
			dst = append(dst, q[h+j]>>4|q[h+32+j]>>4<<2|q[h+64+j]>>4<<4|q[h+96+j]>>4<<6)
		}
	}
	return appendHalf(append(dst, sc[:]...), d)
}
