package math

import "math/big"

// quadratic is a·x² + b·x + c = 0 with a ≠ 0, as in `x^2-6x+9=0`. It is valid when exactly one integer solves it.
type quadratic struct{ a, b, c int64 }

func (q quadratic) kind() string { return Equation }

func (q quadratic) operations() int { return 2 }

func (q quadratic) answer() (int64, *fault) {
	none := faultf(NoSolution, "no integer solves the quadratic equation; choose x first")
	// Coefficients of magnitude MaxValue at most keep the discriminant below 5·10^18, inside 64 bits.
	d := q.b*q.b - 4*q.a*q.c
	if d < 0 {
		return 0, none
	}
	root := new(big.Int).Sqrt(big.NewInt(d)).Int64()
	if root*root != d {
		return 0, none
	}
	low, lowOK := divideExactly(-q.b-root, 2*q.a)
	high, highOK := divideExactly(-q.b+root, 2*q.a)
	switch {
	case lowOK && highOK && low != high:
		return 0, faultf(Ambiguous, "both %d and %d solve the quadratic equation", low, high)
	case lowOK:
		return low, nil
	case highOK:
		return high, nil
	}
	return 0, none
}

func divideExactly(a, b int64) (int64, bool) { return a / b, a%b == 0 }

// work puts the solution into the equation.
func (q quadratic) work() []string {
	x, _ := q.answer()
	left := infix(q.a, '*', x) + "^2"
	if q.b != 0 {
		left = appendTerm(left, q.b, "*"+operand(x))
	}
	if q.c != 0 {
		left = appendTerm(left, q.c, "")
	}
	return []string{equation(left, 0)}
}

// appendTerm adds a term with its sign.
func appendTerm(left string, coefficient int64, rest string) string {
	if coefficient < 0 {
		return left + "-" + decimal(-coefficient) + rest
	}
	return left + "+" + decimal(coefficient) + rest
}

func (q quadratic) hints() []string { return []string{"which square fits?"} }
