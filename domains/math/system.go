package math

import (
	"math/big"
	"strings"
)

// linearEquation is left = right.
type linearEquation struct{ left, right side }

// collected is the equation with its unknowns on the left and its constant on the right: a·x + b·y = c.
func (e linearEquation) collected() (a, b, c int64) {
	p := e.left.minus(e.right.polynomial)
	return p.x, p.y, -p.constant
}

// system is one equation or several, as `3x+5=26` or `y=2,x+y=7`. The question is always for x, and every unknown is an integer.
type system struct{ equations []linearEquation }

// readSystem reads equations, and recognises what only looks like one.
func readSystem(s string) (question, *fault) {
	var q system
	var hasX, hasY, hasGap, squares bool
	for text := range strings.SplitSeq(s, ",") {
		left, right, isEquation := strings.Cut(text, "=")
		l, f := readSide(left)
		if f != nil {
			return readClaim(s, f)
		}
		if !isEquation {
			return nil, faultf(MissingInformation, "%q has nothing that x or the value could be found from", text)
		}
		r, f := readSide(right)
		if f != nil {
			return readClaim(s, f)
		}
		e := linearEquation{l, r}
		if !e.left.minus(r.polynomial).within(MaxValue) {
			return nil, faultf(NotGradable, "%q has coefficients beyond ±%d; use smaller numbers", text, int64(MaxValue))
		}
		q.equations = append(q.equations, e)
		hasX, hasY = hasX || l.hasX || r.hasX, hasY || l.hasY || r.hasY
		hasGap = hasGap || l.hasGap || r.hasGap
		squares = squares || l.xx != r.xx
	}
	switch {
	case hasGap && !hasX && !hasY:
		return nil, faultf(Malformed, "%q: the unknown of an equation is written x", s)
	case hasGap:
		return nil, faultf(MissingInformation, "a number of %q is left out", s)
	case !hasX && !hasY:
		return readClaim(s, nil)
	case !hasX:
		return nil, faultf(MissingInformation, "%q does not say anything about x", s)
	case squares && hasY && len(q.equations) == 1:
		return nil, faultf(MissingInformation, "%q has two unknowns in one equation", s)
	case squares && len(q.equations) > 1:
		return nil, faultf(NotGradable, "%q has x^2 among several equations; only linear ones can be several", s)
	case squares:
		p := q.equations[0].left.minus(q.equations[0].right.polynomial)
		return quadratic{p.xx, p.x, p.constant}, nil
	}
	return q, nil
}

// readClaim refuses an equation between numbers, which is true or false but asks for nothing. syntax is the fault of reading
// it as a linear equation, which stands if it is no equation between expressions either.
func readClaim(s string, syntax *fault) (question, *fault) {
	left, right, _ := strings.Cut(s, "=")
	l, okL := evaluateWorked(left)
	r, okR := evaluateWorked(right)
	switch {
	case okL && okR && l == r:
		return nil, faultf(MissingInformation, "%q is true, and asks for nothing", s)
	case okL && okR:
		return nil, faultf(Contradiction, "%q says that %d is %d", s, l, r)
	case syntax != nil:
		return nil, syntax
	}
	return nil, faultf(MissingInformation, "%q asks for nothing", s)
}

func (q system) kind() string {
	if len(q.equations) == 1 {
		return Equation
	}
	return System
}

func (q system) operations() int { return len(q.work()) }

// answer solves for x by Cramer's rule on the first two independent equations, and checks the rest. Coefficients of up to
// 2·MaxValue make products of three of them overflow 64 bits, hence big integers.
func (q system) answer() (int64, *fault) {
	for _, e := range q.equations {
		if a, b, c := e.collected(); a == 0 && b == 0 && c != 0 {
			return 0, faultf(NoSolution, "nothing that is put for x makes 0 equal to %d", c)
		}
	}
	first, second := q.independent()
	if first < 0 {
		return 0, faultf(Ambiguous, "any number can be put for x")
	}
	a1, b1, c1 := q.equations[first].collected()
	if second < 0 {
		return q.parallel(a1, b1, c1)
	}
	a2, b2, c2 := q.equations[second].collected()
	d := determinant(a1, b1, a2, b2)
	x, y := determinant(c1, b1, c2, b2), determinant(a1, c1, a2, c2)
	for _, e := range q.equations {
		a, b, c := e.collected()
		left := new(big.Int).Mul(big.NewInt(a), x)
		left.Add(left, new(big.Int).Mul(big.NewInt(b), y))
		if left.Cmp(new(big.Int).Mul(big.NewInt(c), d)) != 0 {
			return 0, faultf(Contradiction, "the equations cannot all be true")
		}
	}
	for _, unknown := range []*big.Int{x, y} {
		if new(big.Int).Rem(unknown, d).Sign() != 0 {
			return 0, faultf(NoSolution, "the equations have no integer solution; choose x and y first")
		}
	}
	if x.Quo(x, d); !x.IsInt64() {
		return 0, faultf(NotGradable, "x is %v, beyond ±%d; use smaller numbers", x, int64(MaxValue))
	}
	return x.Int64(), nil
}

// parallel solves equations that are all multiples of a·x + b·y = c on their left side.
func (q system) parallel(a, b, c int64) (int64, *fault) {
	for _, e := range q.equations {
		ea, eb, ec := e.collected()
		if determinant(a, c, ea, ec).Sign() != 0 || determinant(b, c, eb, ec).Sign() != 0 {
			return 0, faultf(Contradiction, "the equations cannot all be true")
		}
	}
	switch {
	case b != 0:
		return 0, faultf(MissingInformation, "the equations do not determine x")
	case c%a != 0:
		return 0, faultf(NoSolution, "%dx=%d has no integer solution; choose x first", a, c)
	}
	return c / a, nil
}

// independent is the first equation with an unknown, and the first that is not parallel to it; -1 where there is none.
func (q system) independent() (first, second int) {
	first, second = -1, -1
	for i, e := range q.equations {
		a, b, _ := e.collected()
		switch {
		case a == 0 && b == 0:
		case first < 0:
			first = i
		case second < 0:
			if a1, b1, _ := q.equations[first].collected(); determinant(a1, b1, a, b).Sign() != 0 {
				second = i
			}
		}
	}
	return first, second
}

// determinant is a·d − b·c.
func determinant(a, b, c, d int64) *big.Int {
	left := new(big.Int).Mul(big.NewInt(a), big.NewInt(d))
	return left.Sub(left, new(big.Int).Mul(big.NewInt(b), big.NewInt(c)))
}
