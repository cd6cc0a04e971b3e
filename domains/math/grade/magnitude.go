package grade

import (
	"math"
	"math/big"
)

// span is an interval that holds the logarithm to the base 2 of a positive number.
type span struct{ low, high float64 }

// slack covers the rounding of float64 arithmetic on logarithms.
const slack = 1e-9

// magnitudeOf bounds a positive constant that may be too large or too small to compute, and answers false where it cannot.
func magnitudeOf(e *expr) (span, bool) {
	args := make([]span, len(e.args))
	for i, a := range e.args {
		var ok bool
		if args[i], ok = magnitudeOf(a); !ok {
			return span{}, false
		}
	}
	switch e.op {
	case opNumber:
		if e.num.Sign() <= 0 {
			return span{}, false
		}
		return around(log2(e.num.Num()) - log2(e.num.Denom())), true
	case opConstant:
		switch e.name {
		case "pi":
			return around(math.Log2(math.Pi)), true
		case "e":
			return around(math.Log2E), true
		}
	case opAdd:
		s := args[0]
		for _, a := range args[1:] {
			s = span{math.Max(s.low, a.low), math.Max(s.high, a.high) + 1}
		}
		return s, true
	case opMul:
		s := span{}
		for _, a := range args {
			s = span{s.low + a.low, s.high + a.high}
		}
		return s.widened()
	case opDiv:
		return span{args[0].low - args[1].high, args[0].high - args[1].low}.widened()
	case opPow:
		return args[0].times(args[1].value())
	case opRoot:
		v := args[1].value()
		return args[0].times(span{1 / v.high, 1 / v.low})
	case opFunc:
		if e.name != "!" || args[0].low < 2 {
			break
		}
		// (n/e)^n < n! < n^n.
		return span{args[0].low - 2, args[0].high}.times(args[0].value())
	}
	return span{}, false
}

// value bounds the number itself.
func (s span) value() span {
	return span{math.Min(math.Exp2(s.low), math.MaxFloat64), math.Exp2(s.high)}
}

// times multiplies a logarithm by a positive factor.
func (s span) times(factor span) (span, bool) {
	products := []float64{s.low * factor.low, s.low * factor.high, s.high * factor.low, s.high * factor.high}
	low, high := products[0], products[0]
	for _, p := range products {
		if math.IsNaN(p) {
			return span{}, false
		}
		low, high = math.Min(low, p), math.Max(high, p)
	}
	return span{low, high}.widened()
}

// widened makes up for rounding. An overflow leaves the largest finite number as the bound that still holds.
func (s span) widened() (span, bool) {
	if math.IsNaN(s.low) || math.IsNaN(s.high) {
		return span{}, false
	}
	s.low = math.Min(s.low, math.MaxFloat64)
	s.high = math.Max(s.high, -math.MaxFloat64)
	s.low -= math.Abs(s.low)*slack + slack
	s.high += math.Abs(s.high)*slack + slack
	return s, true
}

func around(x float64) span { return span{x - slack, x + slack} }

// log2 is the logarithm of a positive whole number.
func log2(n *big.Int) float64 {
	mantissa := new(big.Float)
	exp := new(big.Float).SetInt(n).MantExp(mantissa)
	m, _ := mantissa.Float64()
	return math.Log2(m) + float64(exp)
}

// apart tells whether two positive constants differ in magnitude so that they cannot be equal.
func apart(a, b *expr) bool {
	sa, ok := magnitudeOf(a)
	sb, ok2 := magnitudeOf(b)
	return ok && ok2 && (sa.low > sb.high || sb.low > sa.high)
}

// outgrows tells whether a positive constant that cannot be computed differs from a value that can: because the value is not positive, or
// of another magnitude.
func outgrows(a *expr, b *estimate) bool {
	s, ok := magnitudeOf(a)
	if !ok || b.err != nil {
		return false
	}
	return s.low > magnitude(b)+1 || b.isReal() && b.re.Sign() <= 0 && !b.snapped
}
