package math

// workOperation works one operation out, where it can be done digit by digit.
func workOperation(op byte, a, b int64) []string {
	if a < 0 || b < 0 {
		return workAtOnce(op, a, b)
	}
	switch op {
	case '+':
		return workSum(a, b)
	case '-':
		return workDifference(a, b)
	case '*':
		return workProduct(a, b)
	case '/':
		return workQuotient(a, b)
	case '%':
		return workRemainder(a, b)
	}
	return workPower(a, b)
}

// workAtOnce is a solution of one line.
func workAtOnce(op byte, a, b int64) []string {
	v, f := apply(op, a, b, stepLimit)
	if f != nil {
		panic("math: working out an operation without a value: " + f.detail)
	}
	return []string{equation(infix(a, op, b), v)}
}

// workSum adds in columns, the ones first, with the carry as a third term: 47+85 is `7+5=12;4+8+1=13`. A digit that nothing is
// added to is copied without a line.
func workSum(a, b int64) []string {
	var lines []string
	carry := int64(0)
	for first := true; first || a > 0 || b > 0; first = false {
		var terms []int64
		if a > 0 || first {
			terms = append(terms, a%10)
		}
		if b > 0 || first {
			terms = append(terms, b%10)
		}
		if carry > 0 {
			terms = append(terms, carry)
		}
		if len(terms) > 1 {
			lines = append(lines, equation(addition(terms), total(terms)))
		}
		carry = total(terms) / 10
		a, b = a/10, b/10
	}
	return lines
}

// workDifference subtracts in columns, the ones first. A borrowed ten stands in the digit, its payment in the next column: 85-47
// is `15-7=8;8-1-4=3`. A negative difference is worked the other way round, and negated.
func workDifference(a, b int64) []string {
	if a < b {
		return append(workDifference(b, a), equation(difference(0, b-a), a-b))
	}
	var lines []string
	borrow := int64(0)
	for first := true; first || a > 0; first = false {
		digit, subtracted := a%10, b%10
		short := digit < borrow+subtracted
		if short {
			digit += 10
		}
		terms := []int64{digit}
		if borrow > 0 {
			terms = append(terms, -borrow)
		}
		if b > 0 || first {
			terms = append(terms, -subtracted)
		}
		if len(terms) > 1 {
			lines = append(lines, equation(subtraction(terms), total(terms)))
		}
		borrow = 0
		if short {
			borrow = 1
		}
		a, b = a/10, b/10
	}
	return lines
}

// subtraction writes a number less some others, given as what is added to it.
func subtraction(terms []int64) string {
	s := decimal(terms[0])
	for _, v := range terms[1:] {
		s += "-" + decimal(-v)
	}
	return s
}

// workProduct multiplies one factor by the other's places, the ones first, and adds up: 12*34 is
// `12*4=48;12*30=360;48+360=408`.
func workProduct(a, b int64) []string {
	places := placesOf(b)
	if len(places) < 2 {
		a, b = b, a
		places = placesOf(b)
	}
	if len(places) < 2 {
		return workAtOnce('*', a, b)
	}
	var lines []string
	for _, p := range places {
		lines = append(lines, equation(infix(a, '*', p), a*p))
	}
	sum := a * places[0]
	for _, p := range places[1:] {
		lines = append(lines, equation(infix(sum, '+', a*p), sum+a*p))
		sum += a * p
	}
	return lines
}

// placesOf splits a number into its digits times their powers of ten, zeros left out, the ones first: 305 is 5, 300.
func placesOf(v int64) []int64 {
	var places []int64
	for unit := int64(1); v > 0; v, unit = v/10, unit*10 {
		if d := v % 10; d > 0 {
			places = append(places, d*unit)
		}
	}
	return places
}

// workQuotient divides from the highest place of the quotient on: 84/7 is `7*10=70;84-70=14;7*2=14;10+2=12`.
func workQuotient(n, d int64) []string {
	places := placesOf(n / d)
	if len(places) == 0 {
		return workAtOnce('/', n, d)
	}
	var lines []string
	for i := len(places) - 1; i >= 0; i-- {
		lines = append(lines, equation(infix(d, '*', places[i]), d*places[i]))
		if i > 0 {
			lines = append(lines, equation(difference(n, d*places[i]), n-d*places[i]))
			n -= d * places[i]
		}
	}
	if len(places) > 1 {
		parts := make([]int64, len(places))
		for i, p := range places {
			parts[len(places)-1-i] = p
		}
		lines = append(lines, equation(addition(parts), total(parts)))
	}
	return lines
}

// workRemainder takes the largest multiple away: 85%7 is `7*12=84;85-84=1`.
func workRemainder(n, d int64) []string {
	multiple := n - n%d
	if multiple == 0 {
		return workAtOnce('%', n, d)
	}
	return []string{equation(infix(d, '*', multiple/d), multiple), equation(difference(n, multiple), n%d)}
}

// workPower multiplies again and again: 7^3 is `7*7=49;49*7=343`.
func workPower(base, exponent int64) []string {
	if base < 2 || exponent < 2 {
		return workAtOnce('^', base, exponent)
	}
	var lines []string
	v := base
	for range exponent - 1 {
		lines = append(lines, equation(infix(v, '*', base), v*base))
		v *= base
	}
	return lines
}

// hintOperation hints at one operation.
func hintOperation(op byte, a, b int64) []string {
	switch op {
	case '+':
		if carries(workOperation(op, a, b)) > 0 {
			return []string{"carry the 1", "carry"}
		}
		return []string{"no carry"}
	case '-':
		switch {
		case a < b:
			return []string{"swap, then minus"}
		case carries(workOperation(op, a, b)) > 0:
			return []string{"borrow 1", "borrow"}
		}
		return []string{"no borrow"}
	case '*':
		if places := placesOf(b); len(places) > 1 {
			return []string{"split " + decimal(b) + ": " + addition(places), "split"}
		}
		return []string{"times table"}
	case '/':
		return []string{decimal(b) + " times what?", "times what?"}
	case '%':
		return []string{"take away " + decimal(b) + "s", "take away"}
	}
	return []string{decimal(a) + " times itself", "times itself"}
}
