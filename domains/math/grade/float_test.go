package grade

import (
	"math"
	"math/big"
	"testing"
)

func TestFloatsAgreeWithMachineFloats(t *testing.T) {
	f := &floats{prec: 256, work: &work{left: maxWork}}
	for _, x := range []float64{-31.5, -3.2, -1, -0.3, -1e-9, 1e-12, 0.1, 0.5, 0.7071, 0.999, 1, 1.0000001, 1.5707, 2, 3.14159, 10, 123.456} {
		b := f.new().SetFloat64(x)
		near := func(name string, got *big.Float, want float64) {
			t.Helper()
			g, _ := got.Float64()
			if math.Abs(g-want) > 1e-13*math.Max(math.Abs(want), 1e-3) {
				t.Errorf("%s(%v) = %v, want %v", name, x, g, want)
			}
		}
		near("exp", f.exp(b), math.Exp(x))
		sin, cos := f.sincos(b)
		near("sin", sin, math.Sin(x))
		near("cos", cos, math.Cos(x))
		near("arctan", f.arctan(b), math.Atan(x))
		if x > 0 {
			near("ln", f.ln(b), math.Log(x))
		}
	}
	if f.err != nil {
		t.Fatal(f.err)
	}
}

func TestFloatsIdentitiesAtManyBits(t *testing.T) {
	for _, prec := range []uint{256, 1024, 4096} {
		f := &floats{prec: prec, work: &work{left: maxWork}}
		x := f.new().SetFloat64(1.375)
		sin, cos := f.sincos(x)
		for name, gap := range map[string]*big.Float{
			"sin²+cos²=1":      f.minus(f.plus(f.mul(sin, sin), f.mul(cos, cos)), f.int(1)),
			"ln exp x=x":       f.minus(f.ln(f.exp(x)), x),
			"arctan tan x=x":   f.minus(f.arctan(f.quo(sin, cos)), x),
			"exp 2x=(exp x)^2": f.minus(f.exp(f.shift(x, 1)), f.mul(f.exp(x), f.exp(x))),
			"4 arctan 1=π":     f.minus(f.shift(f.arctan(f.int(1)), 2), f.getPi()),
			"ln 2":             f.minus(f.ln(f.int(2)), f.getLn2()),
		} {
			if gap.Sign() != 0 && gap.MantExp(nil) > -int(prec)+16 {
				t.Errorf("%s to %d bits: off by 2^%d", name, prec, gap.MantExp(nil))
			}
		}
		if f.err != nil {
			t.Fatal(f.err)
		}
	}
}

func TestFloatsReportWhatHasNoValue(t *testing.T) {
	for name, compute := range map[string]func(f *floats){
		"1/0":       func(f *floats) { f.quo(f.int(1), f.int(0)) },
		"ln 0":      func(f *floats) { f.ln(f.int(0)) },
		"root of-1": func(f *floats) { f.sqrt(f.int(-1)) },
		"e^(2^40)":  func(f *floats) { f.exp(f.int(1 << 40)) },
	} {
		f := &floats{prec: 256, work: &work{left: maxWork}}
		if compute(f); f.err == nil {
			t.Errorf("%s has a value", name)
		}
	}
}
