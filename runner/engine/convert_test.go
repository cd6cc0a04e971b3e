package engine

import (
	"math"
	"testing"

	"github.com/ollama/ollama/fs/ggml"
	"github.com/x448/float16"

	"verge/runner/engine/quant"
)

// decode reads values as the engine reads a file's.
func decode(t *testing.T, kind ggml.TensorType, dst []float32, src []byte) {
	t.Helper()
	f, err := quant.Of(kind)
	if err != nil {
		t.Fatal(err)
	}
	f.Decode(dst, src)
}

// Values from IEEE 754-2008, table 3.5: the largest half, the smallest normal and subnormal, and ties to even.
func TestHalfPrecisionValues(t *testing.T) {
	for _, c := range []struct {
		in   float32
		want float32
	}{
		{0, 0}, {1, 1}, {-2.5, -2.5}, {65504, 65504}, {65519, 65504}, {0x1p-14, 0x1p-14}, {0x1p-24, 0x1p-24}, {0x1p-26, 0},
		{1 + 0x1p-11, 1}, {1 + 3*0x1p-11, 1 + 0x1p-9}, {1.0 / 3, 0.333251953125},
	} {
		buf := make([]byte, 2)
		got := make([]float32, 1)
		encodeFloats(buf, []float32{c.in}, true)
		decode(t, ggml.TensorTypeF16, got, buf)
		if got[0] != c.want {
			t.Errorf("%g in half precision is %g, want %g", c.in, got[0], c.want)
		}
	}
}

func TestEveryFiniteHalfComesBack(t *testing.T) {
	buf := make([]byte, 2)
	value := make([]float32, 1)
	for bits := range 1 << 16 {
		h := float16.Frombits(uint16(bits))
		if !h.IsFinite() {
			continue
		}
		encodeFloats(buf, []float32{h.Float32()}, true)
		decode(t, ggml.TensorTypeF16, value, buf)
		if math.Float32bits(value[0]) != math.Float32bits(h.Float32()) {
			t.Fatalf("half %#04x comes back as %g, want %g", bits, value[0], h.Float32())
		}
	}
}

func TestSinglePrecisionKeepsEveryBit(t *testing.T) {
	in := []float32{0, float32(math.Copysign(0, -1)), 1.0 / 3, math.MaxFloat32, -math.SmallestNonzeroFloat32}
	buf := make([]byte, 4*len(in))
	out := make([]float32, len(in))
	encodeFloats(buf, in, false)
	decode(t, ggml.TensorTypeF32, out, buf)
	for i := range in {
		if math.Float32bits(in[i]) != math.Float32bits(out[i]) {
			t.Errorf("%g comes back as %g", in[i], out[i])
		}
	}
}

func TestWeightsHaveToBeFiniteAndInRange(t *testing.T) {
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		if checkFinite("w", []float32{1, bad}) == nil {
			t.Errorf("%g passes as finite", bad)
		}
	}
	if err := checkFinite("w", []float32{math.MaxFloat32, -math.MaxFloat32}); err != nil {
		t.Error(err)
	}
	for v, ok := range map[float32]bool{65504: true, -65519: true, 65520: false, -1e9: false} {
		if err := checkHalf("w", []float32{v}); (err == nil) != ok {
			t.Errorf("%g in half precision: %v", v, err)
		}
		buf := make([]byte, 2)
		got := make([]float32, 1)
		encodeFloats(buf, []float32{v}, true)
		decode(t, ggml.TensorTypeF16, got, buf)
		if finite := checkFinite("w", got) == nil; finite != ok {
			t.Errorf("%g rounds to %g, the limit says finite is %v", v, got[0], ok)
		}
	}
}
