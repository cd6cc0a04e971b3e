package grade

import (
	"errors"
	"fmt"
	"math/big"
)

// normal returns the normal form of an expression. Parts with no normal form become generators of their own.
func (r *ring) normal(e *expr) (quotient, error) {
	switch e.op {
	case opNumber:
		return rationalQuotient(e.num), nil
	case opSymbol:
		return r.single(generator{name: e.name, kind: variableGenerator}), nil
	case opConstant:
		return r.constant(e.name)
	case opAdd, opMul:
		return r.fold(e)
	case opDegree:
		x, err := r.normal(e.args[0])
		if err != nil {
			return quotient{}, err
		}
		turn, err := r.mulQuotients(r.single(piGen), rationalQuotient(big.NewRat(1, 180)))
		if err != nil {
			return quotient{}, err
		}
		return r.mulQuotients(x, turn)
	}
	args := make([]quotient, len(e.args))
	for i, a := range e.args {
		var err error
		if args[i], err = r.normal(a); err != nil {
			return quotient{}, err
		}
	}
	switch e.op {
	case opDiv:
		return r.divQuotients(args[0], args[1])
	case opPow:
		return r.power(args[0], args[1])
	case opRoot:
		inverse, err := r.divQuotients(rationalQuotient(big.NewRat(1, 1)), args[1])
		if err != nil {
			return quotient{}, err
		}
		return r.power(args[0], inverse)
	case opChoose:
		return r.choose(args[0], args[1])
	case opFunc:
		return r.function(e.name, args[0])
	}
	return quotient{}, fmt.Errorf("%s stands for two values inside an expression", e.name)
}

var (
	piGen = generator{name: "pi", kind: piGenerator}
	eGen  = generator{name: "e", kind: eGenerator}
	iGen  = generator{name: "i", kind: rootGenerator, degree: 2, power: big.NewRat(-1, 1)}
)

func (r *ring) single(g generator) quotient { return r.quotientOf(r.generatorPoly(r.generator(g))) }

// opaque makes a generator of a function's value at arguments that it has no normal form for.
func (r *ring) opaque(name string, args ...quotient) quotient {
	spelling := name
	for _, a := range args {
		spelling += "(" + r.spell(a.num) + ")/(" + r.spell(a.den) + ")"
	}
	return r.single(generator{name: spelling, kind: opaqueGenerator})
}

func (r *ring) constant(name string) (quotient, error) {
	switch name {
	case "pi":
		return r.single(piGen), nil
	case "e":
		return r.single(eGen), nil
	case "i":
		return r.single(iGen), nil
	}
	return quotient{}, fmt.Errorf("%s is no number to calculate with", name)
}

func (r *ring) fold(e *expr) (quotient, error) {
	combine, total := r.addQuotients, rationalQuotient(new(big.Rat))
	if e.op == opMul {
		combine, total = r.mulQuotients, rationalQuotient(big.NewRat(1, 1))
	}
	for _, a := range e.args {
		x, err := r.normal(a)
		if err != nil {
			return quotient{}, err
		}
		if total, err = combine(total, x); err != nil {
			return quotient{}, err
		}
	}
	return total, nil
}

// power is base^exponent. A rational exponent splits into a whole power and a root.
func (r *ring) power(base, exponent quotient) (quotient, error) {
	k, ok := exponent.rational()
	if !ok {
		return r.opaque("pow", base, exponent), nil
	}
	b, rational := base.rational()
	if rational && b.Sign() == 0 && k.Sign() <= 0 {
		return quotient{}, errUndefined
	}
	if k.IsInt() {
		return r.wholePower(base, k.Num(), exponent)
	}
	if rational && k.Denom().IsInt64() && k.Denom().Int64() <= maxRoot {
		root, ok, err := r.rationalRoot(b, int(k.Denom().Int64()))
		if err != nil {
			return quotient{}, err
		}
		if ok {
			return r.wholePower(root, k.Num(), exponent)
		}
	}
	return r.opaque("pow", base, exponent), nil
}

// wholePower raises to a whole power, unless that would be too long to write out.
func (r *ring) wholePower(base quotient, n *big.Int, exponent quotient) (quotient, error) {
	limit := int64(maxDegree)
	if b, ok := base.rational(); ok {
		switch one := big.NewRat(1, 1); {
		case b.Sign() == 0:
			return base, nil
		case new(big.Rat).Abs(b).Cmp(one) == 0:
			n = new(big.Int).And(n, big.NewInt(1))
		}
		limit = maxBits / int64(max(b.Num().BitLen(), b.Denom().BitLen()))
	} else if terms := max(len(base.num), len(base.den)); terms > 1 && !r.rooted(base.num) && !r.rooted(base.den) {
		// The n-th power of a sum of k terms has at least n(k-1)+1 terms.
		limit = int64(maxTerms / (terms - 1))
	}
	if !n.IsInt64() || n.Int64() > limit || n.Int64() < -limit {
		return r.opaque("pow", base, exponent), nil
	}
	power, err := r.powQuotient(base, int(n.Int64()))
	if errors.Is(err, errLimit) && r.work.left > 0 {
		return r.opaque("pow", base, exponent), nil
	}
	return power, err
}

// choose is the binomial coefficient n over k.
func (r *ring) choose(n, k quotient) (quotient, error) {
	below, ok := k.rational()
	if !ok || !below.IsInt() || !below.Num().IsInt64() {
		return r.opaque("choose", n, k), nil
	}
	if below.Sign() < 0 {
		return quotient{}, errUndefined
	}
	if above, ok := n.rational(); ok && above.IsInt() && above.Sign() >= 0 && above.Num().IsInt64() {
		a, b := above.Num().Int64(), below.Num().Int64()
		if b > a {
			return rationalQuotient(new(big.Rat)), nil
		}
		b = min(b, a-b)
		if b*int64(above.Num().BitLen()) > maxBits {
			return r.opaque("choose", n, k), nil
		}
		return rationalQuotient(new(big.Rat).SetInt(new(big.Int).Binomial(a, b))), nil
	}
	if below.Num().Int64() > maxRoot {
		return r.opaque("choose", n, k), nil
	}
	result := rationalQuotient(big.NewRat(1, 1))
	for j := int64(0); j < below.Num().Int64(); j++ {
		shifted, err := r.addQuotients(n, rationalQuotient(big.NewRat(-j, 1)))
		if err != nil {
			return quotient{}, err
		}
		if shifted, err = r.mulQuotients(shifted, rationalQuotient(big.NewRat(1, j+1))); err != nil {
			return quotient{}, err
		}
		if result, err = r.mulQuotients(result, shifted); err != nil {
			return quotient{}, err
		}
	}
	return result, nil
}
