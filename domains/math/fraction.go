package math

import "strings"

// fraction is a question for a part of a number, such as `3/4of20`.
type fraction struct {
	numerator, denominator, whole int64
}

func readFraction(s string) (question, *fault) {
	r := scanner{text: s, maxDigits: MaxDigits}
	var values [3]int64
	gap := false
	for i, separator := range []string{"/", "of", ""} {
		if r.accept('?') {
			gap = true
		} else {
			var f *fault
			if values[i], f = r.number(); f != nil {
				return nil, f
			}
		}
		if !strings.HasPrefix(s[r.at:], separator) {
			return nil, r.expected(`"` + separator + `"`)
		}
		r.at += len(separator)
	}
	switch {
	case r.at != len(s):
		return nil, r.expected("the end")
	case gap:
		return nil, faultf(MissingInformation, "a number of %q is left out", s)
	}
	return fraction{values[0], values[1], values[2]}, nil
}

func (q fraction) kind() string { return Fraction }

func (q fraction) operations() int { return 2 }

func (q fraction) answer() (int64, *fault) {
	// Two factors of nine digits: the product is below stepLimit.
	return apply('/', q.numerator*q.whole, q.denominator, stepLimit)
}

// work divides first where that is exact, because the numbers stay smaller.
func (q fraction) work() []string {
	product := q.numerator * q.whole
	switch {
	case q.numerator == 1:
		return []string{equation(infix(q.whole, '/', q.denominator), q.whole/q.denominator)}
	case q.whole%q.denominator == 0:
		part := q.whole / q.denominator
		return []string{
			equation(infix(q.whole, '/', q.denominator), part),
			equation(infix(part, '*', q.numerator), part*q.numerator),
		}
	}
	return []string{
		equation(infix(q.whole, '*', q.numerator), product),
		equation(infix(product, '/', q.denominator), product/q.denominator),
	}
}

func (q fraction) hints() []string {
	if q.whole%q.denominator == 0 {
		return []string{"divide by " + decimal(q.denominator) + " first", "divide first"}
	}
	return []string{"times " + decimal(q.numerator) + " first", "multiply first"}
}
