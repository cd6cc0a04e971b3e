package grade

import (
	"math/big"
)

// leastDigits is how many significant digits a rounded decimal needs to stand for an exact value.
const leastDigits = 4

// asRounded tells whether a prediction is a decimal that stands for a gold value with no finite decimal: of at least leastDigits
// significant digits, all of them right and the last one rounded.
func (c *comparer) asRounded(gold, prediction *expr) bool {
	n, sign := prediction.decimal()
	if n == nil || !n.point || n.exact || n.sig < leastDigits || !gold.constant() || gold.hasInfinity() {
		return false
	}
	if x, ok := c.rational(gold); ok && terminates(x) {
		return false
	}
	return c.rounds(gold, n, sign)
}

func (c *comparer) rational(e *expr) (*big.Rat, bool) {
	q, err := c.normalOf(e)
	if err != nil {
		return nil, false
	}
	return q.rational()
}

// terminates tells whether a rational number has a finite decimal: whether its denominator has no prime factor but 2 and 5.
func terminates(x *big.Rat) bool {
	d := new(big.Int).Set(x.Denom())
	d.Rsh(d, d.TrailingZeroBits())
	five, rem := big.NewInt(5), new(big.Int)
	for {
		q := new(big.Int)
		if q.QuoRem(d, five, rem); rem.Sign() != 0 {
			return d.BitLen() == 1
		}
		d = q
	}
}

// rounds tells whether a signed numeral is a constant rounded to the numeral's last digit.
func (c *comparer) rounds(exact *expr, n *numeral, sign int) bool {
	written := new(big.Rat).Set(n.value)
	if sign < 0 {
		written.Neg(written)
	}
	half := new(big.Rat).Quo(n.ulp, big.NewRat(2, 1))
	if x, ok := c.rational(exact); ok {
		gap := new(big.Rat).Sub(x, written)
		return gap.Abs(gap).Cmp(half) <= 0
	}
	for _, prec := range precisions {
		if int(prec) < 2*max(n.value.Num().BitLen(), n.value.Denom().BitLen())+128 {
			continue
		}
		v := c.estimate(exact, prec)
		if v.err != nil || !v.isReal() || v.lost > int(prec)/4 || v.absorbed {
			continue
		}
		gap, _ := v.re.Rat(nil)
		gap.Sub(gap, written)
		return gap.Abs(gap).Cmp(half) <= 0
	}
	return false
}

// decimal returns the numeral that an expression is, signed or times a power of ten, and its sign; or nil.
func (e *expr) decimal() (*numeral, int) {
	if inner := negated(e); inner != nil {
		n, sign := inner.decimal()
		return n, -sign
	}
	if e.op == opNumber && e.lit != nil {
		return e.lit, 1
	}
	if e.op != opMul || len(e.args) != 2 || e.args[0].lit == nil || e.args[1].op != opPow {
		return nil, 0
	}
	ten, power := e.args[1].args[0], smallRational(e.args[1].args[1])
	if ten.op != opNumber || ten.num.RatString() != "10" || power == nil || !power.IsInt() || !power.Num().IsInt64() {
		return nil, 0
	}
	k := power.Num().Int64()
	if k > maxDigits || k < -maxDigits {
		return nil, 0
	}
	n, scale := *e.args[0].lit, powerOfTen(int(k))
	n.value, n.ulp = new(big.Rat).Mul(n.value, scale), new(big.Rat).Mul(n.ulp, scale)
	return &n, 1
}
