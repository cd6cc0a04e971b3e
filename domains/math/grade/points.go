package grade

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
)

const (
	surePoints  = 16 // points of every kind that are tried in any case
	maxPoints   = 48 // points that are tried at most
	needsPoints = 4  // points at which both expressions must have a value
)

// sameFunctions compares expressions in variables at random rational points of both signs, and where they have values at too few of
// these, at whole numbers. One point at which they differ settles it; points at which either has no real value say nothing.
func (c *comparer) sameFunctions(a, b *expr) Verdict {
	names := map[string]bool{}
	a.variables(names)
	b.variables(names)
	list := ordered(names)
	imaginary := func(x *expr) bool { return x.op == opConstant && x.name == "i" }
	unreal := a.any(imaginary) || b.any(imaginary)
	scale := max(scaleOf(a), scaleOf(b))
	for _, draw := range []func(*rand.Rand, int, int64) *big.Rat{rationalPoint, wholePoint} {
		random := rand.New(rand.NewPCG(1, 2))
		agreed := 0
		for i := range maxPoints {
			if i >= surePoints && agreed >= needsPoints {
				break
			}
			at := drawn(list, func() *big.Rat { return draw(random, i, scale) })
			switch v, err := c.sameAt(a, b, at, unreal); {
			case errors.Is(err, errLimit) && c.work.left < 0:
				return Undecided
			case err != nil:
			case v == Different:
				return Different
			case v == Equal:
				agreed++
			}
		}
		if agreed >= needsPoints {
			return Equal
		}
	}
	if a.constant() != b.constant() && (c.varies(a, list) || c.varies(b, list)) {
		return Different
	}
	return Undecided
}

// drawn gives every name a value.
func drawn(names []string, value func() *big.Rat) map[string]*big.Rat {
	at := map[string]*big.Rat{}
	for _, name := range names {
		at[name] = value()
	}
	return at
}

// ordered lists names in a fixed order.
func ordered(names map[string]bool) []string {
	list := make([]string, 0, len(names))
	for name := range names {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// computableSomewhere tells whether an expression has a value at any of a few points, rational or whole.
func (c *comparer) computableSomewhere(e *expr) bool {
	found := map[string]bool{}
	e.variables(found)
	names := ordered(found)
	random := rand.New(rand.NewPCG(5, 6))
	for i := range maxPoints {
		draw := rationalPoint
		if i%2 == 1 {
			draw = wholePoint
		}
		v := newEvaluator(precisions[0], &c.work, drawn(names, func() *big.Rat { return draw(random, i/2, scaleOf(e)) }), true)
		if v.value(e); v.err == nil {
			return true
		}
	}
	return false
}

// varies tells whether an expression has different values at some two points, and so is no constant.
func (c *comparer) varies(e *expr, names []string) bool {
	random := rand.New(rand.NewPCG(3, 4))
	var first *estimate
	for i := range surePoints {
		at := drawn(names, func() *big.Rat { return rationalPoint(random, i, 1) })
		v := newEvaluator(precisions[0], &c.work, at, false)
		value := &estimate{v.value(e), v}
		switch {
		case v.err != nil:
		case first == nil:
			first = value
		case separate(first, value) == Different:
			return true
		}
	}
	return false
}

func (c *comparer) sameAt(a, b *expr, at map[string]*big.Rat, unreal bool) (Verdict, error) {
	for _, prec := range precisions[:3] {
		va, vb := newEvaluator(prec, &c.work, at, unreal), newEvaluator(prec, &c.work, at, unreal)
		ea, eb := &estimate{va.value(a), va}, &estimate{vb.value(b), vb}
		if err := errors.Join(va.err, vb.err); err != nil {
			return Undecided, err
		}
		if v := separate(ea, eb); v != Undecided {
			return v, nil
		}
	}
	return Undecided, nil
}

// rationalPoint draws a rational number: in turn between 0 and 1, up to 10, up to 100 and up to four times the expressions' largest
// number, and half of the later ones negative.
func rationalPoint(random *rand.Rand, i int, scale int64) *big.Rat {
	span := [...]int64{1, 10, 100, 4 * scale}[i%4]
	x := big.NewRat(1+random.Int64N(span*1000), 1009)
	if i >= 4 && random.IntN(2) == 1 {
		x.Neg(x)
	}
	return x
}

// wholePoint draws a whole number from 1 to 30.
func wholePoint(random *rand.Rand, _ int, _ int64) *big.Rat {
	return big.NewRat(1+random.Int64N(30), 1)
}

// scaleOf is the size of the largest number in an expression, at most 10^6.
func scaleOf(e *expr) int64 {
	scale := int64(1)
	e.any(func(x *expr) bool {
		if x.op == opNumber {
			size := new(big.Int).Quo(x.num.Num(), x.num.Denom())
			if size.Abs(size); size.IsInt64() {
				scale = max(scale, min(size.Int64(), 1e6))
			}
		}
		return false
	})
	return scale
}
