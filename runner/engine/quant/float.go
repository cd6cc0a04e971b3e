package quant

import (
	"encoding/binary"
	"math"
)

// half is the value of an IEEE 754 half-precision number.
func half(bits uint16) float32 {
	sign := uint32(bits&0x8000) << 16
	if bits&0x7c00 == 0x7c00 {
		return math.Float32frombits(sign | 0x7f800000 | uint32(bits&0x3ff)<<13)
	}
	// With the fields moved to where float32 has them, the value is off by the difference of the exponents' biases, 127−15. The
	// product is exact, for subnormal halves too.
	return math.Float32frombits(sign | math.Float32bits(math.Float32frombits(uint32(bits&0x7fff)<<13)*0x1p112))
}

func halfAt(src []byte, at int) float32 { return half(binary.LittleEndian.Uint16(src[at:])) }

func decodeF32(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
	}
}

func decodeF16(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = half(binary.LittleEndian.Uint16(src[2*i:]))
	}
}

// decodeBF16 reads the upper halves of float32s.
func decodeBF16(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(src[2*i:])) << 16)
	}
}
