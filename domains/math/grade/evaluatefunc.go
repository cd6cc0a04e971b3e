package grade

import "math/big"

// function computes a function's value. Trigonometric functions and rounding take real arguments only.
func (v *evaluator) function(name string, x point) point {
	switch name {
	case "abs":
		return v.real(v.modulus(x))
	case "ln":
		if !v.unreal && x.re.Sign() < 0 {
			v.fail(errUndefined)
			return x
		}
		return v.logarithm(x)
	case "!":
		return v.factorial(x, 1)
	case "!!":
		return v.factorial(x, 2)
	}
	if !x.isReal() {
		v.fail(errUndefined)
		return x
	}
	return v.real(v.realFunction(name, x.re))
}

func (v *evaluator) realFunction(name string, x *big.Float) *big.Float {
	switch name {
	case "sin":
		v.lost += max(0, x.MantExp(nil))
		sin, _ := v.sincos(x)
		return sin
	case "cos":
		v.lost += max(0, x.MantExp(nil))
		_, cos := v.sincos(x)
		return cos
	case "arctan":
		return v.arctan(x)
	case "arcsin":
		return v.arcsin(x)
	case "arccos":
		return v.total(v.shift(v.getPi(), -1), new(big.Float).Neg(v.arcsin(x)))
	case "sinh", "cosh":
		up := v.exponential(v.real(x)).re
		down := v.quo(v.int(1), up)
		if name == "sinh" {
			down.Neg(down)
		}
		return v.shift(v.total(up, down), -1)
	case "floor", "ceil":
		return v.rounded(name, x)
	}
	return v.fail(errUndefined)
}

func (v *evaluator) arcsin(x *big.Float) *big.Float {
	square := v.total(v.int(1), new(big.Float).Neg(v.mul(x, x)))
	if square.Sign() < 0 {
		return v.fail(errUndefined)
	}
	return v.arg(v.sqrt(square), x)
}

// rounded rounds down or up. A value that lies at a whole number as nearly as can be told is not rounded.
func (v *evaluator) rounded(name string, x *big.Float) *big.Float {
	if x.IsInt() {
		return x
	}
	if x.MantExp(nil) > int(v.prec) {
		return v.fail(errLimit)
	}
	whole, _ := x.Int(nil)
	down := v.new().SetInt(whole)
	if x.Sign() < 0 {
		down = v.minus(down, v.int(1))
	}
	gap := v.minus(x, down)
	if near := v.minus(v.int(1), gap); gap.MantExp(nil) < -int(v.prec)/4 || near.Sign() == 0 || near.MantExp(nil) < -int(v.prec)/4 {
		return v.fail(errLimit)
	}
	if name == "ceil" {
		return v.plus(down, v.int(1))
	}
	return down
}
