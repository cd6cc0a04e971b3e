package engine

import (
	"math"

	"github.com/viterin/vek/vek32"
)

// exp32 is e^x to within two units in the last place; below -87 it is 0.
//
// x = n·ln 2 + r with |r| <= ln 2 / 2, where seven terms of the series reach float32's precision.
func exp32(x float32) float32 {
	if x < -87 {
		return 0
	}
	if x > 88 {
		return float32(math.Inf(1))
	}
	const (
		log2e = 1.44269504088896341
		ln2Hi = 0.693359375
		ln2Lo = -2.12194440e-4
		shift = 3 << 22 // adding it rounds to an integer
	)
	n := x*log2e + shift - shift
	r := x - n*ln2Hi - n*ln2Lo
	p := float32(1.0 / 5040)
	p = p*r + 1.0/720
	p = p*r + 1.0/120
	p = p*r + 1.0/24
	p = p*r + 1.0/6
	p = p*r + 0.5
	p = p*r + 1
	p = p*r + 1
	return p * math.Float32frombits(uint32(int32(n)+127)<<23)
}

// exps sets dst = e^src, element by element; they may be the same slice.
func exps(dst, src []float32) {
	if useTiles {
		n := len(src) / 8 * 8
		if n > 0 {
			_ = dst[n-1]
			exp8(&dst[0], &src[0], n)
		}
		if n < len(src) {
			var buf [8]float32
			copy(buf[:], src[n:])
			exp8(&buf[0], &buf[0], 8)
			copy(dst[n:len(src)], buf[:])
		}
		return
	}
	for i, v := range src {
		dst[i] = exp32(v)
	}
}

// softmax turns x into probabilities in place and returns the logarithm of the sum of exponentials.
func softmax(x []float32) float32 {
	top := vek32.Max(x)
	vek32.SubNumber_Inplace(x, top)
	exps(x, x)
	sum := vek32.Sum(x)
	vek32.MulNumber_Inplace(x, 1/sum)
	return top + float32(math.Log(float64(sum)))
}
