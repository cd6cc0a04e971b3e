package quant_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ollama/ollama/fs/ggml"
	"github.com/x448/float16"

	"verge/runner/engine/quant"
	"verge/runner/engine/quant/quanttest"
)

func decode(t *testing.T, kind ggml.TensorType, n int, data []byte) []float32 {
	t.Helper()
	f, err := quant.Of(kind)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float32, n)
	f.Decode(out, data)
	return out
}

// join concatenates bytes, numbers of 16 bits as little-endian and slices.
func join(parts ...any) []byte {
	var out []byte
	for _, p := range parts {
		switch v := p.(type) {
		case int:
			out = append(out, byte(v))
		case uint16:
			out = binary.LittleEndian.AppendUint16(out, v)
		case []byte:
			out = append(out, v...)
		}
	}
	return out
}

func repeated(b byte, n int) []byte { return slices.Repeat([]byte{b}, n) }

// Halves by their bits: 0x3800 is 0.5, 0x4000 is 2, 0xbc00 is -1, 0x3c00 is 1, 0x3400 is 0.25.

// TestHandPackedBlocks holds every format to blocks packed by hand from its layout.
func TestHandPackedBlocks(t *testing.T) {
	cases := []struct {
		name string
		kind ggml.TensorType
		data []byte
		n    int
		want map[int]float32 // by value; all others are rest
		rest float32
	}{
		{"F32", ggml.TensorTypeF32, []byte{0, 0, 0x20, 0xc1}, 1, nil, -10},
		{"F16 subnormal", ggml.TensorTypeF16, join(uint16(0x8001)), 1, nil, -0x1p-24},
		{"F16 largest", ggml.TensorTypeF16, join(uint16(0x7bff)), 1, nil, 65504},
		{"BF16", ggml.TensorTypeBF16, join(uint16(0xc049)), 1, nil, -3.140625},
		{"Q8_0", ggml.TensorTypeQ8_0, join(uint16(0x3800), 127, 0x80, repeated(0, 29), 0xff), 32, map[int]float32{0: 63.5, 1: -64, 31: -0.5}, 0},
		// Byte 2 has value 2 in its low nibble, value 18 in its upper.
		{"Q4_0", ggml.TensorTypeQ4_0, join(uint16(0x3800), 0x88, 0x88, 0x0f, repeated(0x88, 13)), 32, map[int]float32{2: 3.5, 18: -4}, 0},
		{"Q4_1", ggml.TensorTypeQ4_1, join(uint16(0x3800), uint16(0xbc00), 0, 0, 0xf3, repeated(0, 13)), 32, map[int]float32{2: 0.5, 18: 6.5}, -1},
		// Fifth bits: of all values but 3 and 18 (bit 18 is bit 2 of byte 2).
		{"Q5_0", ggml.TensorTypeQ5_0, join(uint16(0x4000), 0xf7, 0xff, 0xfb, 0xff, 0, 0, 0xa0, 0x0f, repeated(0, 12)), 32,
			map[int]float32{3: -2, 18: -12}, 0},
		{"Q5_1", ggml.TensorTypeQ5_1, join(uint16(0x4000), uint16(0xbc00), 0x08, 0, 0x04, 0, 0, 0, 0xa0, 0x0f, repeated(0, 12)), 32,
			map[int]float32{3: 61, 18: 51}, -1},
		// Sub-block 1: scale 3, offset 2; sub-block 5: scale 0x25 = 37, offset 0x13 = 19. Scales 5's upper bits are byte 1's, offset
		// 5's byte 5's; their low bits are byte 9: 5 and 3. Sub-block 1 is the upper nibbles of the first 32 bytes, 5 those of the third.
		{"Q4_K", ggml.TensorTypeQ4_K, join(uint16(0x3800), uint16(0x3400), 0, 3|2<<6, 0, 0, 0, 2|1<<6, 0, 0, 0, 0x35, 0, 0,
			repeated(0, 4), 0x70, repeated(0, 27), repeated(0, 32), repeated(0, 31), 0xf0, repeated(0, 32)), 256,
			func() map[int]float32 {
				want := map[int]float32{}
				for j := range 32 {
					want[32+j], want[160+j] = -0.5, -4.75
				}
				want[32+4] = 0.5*3*7 - 0.25*2
				want[160+31] = 0.5*37*15 - 0.25*19
				return want
			}(), 0},
		// All scales 1, no offsets: value 4 of sub-block 1 is 7 and has its fifth bit; value 0 of sub-block 6 is its fifth bit alone.
		{"Q5_K", ggml.TensorTypeQ5_K, join(uint16(0x3800), uint16(0x3400), repeated(1, 4), repeated(0, 4), repeated(1, 4),
			0x40, 0, 0, 0, 0x02, repeated(0, 27), repeated(0, 4), 0x70, repeated(0, 123)), 256, map[int]float32{36: 0.5 * 23, 192: 0.5 * 16}, 0},
		// Value 0 of each quarter of the first half: nibbles 1, 2, 3, 4 and bit pairs 3, 2, 1, 0; in the second half value 127 is 63.
		// The scales 1, 2, 3 … of sixteen values each; others are -32 scales, which is why they are checked by a rule.
		{"Q6_K", ggml.TensorTypeQ6_K, join(0x31, repeated(0, 31), 0x42, repeated(0, 31), repeated(0, 63), 0xf0,
			0x1b, repeated(0, 31), repeated(0, 31), 0xc0,
			1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xf0, uint16(0x3800)), 256,
			func() map[int]float32 {
				want := map[int]float32{}
				for j := range 256 {
					scale := float32(j/16 + 1)
					if j >= 240 {
						scale = -16
					}
					want[j] = 0.5 * scale * -32
				}
				want[0], want[32], want[64], want[96] = 0.5*1*(1+48-32), 0.5*3*(2+32-32), 0.5*5*(3+16-32), 0.5*7*(4-32)
				want[255] = 0.5 * -16 * (63 - 32)
				return want
			}(), 0},
	}
	for _, c := range cases {
		for i, got := range decode(t, c.kind, c.n, c.data) {
			want, named := c.want[i]
			if !named {
				want = c.rest
			}
			if got != want {
				t.Errorf("%s: value %d is %g, want %g", c.name, i, got, want)
			}
		}
	}
}

// TestEveryHalf compares all 65,536 halves with an independent conversion.
func TestEveryHalf(t *testing.T) {
	for bits := range 1 << 16 {
		got := decode(t, ggml.TensorTypeF16, 1, join(uint16(bits)))[0]
		want := float16.Frombits(uint16(bits)).Float32()
		if got != want && !(math.IsNaN(float64(got)) && math.IsNaN(float64(want))) {
			t.Fatalf("half %#04x is %g, want %g", bits, got, want)
		}
	}
}

// step is the largest error that rounding to the format may have on values of which the largest magnitude in a block is 1.
var step = map[ggml.TensorType]float64{
	ggml.TensorTypeF32: 0, ggml.TensorTypeF16: 0x1p-12, ggml.TensorTypeBF16: 0x1p-9,
	// Half a step: 1/127, 1/7, 1/15; with an offset the range of 2 in 15 or 31 steps.
	ggml.TensorTypeQ8_0: 0.5 / 127, ggml.TensorTypeQ4_0: 0.5 / 7, ggml.TensorTypeQ5_0: 0.5 / 15,
	ggml.TensorTypeQ4_1: 1. / 15, ggml.TensorTypeQ5_1: 1. / 31,
	// Scale and offset are themselves rounded to sixty-thirds, so that the end of the range can be cut: by half of one for the offset
	// and by 15/15·2/63/2 for the scale.
	ggml.TensorTypeQ4_K: 1./15 + 1.6/63, ggml.TensorTypeQ5_K: 1./31 + 1.6/63,
	ggml.TensorTypeQ6_K: 0.5/31 + 0.5/127,
}

// TestRandomBlocksComeBack encodes random blocks of every format and holds what is decoded to the format's error.
func TestRandomBlocksComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, kind := range quant.Types() {
		worst := 0.0
		for range 50 {
			scale := float32(math.Exp2(float64(r.IntN(9) - 6)))
			x := make([]float32, 512)
			for i := range x {
				x[i] = scale * (2*r.Float32() - 1)
			}
			// Each sub-block reaches both ends, so that its scale is known.
			for i := 0; i < len(x); i += 16 {
				x[i+r.IntN(8)], x[i+8+r.IntN(8)] = scale, -scale
			}
			for i, got := range decode(t, kind, len(x), quanttest.Encode(kind, x)) {
				worst = max(worst, math.Abs(float64(got-x[i]))/float64(scale))
			}
		}
		// The scales are halves, off by up to 2⁻¹¹.
		if limit := step[kind] * (1 + 0x1p-5); worst > limit {
			t.Errorf("%s: a value came back off by %.4f of the largest, at most %.4f is the format's", kind, worst, limit)
		}
		if kind != ggml.TensorTypeF32 && worst < step[kind]/4 {
			t.Errorf("%s: values came back within %.2g of the largest, which is better than the format can", kind, worst)
		}
	}
}

func TestSizesAreGGMLs(t *testing.T) {
	for _, kind := range quant.Types() {
		f, err := quant.Of(kind)
		if err != nil {
			t.Fatal(err)
		}
		if f.Size(512) != int(kind.RowSize(512)) || f.Block != int(kind.BlockSize()) {
			t.Errorf("%s: %d bytes for 512 values in blocks of %d, ggml has %d and %d", kind, f.Size(512), f.Block, kind.RowSize(512), kind.BlockSize())
		}
	}
}

func TestUnsupportedTypesAreNamed(t *testing.T) {
	_, err := quant.Of(ggml.TensorTypeQ2_K)
	if err == nil {
		t.Fatal("Q2_K is accepted")
	}
	for _, part := range []string{"Q2_K", "Q4_1", "Q6_K", "BF16"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not name %s", err, part)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	x := make([]float32, 1<<16)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range x {
		x[i] = r.Float32() - 0.5
	}
	for _, kind := range quant.Types() {
		f, err := quant.Of(kind)
		if err != nil {
			b.Fatal(err)
		}
		data, out := quanttest.Encode(kind, x), make([]float32, len(x))
		b.Run(kind.String(), func(b *testing.B) {
			for b.Loop() {
				f.Decode(out, data)
			}
			b.ReportMetric(float64(b.N)*float64(len(x))/b.Elapsed().Seconds()/1e9, "Gvalues/s")
		})
	}
}
