package grade

import (
	"math/big"
	"strconv"
)

// function is a function's value in normal form.
func (r *ring) function(name string, x quotient) (quotient, error) {
	value, rational := x.rational()
	switch name {
	case "!":
		if rational {
			return r.factorial(value)
		}
	case "sin":
		if turns, ok := r.halfTurns(x); ok {
			return r.cosine(new(big.Rat).Sub(big.NewRat(1, 2), turns))
		}
	case "cos":
		if turns, ok := r.halfTurns(x); ok {
			return r.cosine(turns)
		}
	case "ln":
		return r.logarithm(x)
	case "abs":
		if rational {
			return rationalQuotient(new(big.Rat).Abs(value)), nil
		}
	case "floor":
		if rational {
			return rationalQuotient(floor(value)), nil
		}
	case "ceil":
		if rational {
			return rationalQuotient(new(big.Rat).Neg(floor(new(big.Rat).Neg(value)))), nil
		}
	}
	return r.opaque(name, x), nil
}

func floor(x *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Div(x.Num(), x.Denom()))
}

// factorial writes n! out up to maxDigits digits. A larger one is a generator, or differs from one that is by a written factor.
func (r *ring) factorial(x *big.Rat) (quotient, error) {
	if !x.IsInt() || x.Sign() < 0 {
		return quotient{}, errUndefined
	}
	if !x.Num().IsInt64() || x.Num().Int64() > 1<<40 {
		return r.opaque("!", rationalQuotient(x)), nil
	}
	n := x.Num().Int64()
	bits := int64(x.Num().BitLen())
	if n*bits <= maxBits {
		return rationalQuotient(new(big.Rat).SetInt(new(big.Int).MulRange(1, n))), nil
	}
	for gen, g := range r.gens {
		if g.kind != factorialGenerator {
			continue
		}
		low, high := min(n, g.n), max(n, g.n)
		if (high-low)*bits > maxBits {
			continue
		}
		steps := new(big.Rat).SetInt(new(big.Int).MulRange(low+1, high))
		if n < g.n {
			steps.Inv(steps)
		}
		return r.mulQuotients(r.quotientOf(r.generatorPoly(gen)), rationalQuotient(steps))
	}
	return r.single(generator{name: strconv.FormatInt(n, 10) + "!", kind: factorialGenerator, n: n}), nil
}

// halfTurns returns x/π where that is rational.
func (r *ring) halfTurns(x quotient) (*big.Rat, bool) {
	if len(x.num) == 0 {
		return new(big.Rat), true
	}
	pi := monomialOf([]factor{{r.generator(piGen), 1}})
	c, ok := x.num[pi]
	d, ok2 := x.den.rational()
	if !ok || !ok2 || len(x.num) != 1 {
		return nil, false
	}
	return new(big.Rat).Quo(c, d), true
}

// cosine is the cosine of a rational number of half turns. Angles are brought between 0 and a quarter of a turn; multiples of 30° and
// of 45° have values in roots.
func (r *ring) cosine(turns *big.Rat) (quotient, error) {
	two := big.NewRat(2, 1)
	t := new(big.Rat).Quo(turns, two)
	t.Sub(t, floor(t)).Mul(t, two)
	if t.Cmp(big.NewRat(1, 1)) > 0 {
		t.Sub(two, t)
	}
	sign := big.NewRat(1, 1)
	if t.Cmp(big.NewRat(1, 2)) > 0 {
		t.Sub(big.NewRat(1, 1), t)
		sign.Neg(sign)
	}
	known := map[string]*big.Rat{"0": big.NewRat(1, 1), "1/6": big.NewRat(3, 4), "1/4": big.NewRat(1, 2), "1/3": big.NewRat(1, 4), "1/2": new(big.Rat)}
	if square, ok := known[t.RatString()]; ok {
		root, _, err := r.rationalRoot(square, 2)
		if err != nil {
			return quotient{}, err
		}
		return r.mulQuotients(root, rationalQuotient(sign))
	}
	value := r.single(generator{name: "cos(" + t.RatString() + "pi)", kind: opaqueGenerator})
	return r.mulQuotients(value, rationalQuotient(sign))
}

// logarithm is a sum of logarithms of primes for rational arguments, and n for e^n times one.
func (r *ring) logarithm(x quotient) (quotient, error) {
	shift := new(big.Rat)
	if power, c, ok := r.ePower(x); ok {
		shift.SetInt64(int64(power))
		x = rationalQuotient(c)
	}
	value, ok := x.rational()
	if !ok || value.Sign() < 0 {
		return r.opaque("ln", x), nil
	}
	if value.Sign() == 0 {
		return quotient{}, errUndefined
	}
	sum := rationalQuotient(shift)
	for i, side := range []*big.Int{value.Num(), value.Denom()} {
		parts, err := r.primes(side)
		if err != nil {
			return quotient{}, err
		}
		for _, part := range parts {
			sign := int64(1 - 2*i)
			term, err := r.mulQuotients(r.opaque("ln", rationalQuotient(new(big.Rat).SetInt(part.base))), rationalQuotient(big.NewRat(sign*int64(part.exp), 1)))
			if err != nil {
				return quotient{}, err
			}
			if sum, err = r.addQuotients(sum, term); err != nil {
				return quotient{}, err
			}
		}
	}
	return sum, nil
}

// ePower reads x as c·e^n.
func (r *ring) ePower(x quotient) (n int, c *big.Rat, ok bool) {
	c = big.NewRat(1, 1)
	for i, p := range []poly{x.num, x.den} {
		if len(p) != 1 {
			return 0, nil, false
		}
		for m, coefficient := range p {
			fs := m.factors()
			if len(fs) > 1 || len(fs) == 1 && r.gens[fs[0].gen].kind != eGenerator {
				return 0, nil, false
			}
			exp := 0
			if len(fs) == 1 {
				exp = fs[0].exp
			}
			if i == 0 {
				n += exp
				c.Mul(c, coefficient)
			} else {
				n -= exp
				c.Quo(c, coefficient)
			}
		}
	}
	return n, c, true
}
