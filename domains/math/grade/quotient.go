package grade

import "math/big"

// quotient is a fraction of polynomials. Fractions are not reduced: two are equal when their cross products are.
type quotient struct{ num, den poly }

func rationalQuotient(c *big.Rat) quotient {
	return quotient{constantPoly(c), constantPoly(big.NewRat(1, 1))}
}

func (r *ring) quotientOf(p poly) quotient { return quotient{p, constantPoly(big.NewRat(1, 1))} }

// rational returns the value of a quotient of rational numbers.
func (q quotient) rational() (*big.Rat, bool) {
	n, ok := q.num.rational()
	d, ok2 := q.den.rational()
	if !ok || !ok2 {
		return nil, false
	}
	return new(big.Rat).Quo(n, d), true
}

func (r *ring) addQuotients(a, b quotient) (quotient, error) {
	if samePoly(a.den, b.den) {
		sum, err := r.add(a.num, b.num)
		return quotient{sum, a.den}, err
	}
	left, err := r.mul(a.num, b.den)
	if err != nil {
		return quotient{}, err
	}
	right, err := r.mul(b.num, a.den)
	if err != nil {
		return quotient{}, err
	}
	num, err := r.add(left, right)
	if err != nil {
		return quotient{}, err
	}
	den, err := r.mul(a.den, b.den)
	return r.normalized(num, den), err
}

func (r *ring) mulQuotients(a, b quotient) (quotient, error) {
	num, err := r.mul(a.num, b.num)
	if err != nil {
		return quotient{}, err
	}
	den, err := r.mul(a.den, b.den)
	return r.normalized(num, den), err
}

func (r *ring) divQuotients(a, b quotient) (quotient, error) {
	if len(b.num) == 0 {
		return quotient{}, errUndefined
	}
	return r.mulQuotients(a, quotient{b.den, b.num})
}

// normalized makes the denominator's first coefficient 1, so that rational denominators disappear.
func (r *ring) normalized(num, den poly) quotient {
	if len(den) == 0 {
		return quotient{num, den}
	}
	lead := den[den.monomials()[0]]
	if lead.Cmp(big.NewRat(1, 1)) == 0 {
		return quotient{num, den}
	}
	inverse := new(big.Rat).Inv(lead)
	return quotient{r.scale(num, inverse), r.scale(den, inverse)}
}

// powQuotient raises a quotient to a whole power of either sign by repeated squaring.
func (r *ring) powQuotient(base quotient, n int) (quotient, error) {
	if n < 0 {
		inverse, err := r.divQuotients(rationalQuotient(big.NewRat(1, 1)), base)
		if err != nil {
			return quotient{}, err
		}
		return r.powQuotient(inverse, -n)
	}
	result := rationalQuotient(big.NewRat(1, 1))
	for ; n > 0; n >>= 1 {
		var err error
		if n&1 == 1 {
			if result, err = r.mulQuotients(result, base); err != nil {
				return quotient{}, err
			}
		}
		if n > 1 {
			if base, err = r.mulQuotients(base, base); err != nil {
				return quotient{}, err
			}
		}
	}
	return result, nil
}

// difference is the numerator of a-b over a common denominator: zero exactly where a and b have equal normal forms.
func (r *ring) difference(a, b quotient) (poly, error) {
	left, err := r.mul(a.num, b.den)
	if err != nil {
		return nil, err
	}
	right, err := r.mul(b.num, a.den)
	if err != nil {
		return nil, err
	}
	return r.add(left, r.scale(right, big.NewRat(-1, 1)))
}

func samePoly(a, b poly) bool {
	if len(a) != len(b) {
		return false
	}
	for m, c := range a {
		if d, ok := b[m]; !ok || c.Cmp(d) != 0 {
			return false
		}
	}
	return true
}
