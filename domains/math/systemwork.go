package math

// work undoes what is done to x in one equation, or eliminates y from two.
func (q system) work() []string {
	first, second := q.independent()
	if second < 0 {
		return q.equations[first].work()
	}
	a1, b1, c1 := q.equations[first].collected()
	a2, b2, c2 := q.equations[second].collected()
	switch {
	case b1 == 0:
		return divideOut(nil, a1, c1)
	case b2 == 0:
		return divideOut(nil, a2, c2)
	case a1 == 0:
		return substitute(b1, c1, a2, b2, c2)
	case a2 == 0:
		return substitute(b2, c2, a1, b1, c1)
	}
	return eliminate(a1, b1, c1, a2, b2, c2)
}

// work collects x on the left and the constants on the right, then divides.
func (e linearEquation) work() []string {
	var lines []string
	a, _, c := e.collected()
	if e.right.x != 0 {
		lines = append(lines, equation(difference(e.left.x, e.right.x), a))
	}
	if e.left.constant != 0 {
		lines = append(lines, equation(difference(e.right.constant, e.left.constant), c))
	}
	return divideOut(lines, a, c)
}

// divideOut adds the division that solves a·x = c.
func divideOut(lines []string, a, c int64) []string {
	if a == 1 {
		return lines
	}
	return append(lines, equation(infix(c, '/', a), c/a))
}

// substitute solves b·y = c for y, and puts it into a2·x + b2·y = c2.
func substitute(b, c, a2, b2, c2 int64) []string {
	lines := divideOut(nil, b, c)
	t := c / b
	if b2 != 1 {
		lines = append(lines, equation(infix(b2, '*', t), b2*t))
		t *= b2
	}
	return divideOut(append(lines, equation(difference(c2, t), c2-t)), a2, c2-t)
}

// eliminate multiplies two equations so that y cancels: Cramer's rule, but for the easy case of opposite or equal y.
func eliminate(a1, b1, c1, a2, b2, c2 int64) []string {
	switch {
	case b1 == -b2:
		lines := []string{equation(addition([]int64{c1, c2}), c1+c2)}
		return divideOut(lines, a1+a2, c1+c2)
	case b1 == b2:
		lines := []string{equation(difference(c1, c2), c1-c2)}
		return divideOut(lines, a1-a2, c1-c2)
	}
	n, d := c1*b2-c2*b1, a1*b2-a2*b1
	return divideOut([]string{
		equation(differenceOfProducts(c1, b2, c2, b1), n),
		equation(differenceOfProducts(a1, b2, a2, b1), d),
	}, d, n)
}

// differenceOfProducts writes a·b − c·d.
func differenceOfProducts(a, b, c, d int64) string {
	return infix(a, '*', b) + "-" + operand(c) + "*" + operand(d)
}

func (q system) hints() []string {
	if len(q.equations) > 1 {
		return []string{"get rid of y"}
	}
	e := q.equations[0]
	a, _, _ := e.collected()
	switch {
	case e.right.x != 0:
		return []string{"collect x on one side"}
	case e.left.constant > 0:
		return []string{"undo +" + decimal(e.left.constant) + " first", "subtract first"}
	case e.left.constant < 0:
		return []string{"undo " + decimal(e.left.constant) + " first", "add first"}
	}
	return []string{"divide by " + decimal(a), "divide"}
}
