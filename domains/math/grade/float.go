package grade

import "math/big"

// floats computes elementary functions of real numbers to prec bits, but for a few at the end. An error sticks: once one occurred the
// results mean nothing.
type floats struct {
	prec uint
	work *work
	err  error
	pi   *big.Float
	ln2  *big.Float
}

func (f *floats) fail(err error) *big.Float {
	if f.err == nil {
		f.err = err
	}
	return f.new()
}

func (f *floats) new() *big.Float { return new(big.Float).SetPrec(f.prec) }

func (f *floats) int(n int64) *big.Float { return f.new().SetInt64(n) }

// checked reports overflow and underflow, which big.Float turns into infinities and zeros.
func (f *floats) checked(z *big.Float, zero bool) *big.Float {
	if z.IsInf() || z.Sign() == 0 && !zero {
		return f.fail(errLimit)
	}
	return z
}

func (f *floats) charge() {
	w := int64(f.prec)/64 + 1
	if err := f.work.spend(w*w + 64); err != nil {
		f.fail(err)
	}
}

func (f *floats) mul(a, b *big.Float) *big.Float {
	f.charge()
	if f.err != nil {
		return f.new()
	}
	return f.checked(f.new().Mul(a, b), a.Sign() == 0 || b.Sign() == 0)
}

func (f *floats) quo(a, b *big.Float) *big.Float {
	f.charge()
	if b.Sign() == 0 {
		return f.fail(errUndefined)
	}
	if f.err != nil {
		return f.new()
	}
	return f.checked(f.new().Quo(a, b), a.Sign() == 0)
}

// plus and minus serve inside elementary functions, whose cancellations are accounted for.
func (f *floats) plus(a, b *big.Float) *big.Float {
	return f.checked(f.sum(a, b), true)
}

func (f *floats) minus(a, b *big.Float) *big.Float {
	return f.plus(a, new(big.Float).Neg(b))
}

// sum adds without aligning numbers so far apart that the smaller one is lost: big.Float would write out all bits between them.
func (f *floats) sum(a, b *big.Float) *big.Float {
	if a.Sign() != 0 && b.Sign() != 0 {
		gap := a.MantExp(nil) - b.MantExp(nil)
		far := int(max(a.Prec(), b.Prec(), f.prec)) + 2
		switch {
		case gap > far:
			return f.new().Set(a)
		case gap < -far:
			return f.new().Set(b)
		}
	}
	return f.new().Add(a, b)
}

func (f *floats) shift(a *big.Float, k int) *big.Float { return f.new().SetMantExp(a, k) }

func (f *floats) sqrt(a *big.Float) *big.Float {
	f.charge()
	f.charge()
	if a.Sign() < 0 {
		return f.fail(errUndefined)
	}
	return f.new().Sqrt(a)
}

// small tells whether a term no longer changes a sum of the size of 1.
func (f *floats) small(a *big.Float) bool {
	return a.Sign() == 0 || a.MantExp(nil) < -int(f.prec)-8 || f.err != nil
}

// wider is a computer with more bits, for intermediate values.
func (f *floats) wider(bits uint) *floats {
	return &floats{prec: f.prec + bits, work: f.work, err: f.err}
}

func (f *floats) from(g *floats, x *big.Float) *big.Float {
	if g.err != nil {
		return f.fail(g.err)
	}
	return f.new().Set(x)
}

// getPi is π by Machin's formula, 16 arctan(1/5) - 4 arctan(1/239).
func (f *floats) getPi() *big.Float {
	if f.pi == nil {
		g := f.wider(32)
		pi := g.minus(g.mul(g.int(16), g.arctanInverse(5)), g.mul(g.int(4), g.arctanInverse(239)))
		f.pi = f.from(g, pi)
	}
	return f.pi
}

// arctanInverse is arctan(1/n) by its power series.
func (f *floats) arctanInverse(n int64) *big.Float {
	term := f.quo(f.int(1), f.int(n))
	sum := f.new().Set(term)
	square := f.int(n * n)
	for k := int64(1); !f.small(term); k++ {
		term = f.new().Neg(f.new().Quo(term, square))
		f.linear()
		sum = f.plus(sum, f.new().Quo(term, f.int(2*k+1)))
	}
	return sum
}

// linear charges for an operation with a small operand.
func (f *floats) linear() {
	if err := f.work.spend(2*int64(f.prec)/64 + 64); err != nil {
		f.fail(err)
	}
}

// getLn2 is ln 2 = 18 artanh(1/26) - 2 artanh(1/4801) + 8 artanh(1/8749), a formula of Machin's kind.
func (f *floats) getLn2() *big.Float {
	if f.ln2 == nil {
		g := f.wider(32)
		sum := g.mul(g.int(18), g.artanhInverse(26))
		sum = g.minus(sum, g.mul(g.int(2), g.artanhInverse(4801)))
		sum = g.plus(sum, g.mul(g.int(8), g.artanhInverse(8749)))
		f.ln2 = f.from(g, sum)
	}
	return f.ln2
}

func (f *floats) artanhInverse(n int64) *big.Float {
	term := f.quo(f.int(1), f.int(n))
	sum := f.new().Set(term)
	square := f.int(n * n)
	for k := int64(1); !f.small(term); k++ {
		term = f.new().Quo(term, square)
		f.linear()
		sum = f.plus(sum, f.new().Quo(term, f.int(2*k+1)))
	}
	return sum
}

// halvings is how often an argument is halved before its power series is summed.
func (f *floats) halvings() int {
	k := 4
	for k*k < int(f.prec)/2 {
		k++
	}
	return k
}

// exp brings its argument to |r| <= ln2/2, halves that k times, sums the series and squares k times.
func (f *floats) exp(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return f.int(1)
	}
	if x.MantExp(nil) > 30 {
		return f.fail(errLimit)
	}
	k := f.halvings()
	g := f.wider(uint(k) + 64)
	twos, _ := g.new().Quo(x, g.getLn2()).Int64()
	r := g.shift(g.minus(g.new().Set(x), g.mul(g.int(twos), g.getLn2())), -k)
	term, sum := g.int(1), g.int(1)
	for n := int64(1); !g.small(term); n++ {
		term = g.new().Quo(g.mul(term, r), g.int(n))
		sum = g.plus(sum, term)
	}
	for range k {
		sum = g.mul(sum, sum)
	}
	return f.from(g, g.checked(g.shift(sum, int(twos)), false))
}

// ln solves e^y = x by Halley's iteration, which triples the number of correct bits each time.
func (f *floats) ln(x *big.Float) *big.Float {
	if x.Sign() <= 0 {
		return f.fail(errUndefined)
	}
	g := f.wider(64)
	mantissa := g.new()
	twos := x.MantExp(mantissa)
	// Near 1 the two terms would cancel.
	if mantissa.Cmp(big.NewFloat(0.7)) < 0 {
		mantissa, twos = g.shift(mantissa, 1), twos-1
	}
	y := g.logStart(mantissa)
	for correct := uint(40); correct < 3*g.prec; correct *= 3 {
		e := g.exp(y)
		step := g.quo(g.minus(mantissa, e), g.plus(mantissa, e))
		y = g.plus(y, g.shift(step, 1))
		if g.err != nil {
			break
		}
	}
	return f.from(g, g.plus(y, g.mul(g.int(int64(twos)), g.getLn2())))
}
