package math

import "strings"

// node is an expression: a number, or an operation on two expressions, or an asked-for number, `?`.
type node struct {
	op          byte // one of + - * / % ^, 0 of a number, '?' of a gap
	value       int64
	left, right *node
	bracketed   bool
}

// expressionReader reads expressions with the usual precedence, from the left. A sign is part of a number, and only
// stands where an expression begins.
type expressionReader struct {
	scanner
	// worked admits what only worked solutions write: a lone negative number in brackets, and max, min of two numbers.
	worked bool
}

// readExpression reads a statement that is an expression.
func readExpression(s string) (question, *fault) {
	r := expressionReader{scanner: scanner{text: s, maxDigits: MaxDigits}}
	root, f := r.sum()
	switch {
	case f != nil:
		return nil, f
	case r.at != len(s):
		return nil, r.expected("an operator")
	case root.bracketed:
		return nil, faultf(Malformed, "the brackets around all of %q do nothing", s)
	case root.hasGap():
		return nil, faultf(MissingInformation, "a number of %q is left out", s)
	case root.op == 0:
		return nil, faultf(MissingInformation, "%q is a number; nothing is asked", s)
	}
	return expression{root}, nil
}

// sum reads terms joined by + and -.
func (r *expressionReader) sum() (*node, *fault) {
	return r.chain("+-", func() (*node, *fault) {
		return r.chain("*/%", r.power)
	})
}

// chain reads operands joined by operators of one precedence.
func (r *expressionReader) chain(operators string, operand func() (*node, *fault)) (*node, *fault) {
	left, f := operand()
	for f == nil && r.peek() != 0 && strings.IndexByte(operators, r.peek()) >= 0 {
		op := r.peek()
		r.at++
		var right *node
		if right, f = operand(); f == nil {
			left = &node{op: op, left: left, right: right}
		}
	}
	return left, f
}

// power reads an operand and its exponent. Conventions differ on `2^3^2` and on `-3^2`, so both are refused as ambiguous.
func (r *expressionReader) power() (*node, *fault) {
	base, f := r.primary()
	if f != nil || !r.accept('^') {
		return base, f
	}
	exponent, f := r.primary()
	switch {
	case f != nil:
		return nil, f
	case r.peek() == '^':
		return nil, faultf(Ambiguous, "%q does not say which power comes first; use brackets", r.text)
	case base.op == 0 && base.value < 0 && !base.bracketed:
		return nil, faultf(Ambiguous, "%q does not say whether the sign or the power comes first", r.text)
	}
	return &node{op: '^', left: base, right: exponent}, nil
}

// primary reads a number, a gap or a bracket.
func (r *expressionReader) primary() (*node, *fault) {
	switch {
	case r.accept('('):
		return r.bracket()
	case r.accept('?'):
		return &node{op: '?'}, nil
	case r.worked && strings.HasPrefix(r.text[r.at:], "max("), r.worked && strings.HasPrefix(r.text[r.at:], "min("):
		return r.extreme()
	case r.peek() == '-' && (r.at == 0 || r.text[r.at-1] == '('):
		v, f := r.signed()
		return &node{value: v}, f
	}
	v, f := r.number()
	return &node{value: v}, f
}

// bracket reads the rest of a bracket, which has to hold an operation, so that each task is written in one way.
func (r *expressionReader) bracket() (*node, *fault) {
	inner, f := r.sum()
	switch {
	case f != nil:
		return nil, f
	case !r.accept(')'):
		return nil, r.expected(`")" or an operator`)
	case inner.bracketed, inner.op == '?', inner.op == 0 && !(r.worked && inner.value < 0):
		return nil, faultf(Malformed, "%q has brackets around no operation", r.text)
	}
	inner.bracketed = true
	return inner, nil
}

// extreme reads max or min of two numbers.
func (r *expressionReader) extreme() (*node, *fault) {
	name := r.text[r.at : r.at+3]
	r.at += 4
	a, f := r.signed()
	if f != nil {
		return nil, f
	}
	if !r.accept(',') {
		return nil, r.expected(`","`)
	}
	b, f := r.signed()
	if f != nil {
		return nil, f
	}
	if !r.accept(')') {
		return nil, r.expected(`")"`)
	}
	if name == "max" {
		return &node{op: opMax, left: &node{value: a}, right: &node{value: b}}, nil
	}
	return &node{op: opMin, left: &node{value: a}, right: &node{value: b}}, nil
}

func (n *node) hasGap() bool {
	return n.op == '?' || n.left != nil && (n.left.hasGap() || n.right.hasGap())
}

// expression is a question for the value of an arithmetic expression.
type expression struct{ root *node }

// single tells an expression of one operation.
func (e expression) single() bool { return e.root.left.left == nil && e.root.right.left == nil }

func (e expression) kind() string {
	n := e.root
	if e.single() {
		return singleOperation[n.op]
	}
	var bracketed bool
	levels := map[int]bool{}
	n.walk(func(n *node) {
		bracketed = bracketed || n.bracketed
		levels[precedence(n.op)] = true
	})
	switch {
	case bracketed:
		return Brackets
	case len(levels) > 1:
		return Precedence
	}
	return Chain
}

// singleOperation is the type of an expression of one operation.
var singleOperation = map[byte]string{'+': Sum, '-': Difference, '*': Product, '/': Quotient, '%': Remainder, '^': Power}

func precedence(op byte) int {
	switch op {
	case '+', '-':
		return 1
	case '*', '/', '%':
		return 2
	}
	return 3
}

// walk visits the operations in the order in which they are carried out.
func (n *node) walk(visit func(*node)) {
	if n.left == nil {
		return
	}
	n.left.walk(visit)
	n.right.walk(visit)
	visit(n)
}

func (e expression) answer() (int64, *fault) { return e.root.evaluate(MaxValue) }

func (e expression) operations() int {
	count := 0
	e.root.walk(func(*node) { count++ })
	return count
}

// work carries out one operation after the other; a single one is worked digit by digit.
func (e expression) work() []string {
	n := e.root
	if e.single() {
		return workOperation(n.op, n.left.value, n.right.value)
	}
	var lines []string
	n.walk(func(n *node) {
		lines = append(lines, equation(n.operation(), n.known()))
	})
	return lines
}

func (e expression) hints() []string {
	n := e.root
	if e.single() {
		return hintOperation(n.op, n.left.value, n.right.value)
	}
	var first *node
	n.walk(func(n *node) {
		if first == nil {
			first = n
		}
	})
	general := map[string]string{Chain: "left to right", Precedence: "times before plus", Brackets: "brackets first"}
	return []string{first.operation() + " first", general[e.kind()]}
}

// operation writes a node's operation with its operands' values.
func (n *node) operation() string { return infix(n.left.known(), n.op, n.right.known()) }

// known is the value of an expression that is known to have one.
func (n *node) known() int64 {
	v, f := n.evaluate(MaxValue)
	if f != nil {
		panic("math: working out an expression without a value: " + f.detail)
	}
	return v
}
