package math

import (
	"regexp"
	"strconv"
)

// call is a question for a named function of some numbers: max, min, gcd, avg, or dsum, the sum of the digits of one number.
type call struct {
	name string
	args []int64
}

var callPattern = regexp.MustCompile(`^(max|min|gcd|avg|dsum)\(`)

// readCall reads a statement that callPattern matches.
func readCall(s string) (question, *fault) {
	c := call{name: callPattern.FindStringSubmatch(s)[1]}
	r := scanner{text: s, at: len(c.name) + 1, maxDigits: MaxDigits}
	gap := false
	for more := r.peek() != ')'; more; more = r.accept(',') {
		if r.accept('?') {
			gap = true
			continue
		}
		v, f := r.signed()
		if f != nil {
			return nil, f
		}
		c.args = append(c.args, v)
	}
	if !r.accept(')') {
		return nil, r.expected(`"," or ")"`)
	}
	if r.at != len(s) {
		return nil, r.expected("the end")
	}
	switch {
	case gap || len(c.args) == 0:
		return nil, faultf(MissingInformation, "a number of %q is left out", s)
	case c.name == "dsum" && len(c.args) > 1:
		return nil, faultf(Malformed, "%q: dsum is of one number", s)
	case c.name == "dsum" && c.args[0] < 0:
		return nil, faultf(Malformed, "%q: dsum is of a number without a sign", s)
	case c.name != "dsum" && len(c.args) == 1:
		return nil, faultf(MissingInformation, "%q: %s is of two numbers or more", s, c.name)
	}
	return c, nil
}

func (c call) kind() string {
	switch c.name {
	case "gcd":
		return GCD
	case "avg":
		return Average
	case "dsum":
		return DigitSum
	}
	return Comparison
}

func (c call) operations() int {
	if c.name == "dsum" {
		return len(digitsOf(c.args[0])) - 1
	}
	return len(c.args) - 1
}

func (c call) answer() (int64, *fault) {
	switch c.name {
	case "gcd":
		g := int64(0)
		for _, v := range c.args {
			g = gcd(g, magnitude(v))
		}
		if g == 0 {
			return 0, faultf(NoSolution, "every number divides 0")
		}
		return g, nil
	case "avg":
		return apply('/', total(c.args), int64(len(c.args)), stepLimit)
	case "dsum":
		return total(digitsOf(c.args[0])), nil
	}
	v := c.args[0]
	for _, w := range c.args[1:] {
		v = c.extreme(v, w)
	}
	return v, nil
}

func (c call) extreme(v, w int64) int64 {
	if c.name == "max" {
		return max(v, w)
	}
	return min(v, w)
}

func (c call) work() []string {
	var lines []string
	switch c.name {
	case "gcd":
		g := magnitude(c.args[0])
		for _, v := range c.args[1:] {
			a, b := max(g, magnitude(v)), min(g, magnitude(v))
			for b != 0 { // Euclid's algorithm
				lines = append(lines, equation(infix(a, '%', b), a%b))
				a, b = b, a%b
			}
			g = a
		}
	case "avg":
		sum, n := total(c.args), int64(len(c.args))
		lines = append(lines, equation(addition(c.args), sum), equation(infix(sum, '/', n), sum/n))
	case "dsum":
		if digits := digitsOf(c.args[0]); len(digits) > 1 {
			lines = append(lines, equation(addition(digits), total(digits)))
		}
	default:
		v := c.args[0]
		for _, w := range c.args[1:] {
			best := c.extreme(v, w)
			lines = append(lines, equation(c.name+"("+decimal(v)+","+decimal(w)+")", best))
			v = best
		}
	}
	return lines
}

func (c call) hints() []string {
	switch c.name {
	case "gcd":
		return []string{"largest common factor"}
	case "avg":
		return []string{"add, then divide by " + strconv.Itoa(len(c.args)), "add, then divide"}
	case "dsum":
		return []string{"add the digits"}
	case "max":
		return []string{"the largest"}
	}
	return []string{"the smallest"}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func total(values []int64) int64 {
	sum := int64(0)
	for _, v := range values {
		sum += v
	}
	return sum
}

// digitsOf lists the decimal digits of v, which is not negative, the first digit first.
func digitsOf(v int64) []int64 {
	var digits []int64
	for _, c := range decimal(v) {
		digits = append(digits, int64(c-'0'))
	}
	return digits
}
