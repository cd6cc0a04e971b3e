package engine

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/x448/float16"
)

// encodeFloats sets dst to values as a file has them, little-endian: IEEE 754 single precision, or half, rounded to nearest, ties to even.
func encodeFloats(dst []byte, src []float32, half bool) {
	if half {
		for i, v := range src {
			binary.LittleEndian.PutUint16(dst[2*i:], float16.Fromfloat32(v).Bits())
		}
		return
	}
	for i, v := range src {
		binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(v))
	}
}

// beyondHalf is the smallest magnitude that rounds to infinity in half precision.
const beyondHalf = 65520

// checkFinite names the first value that is infinite or not a number.
func checkFinite(tensor string, data []float32) error {
	const exponent = 0xff << 23
	for i, v := range data {
		if math.Float32bits(v)&exponent == exponent {
			return fmt.Errorf("tensor %s: value %d is %g; weights have to be finite", tensor, i, v)
		}
	}
	return nil
}

// checkHalf names the first value that half precision cannot hold.
func checkHalf(tensor string, data []float32) error {
	for i, v := range data {
		if v >= beyondHalf || v <= -beyondHalf {
			return fmt.Errorf("tensor %s: value %d is %g, beyond half precision (±65504); write single precision", tensor, i, v)
		}
	}
	return nil
}
