package grade

import (
	"math"
	"math/big"
)

// logStart is ln x to about 40 bits, for x near 1.
func (f *floats) logStart(x *big.Float) *big.Float {
	near, _ := x.Float64()
	return f.new().SetFloat64(math.Log(near))
}

// sincos brings its argument to within an eighth of a turn, halves that k times, sums the series of 1-cos, and doubles the angle k
// times by 1-cos 2a = 2v(2-v), where v = 1-cos a; that loses no bits to cancellation.
func (f *floats) sincos(x *big.Float) (sin, cos *big.Float) {
	if x.Sign() == 0 {
		return f.new(), f.int(1)
	}
	size := max(x.MantExp(nil), 0)
	if size > int(f.prec) {
		return f.fail(errLimit), f.new()
	}
	k := f.halvings()
	g := f.wider(uint(2*k+size) + 64)
	quarter := g.shift(g.getPi(), -1)
	turns := g.new().Quo(x, quarter)
	half := big.NewFloat(0.5)
	if x.Sign() < 0 {
		half.Neg(half)
	}
	whole, _ := g.new().Add(turns, half).Int(nil)
	r := g.minus(g.new().Set(x), g.mul(g.new().SetInt(whole), quarter))
	// What is left of an argument that is itself not small, below the accuracy of the argument, is no digit of it.
	if r.Sign() != 0 && r.MantExp(nil) < -int(f.prec)*5/8 && x.MantExp(nil) > -int(f.prec)/8 {
		r.SetInt64(0)
	}
	a := g.shift(r, -k)
	square := g.mul(a, a)
	term := g.shift(square, -1)
	v := g.new().Set(term)
	for n := int64(3); !g.small(term) && n < int64(g.prec); n += 2 {
		term = g.new().Neg(g.new().Quo(g.mul(term, square), g.int(n*(n+1))))
		v = g.plus(v, term)
	}
	for range k {
		v = g.mul(g.shift(v, 1), g.minus(g.int(2), v))
	}
	c := g.minus(g.int(1), v)
	s := g.sqrt(g.mul(v, g.minus(g.int(2), v)))
	if r.Sign() < 0 {
		s.Neg(s)
	}
	switch new(big.Int).And(whole, big.NewInt(3)).Int64() {
	case 1:
		s, c = c, s.Neg(s)
	case 2:
		s, c = s.Neg(s), c.Neg(c)
	case 3:
		s, c = c.Neg(c), s
	}
	return f.from(g, s), f.from(g, c)
}

// arctan halves the angle k times by tan(a/2) = t/(1+√(1+t²)), and sums the series.
func (f *floats) arctan(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return f.new()
	}
	k := f.halvings()
	g := f.wider(uint(k) + 64)
	t := g.new().Set(x)
	for range k {
		t = g.quo(t, g.plus(g.int(1), g.sqrt(g.plus(g.int(1), g.mul(t, t)))))
	}
	square := g.new().Neg(g.mul(t, t))
	power := g.new().Set(t)
	sum := g.new().Set(t)
	for n := int64(3); !g.small(g.new().Quo(power, t)); n += 2 {
		power = g.mul(power, square)
		sum = g.plus(sum, g.new().Quo(power, g.int(n)))
		if g.err != nil {
			break
		}
	}
	return f.from(g, g.shift(sum, k))
}

// arg is the angle of the point (x, y), in (-π, π].
func (f *floats) arg(x, y *big.Float) *big.Float {
	if y.Sign() == 0 {
		if x.Sign() < 0 {
			return f.getPi()
		}
		return f.new()
	}
	if x.Sign() == 0 {
		quarter := f.shift(f.getPi(), -1)
		if y.Sign() < 0 {
			quarter.Neg(quarter)
		}
		return quarter
	}
	angle := f.arctan(f.quo(y, x))
	switch {
	case x.Sign() > 0:
		return angle
	case y.Sign() > 0:
		return f.plus(angle, f.getPi())
	}
	return f.minus(angle, f.getPi())
}
