package grade

import "math/big"

// complexes computes with complex numbers. It keeps account of what sums lose.
type complexes struct {
	*floats
	lost     int  // bits that cancelled in sums
	absorbed bool // a term too small for a sum to hold all of it, or a number rounded
	snapped  bool // a sum cancelled entirely, and was taken for zero
}

// point is a complex number.
type point struct{ re, im *big.Float }

func (c *complexes) real(x *big.Float) point { return point{x, c.new()} }

func (p point) isReal() bool { return p.im.Sign() == 0 }
func (p point) isZero() bool { return p.re.Sign() == 0 && p.im.Sign() == 0 }

// total adds real terms. A total that cancels beyond five eighths of all bits is taken for zero.
func (c *complexes) total(terms ...*big.Float) *big.Float {
	sum := c.new()
	largest := 0
	some := false
	for _, t := range terms {
		if t.Sign() != 0 && (!some || t.MantExp(nil) > largest) {
			largest, some = t.MantExp(nil), true
		}
	}
	if !some {
		return sum
	}
	for _, t := range terms {
		if t.Sign() != 0 && t.MantExp(nil) < largest-int(c.prec)/2 {
			c.absorbed = true
		}
		sum = c.sum(sum, t)
	}
	if sum.Sign() == 0 {
		return sum
	}
	gone := largest - sum.MantExp(nil)
	if gone > int(c.prec)*5/8 {
		c.snapped = true
		return c.new()
	}
	c.lost += max(gone, 0)
	return c.checked(sum, false)
}

func (c *complexes) addAll(terms []point) point {
	re, im := make([]*big.Float, len(terms)), make([]*big.Float, len(terms))
	for i, t := range terms {
		re[i], im[i] = t.re, t.im
	}
	return point{c.total(re...), c.total(im...)}
}

func (c *complexes) times(a, b point) point {
	if a.isReal() && b.isReal() {
		return c.real(c.mul(a.re, b.re))
	}
	return point{
		c.total(c.mul(a.re, b.re), new(big.Float).Neg(c.mul(a.im, b.im))),
		c.total(c.mul(a.re, b.im), c.mul(a.im, b.re)),
	}
}

func (c *complexes) over(a, b point) point {
	if b.isReal() {
		return point{c.quo(a.re, b.re), c.quo(a.im, b.re)}
	}
	square := c.plus(c.mul(b.re, b.re), c.mul(b.im, b.im))
	n := c.times(a, point{b.re, c.new().Neg(b.im)})
	return point{c.quo(n.re, square), c.quo(n.im, square)}
}

func (c *complexes) modulus(a point) *big.Float {
	if a.isReal() {
		return c.new().Abs(a.re)
	}
	return c.sqrt(c.plus(c.mul(a.re, a.re), c.mul(a.im, a.im)))
}

// whole raises to a whole power by repeated squaring.
func (c *complexes) whole(a point, n *big.Int) point {
	result, k := c.real(c.int(1)), new(big.Int).Abs(n)
	for i := 0; i < k.BitLen() && c.err == nil; i++ {
		if k.Bit(i) == 1 {
			result = c.times(result, a)
		}
		if i+1 < k.BitLen() {
			a = c.times(a, a)
		}
	}
	c.lost += k.BitLen()
	if n.Sign() < 0 {
		return c.over(c.real(c.int(1)), result)
	}
	return result
}

func (c *complexes) exponential(a point) point {
	size := c.exp(a.re)
	// What the argument's magnitude takes from the fraction's bits is missing in the result.
	c.lost += max(0, a.re.MantExp(nil)) + max(0, a.im.MantExp(nil))
	if a.isReal() {
		return c.real(size)
	}
	sin, cos := c.sincos(a.im)
	return point{c.mul(size, cos), c.mul(size, sin)}
}

func (c *complexes) logarithm(a point) point {
	if a.isZero() {
		c.fail(errUndefined)
		return a
	}
	log := c.ln(c.modulus(a))
	// Near 1 a logarithm keeps only the digits by which its argument differs from 1.
	if log.Sign() != 0 {
		c.lost += max(0, -log.MantExp(nil))
	}
	return point{log, c.arg(a.re, a.im)}
}
