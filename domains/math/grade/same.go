package grade

import (
	"errors"
	"math/big"
)

// comparer compares expressions within one judgement.
type comparer struct {
	work   work
	ring   *ring
	normal map[*expr]normalForm
	rough  map[*expr]*estimate
	beyond bool // a prediction was met that cannot be computed, where the gold can
}

type normalForm struct {
	quotient
	err error
}

// estimate is a constant's value, with the evaluator that knows how good it is.
type estimate struct {
	point
	*evaluator
}

func newComparer() *comparer {
	c := &comparer{work: work{left: maxWork}, normal: map[*expr]normalForm{}, rough: map[*expr]*estimate{}}
	c.ring = newRing(&c.work)
	return c
}

func (c *comparer) normalOf(e *expr) (quotient, error) {
	n, ok := c.normal[e]
	if !ok {
		n.quotient, n.err = c.ring.normal(e)
		c.normal[e] = n
	}
	return n.quotient, n.err
}

// defined reports an expression that has no value whatever its variables are, as far as the normal form shows.
func (c *comparer) defined(e *expr) error {
	if e.infinite() != 0 {
		return nil
	}
	if _, err := c.normalOf(e); err != nil && !errors.Is(err, errLimit) {
		return err
	}
	return nil
}

// same compares two expressions: by normal forms, and where these do not settle it, by values.
func (c *comparer) same(a, b *expr) Verdict {
	if a.hasInfinity() || b.hasInfinity() {
		return verdict(a.infinite() != 0 && a.infinite() == b.infinite() || a.String() == b.String())
	}
	na, errA := c.normalOf(a)
	nb, errB := c.normalOf(b)
	if errA == nil && errB == nil {
		if d, err := c.ring.difference(na, nb); err == nil {
			if len(d) == 0 {
				return Equal
			}
			if c.ring.settles(d) {
				return Different
			}
		}
	} else if a.String() == b.String() {
		return Equal
	}
	if a.constant() && b.constant() {
		return c.sameConstants(a, b)
	}
	return c.sameFunctions(a, b)
}

func verdict(equal bool) Verdict {
	if equal {
		return Equal
	}
	return Different
}

// precisions are the bits of the values that constants are compared by, one after another until they settle the question.
var precisions = []uint{256, 1024, 4096, maxPrecision}

// enoughPrecision is what has to agree where no separation bound is known or the known one is out of reach: about 600 decimal digits.
const enoughPrecision = 4096

func (c *comparer) sameConstants(a, b *expr) Verdict {
	need, algebraic := separationBits(sub(a, b))
	for _, prec := range precisions {
		va, vb := c.estimate(a, prec), c.estimate(b, prec)
		if va.err != nil || vb.err != nil {
			return verdictOfMagnitude(apart(a, b) || outgrows(a, vb) || outgrows(b, va))
		}
		switch separate(va, vb) {
		case Different:
			return Different
		case Equal:
			proved := algebraic && need < float64(prec)*5/8-magnitude(va)
			if proved || prec >= enoughPrecision || !algebraic && prec > precisions[0] {
				return Equal
			}
		}
	}
	return Undecided
}

// verdictOfMagnitude is what magnitudes alone can say.
func verdictOfMagnitude(apart bool) Verdict {
	if apart {
		return Different
	}
	return Undecided
}

// magnitude is the logarithm to the base 2 of a value's size, and at least 0.
func magnitude(e *estimate) float64 {
	size := 0
	for _, x := range []*big.Float{e.re, e.im} {
		if x.Sign() != 0 {
			size = max(size, x.MantExp(nil))
		}
	}
	return float64(size)
}

func (c *comparer) estimate(e *expr, prec uint) *estimate {
	if old := c.rough[e]; old != nil && old.prec == prec {
		return old
	}
	v := newEvaluator(prec, &c.work, nil, true)
	est := &estimate{v.value(e), v}
	if prec == precisions[0] {
		c.rough[e] = est
	}
	return est
}

// separate compares two values of one precision. It answers Equal and Different only where neither value lost so much on the way that
// this could mislead: values are alike if they agree in five eighths of their bits, of which sums may have lost a quarter.
func separate(a, b *estimate) Verdict {
	prec := int(a.prec)
	if a.lost > prec/4 || b.lost > prec/4 {
		return Undecided
	}
	gap := &complexes{floats: &floats{prec: a.prec, work: a.work}}
	d := gap.modulus(point{gap.minus(a.re, b.re), gap.minus(a.im, b.im)})
	size := gap.plus(gap.modulus(a.point), gap.modulus(b.point))
	if gap.err != nil {
		return Undecided
	}
	alike := d.Sign() == 0 || d.MantExp(nil) < size.MantExp(nil)-prec*5/8
	switch {
	case !alike && !(a.absorbed && a.snapped) && !(b.absorbed && b.snapped):
		return Different
	case alike && !a.absorbed && !b.absorbed:
		return Equal
	}
	return Undecided
}

// computable tells whether an expression has a value that can be computed: a constant reliably, a function at some points at least.
func (c *comparer) computable(e *expr) bool {
	if _, ok := c.rational(e); ok || e.infinite() != 0 {
		return true
	}
	if !e.constant() {
		return c.computableSomewhere(e)
	}
	for _, prec := range precisions {
		v := c.estimate(e, prec)
		if v.err != nil {
			return false
		}
		if v.lost <= int(prec)/4 && !(v.absorbed && v.snapped) {
			return true
		}
	}
	return false
}
