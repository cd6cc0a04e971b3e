package math

import (
	"strconv"
	"strings"
)

func decimal(v int64) string { return strconv.FormatInt(v, 10) }

// operand writes a number so that it can stand behind an operator.
func operand(v int64) string {
	if v < 0 {
		return "(" + decimal(v) + ")"
	}
	return decimal(v)
}

// equation is one line of a worked solution.
func equation(left string, value int64) string { return left + "=" + decimal(value) }

// infix writes an operation.
func infix(a int64, op byte, b int64) string {
	if op == '^' {
		return operand(a) + "^" + operand(b)
	}
	return decimal(a) + string(op) + operand(b)
}

// addition writes the sum of some values.
func addition(values []int64) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 && v >= 0 {
			b.WriteByte('+')
		}
		b.WriteString(decimal(v))
	}
	return b.String()
}

// difference writes a − b without a double sign.
func difference(a, b int64) string {
	if b < 0 {
		return decimal(a) + "+" + decimal(-b)
	}
	return decimal(a) + "-" + decimal(b)
}
