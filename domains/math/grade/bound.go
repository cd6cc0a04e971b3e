package grade

import (
	"math"
	"math/big"
)

// separation holds what the separation bound of an algebraic expression is computed from: logarithms to the base 2 of the upper bounds
// u and l on the conjugates of its numerator and denominator, where both are algebraic integers.
type separation struct{ u, l float64 }

// separationBits returns a number of bits b such that an algebraic expression is either zero or at least 2^-b in size, and false for an
// expression that is not made of rational numbers by +, -, ×, / and roots. The bound is (u^(D-1)·l)^-1, where D is the product of the
// degrees of all distinct roots: Burnikel, Funke, Mehlhorn, Schirra, Schmitt, "A Separation Bound for Real Algebraic Expressions", ESA
// 2001, theorem 1. The arguments hold for conjugates off the real line too, so that i counts as a root of degree 2.
func separationBits(e *expr) (float64, bool) {
	degrees := map[string]float64{}
	s, ok := separationOf(e, degrees)
	if !ok {
		return 0, false
	}
	d := 1.0
	for _, degree := range degrees {
		d *= degree
	}
	return math.Max(0, s.l+(d-1)*s.u), true
}

func separationOf(e *expr, degrees map[string]float64) (separation, bool) {
	args := make([]separation, len(e.args))
	for i, a := range e.args {
		var ok bool
		if args[i], ok = separationOf(a, degrees); !ok {
			return separation{}, false
		}
	}
	switch e.op {
	case opNumber:
		return separation{float64(e.num.Num().BitLen()), float64(e.num.Denom().BitLen())}, true
	case opConstant:
		if e.name != "i" {
			return separation{}, false
		}
		degrees["i"] = 2
		return separation{}, true
	case opAdd:
		s := args[0]
		for _, a := range args[1:] {
			s = separation{math.Max(s.u+a.l, s.l+a.u) + 1, s.l + a.l}
		}
		return s, true
	case opMul:
		s := separation{}
		for _, a := range args {
			s = separation{s.u + a.u, s.l + a.l}
		}
		return s, true
	case opDiv:
		return separation{args[0].u + args[1].l, args[0].l + args[1].u}, true
	case opRoot:
		return separationOfPower(e, args[0], reciprocal(smallRational(e.args[1])), degrees)
	case opPow:
		return separationOfPower(e, args[0], smallRational(e.args[1]), degrees)
	case opFunc:
		if e.name == "abs" {
			return args[0], true
		}
	}
	return separation{}, false
}

func reciprocal(x *big.Rat) *big.Rat {
	if x == nil || x.Sign() == 0 {
		return nil
	}
	return new(big.Rat).Inv(x)
}

func separationOfPower(e *expr, base separation, exponent *big.Rat, degrees map[string]float64) (separation, bool) {
	if exponent == nil || !exponent.Num().IsInt64() || !exponent.Denom().IsInt64() {
		return separation{}, false
	}
	n, k := float64(exponent.Num().Int64()), float64(exponent.Denom().Int64())
	if n < 0 {
		base, n = separation{base.l, base.u}, -n
	}
	s := separation{base.u * n, base.l * n}
	if k > 1 {
		degrees[e.String()] = k
		if s.u >= s.l {
			s.u = (s.u + (k-1)*s.l) / k
		} else {
			s.l = ((k-1)*s.u + s.l) / k
		}
	}
	return s, true
}
