package math

// The operations that only worked solutions write, as max(a,b) and min(a,b).
const (
	opMax byte = 'M'
	opMin byte = 'm'
)

// evaluate computes an expression over the integers: every quotient has to be exact. No magnitude, intermediate values
// included, may exceed limit, which is at most 2^61.
func (n *node) evaluate(limit int64) (int64, *fault) {
	switch n.op {
	case 0:
		if magnitude(n.value) > limit {
			return 0, tooLarge(n.value)
		}
		return n.value, nil
	case '?':
		return 0, faultf(MissingInformation, "a number is left out")
	}
	a, f := n.left.evaluate(limit)
	if f != nil {
		return 0, f
	}
	b, f := n.right.evaluate(limit)
	if f != nil {
		return 0, f
	}
	return apply(n.op, a, b, limit)
}

// apply carries out one operation on operands of magnitude limit at most.
func apply(op byte, a, b, limit int64) (int64, *fault) {
	v := int64(0)
	switch op {
	case '+':
		v = a + b
	case '-':
		v = a - b
	case '*':
		return multiply(a, b, limit)
	case '^':
		return raise(a, b, limit)
	case opMax:
		v = max(a, b)
	case opMin:
		v = min(a, b)
	case '/':
		switch {
		case b == 0:
			return 0, faultf(NoSolution, "%d is divided by 0", a)
		case a%b != 0:
			return 0, faultf(NoSolution, "%d is no multiple of %d, and only integers are answers", a, b)
		}
		v = a / b
	case '%':
		switch {
		case b == 0:
			return 0, faultf(NoSolution, "%d is divided by 0", a)
		case a < 0 || b < 0:
			return 0, faultf(Ambiguous, "conventions differ on the sign of %d%%%d", a, b)
		}
		v = a % b
	default:
		panic("math: no operation " + string(op))
	}
	if v > limit || v < -limit {
		return 0, tooLarge(v)
	}
	return v, nil
}

func multiply(a, b, limit int64) (int64, *fault) {
	if a != 0 && magnitude(b) > limit/magnitude(a) {
		return 0, faultf(NotGradable, "the product of %d and %d is beyond ±%d; use smaller numbers", a, b, limit)
	}
	return a * b, nil
}

// raise is exponentiation. 0^0 has no agreed value, and a negative exponent gives no integer.
func raise(base, exponent, limit int64) (int64, *fault) {
	switch {
	case exponent < 0:
		return 0, faultf(NoSolution, "the exponent %d is negative", exponent)
	case base == 0 && exponent == 0:
		return 0, faultf(NoSolution, "0^0 has no value")
	case base == 0 || base == 1:
		return base, nil
	case base == -1:
		return 1 - 2*(exponent%2), nil
	}
	v := int64(1)
	for range exponent {
		var f *fault
		if v, f = multiply(v, base, limit); f != nil {
			return 0, f
		}
	}
	return v, nil
}

func magnitude(v int64) int64 {
	if v < 0 {
		return -v
	}
	return v
}
