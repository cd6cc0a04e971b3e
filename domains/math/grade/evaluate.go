package grade

import (
	"math/big"
	"math/bits"
)

// evaluator computes the value of an expression at given values of its variables.
type evaluator struct {
	complexes
	at     map[string]*big.Rat
	unreal bool // values off the real line are allowed
}

func newEvaluator(prec uint, w *work, at map[string]*big.Rat, unreal bool) *evaluator {
	return &evaluator{complexes: complexes{floats: &floats{prec: prec, work: w}}, at: at, unreal: unreal}
}

// rational rounds a rational number, and says so where that loses more digits than a repeating fraction does.
func (v *evaluator) rational(x *big.Rat) point {
	if max(x.Num().BitLen(), x.Denom().BitLen()) > int(v.prec)/2 {
		v.absorbed = true
	}
	return v.real(v.checked(v.new().SetRat(x), x.Sign() == 0))
}

// value computes an expression.
func (v *evaluator) value(e *expr) point {
	if v.err != nil {
		return v.real(v.new())
	}
	switch e.op {
	case opNumber:
		return v.rational(e.num)
	case opSymbol:
		return v.rational(v.at[e.name])
	case opConstant:
		return v.constantValue(e.name)
	}
	args := make([]point, len(e.args))
	// The bits that a value lacks are those that its worst argument lacks, and what its own operation loses.
	worst := 0
	for i, a := range e.args {
		v.lost = 0
		args[i] = v.value(a)
		worst = max(worst, v.lost)
	}
	v.lost = worst + bits.Len(uint(len(args)))
	if v.err != nil {
		return v.real(v.new())
	}
	switch e.op {
	case opAdd:
		return v.addAll(args)
	case opMul:
		product := args[0]
		for _, a := range args[1:] {
			product = v.times(product, a)
		}
		return product
	case opDiv:
		return v.over(args[0], args[1])
	case opPow:
		return v.power(args[0], args[1], e.args[1])
	case opRoot:
		return v.root(args[0], args[1])
	case opFunc:
		return v.function(e.name, args[0])
	case opDegree:
		return v.over(v.times(args[0], v.real(v.getPi())), v.real(v.int(180)))
	case opChoose:
		return v.choose(args[0], args[1])
	}
	v.fail(errUndefined)
	return v.real(v.new())
}

func (v *evaluator) constantValue(name string) point {
	switch name {
	case "pi":
		return v.real(v.getPi())
	case "e":
		return v.real(v.exp(v.int(1)))
	case "i":
		return point{v.new(), v.int(1)}
	}
	v.fail(errUndefined)
	return v.real(v.new())
}

// power is base^exponent. Whole exponents are multiplied out; a rational exponent with an odd denominator has a real value at a negative
// base, as it has in school mathematics.
func (v *evaluator) power(base, exponent point, written *expr) point {
	if exponent.isReal() && exponent.re.IsInt() {
		if exponent.re.MantExp(nil) > 62 {
			v.fail(errLimit)
			return base
		}
		n, _ := exponent.re.Int(nil)
		if base.isZero() && n.Sign() <= 0 {
			v.fail(errUndefined)
			return base
		}
		return v.whole(base, n)
	}
	if q := smallRational(written); q != nil && base.isReal() && base.re.Sign() < 0 && q.Denom().Bit(0) == 1 {
		return v.whole(v.root(base, v.real(v.new().SetInt(q.Denom()))), q.Num())
	}
	if base.isZero() {
		if exponent.re.Sign() <= 0 {
			v.fail(errUndefined)
		}
		return base
	}
	if !v.unreal && base.re.Sign() < 0 {
		v.fail(errUndefined)
		return base
	}
	return v.exponential(v.times(exponent, v.logarithm(base)))
}

// smallRational is the value of an exponent that is a fraction of numerals.
func smallRational(e *expr) *big.Rat {
	switch e.op {
	case opNumber:
		return e.num
	case opDiv:
		a, b := smallRational(e.args[0]), smallRational(e.args[1])
		if a != nil && b != nil && b.Sign() != 0 {
			return new(big.Rat).Quo(a, b)
		}
	case opMul:
		product := big.NewRat(1, 1)
		for _, arg := range e.args {
			a := smallRational(arg)
			if a == nil {
				return nil
			}
			product.Mul(product, a)
		}
		return product
	}
	return nil
}

// root is the principal root, or the real one where the degree is odd.
func (v *evaluator) root(x, degree point) point {
	if x.isZero() {
		return x
	}
	if !degree.isReal() || !degree.re.IsInt() || degree.re.Sign() <= 0 {
		return v.exponential(v.over(v.logarithm(x), degree))
	}
	n, _ := degree.re.Int64()
	switch {
	case x.isReal() && x.re.Sign() > 0 && n == 2:
		return v.real(v.sqrt(x.re))
	case x.isReal() && x.re.Sign() < 0 && n%2 == 1:
		positive := v.root(v.real(v.new().Neg(x.re)), degree)
		return v.real(positive.re.Neg(positive.re))
	case x.isReal() && x.re.Sign() < 0 && !v.unreal:
		v.fail(errUndefined)
		return x
	case x.isReal() && x.re.Sign() < 0 && n == 2:
		return point{v.new(), v.sqrt(v.new().Neg(x.re))}
	}
	return v.exponential(v.over(v.logarithm(x), degree))
}

// wholeNumber returns a value that is a whole number from 0 to limit.
func (v *evaluator) wholeNumber(x point, limit int64) (int64, bool) {
	if !x.isReal() || !x.re.IsInt() || x.re.Sign() < 0 {
		v.fail(errUndefined)
		return 0, false
	}
	n, accuracy := x.re.Int64()
	if accuracy != big.Exact || n > limit {
		v.fail(errLimit)
		return 0, false
	}
	return n, true
}

// maxFactors bounds the factors of a factorial that is computed.
const maxFactors = 1 << 16

func (v *evaluator) factorial(x point, step int64) point {
	n, ok := v.wholeNumber(x, maxFactors)
	product := v.int(1)
	for k := n; ok && k > 1 && v.err == nil; k -= step {
		product = v.mul(product, v.int(k))
	}
	v.lost += 16
	return v.real(product)
}

func (v *evaluator) choose(n, k point) point {
	below, ok := v.wholeNumber(k, maxFactors)
	product := v.real(v.int(1))
	for j := int64(0); ok && j < below && v.err == nil; j++ {
		top := v.addAll([]point{n, v.real(v.int(-j))})
		product = v.over(v.times(product, top), v.real(v.int(j+1)))
	}
	v.lost += 16
	return product
}
