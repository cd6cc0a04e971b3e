package grade

import (
	"math/big"
	"strings"
)

type op int

const (
	opNumber   op = iota // num
	opSymbol             // name: a variable
	opConstant           // name: pi, e, i or ∞
	opAdd                // of any number of arguments
	opMul                // of any number of arguments
	opDiv                // args[0] / args[1]
	opPow                // args[0] ^ args[1]
	opRoot               // the args[1]-th root of args[0]
	opFunc               // name of args[0]
	opChoose             // args[0] over args[1]
	opDegree             // args[0] in degrees, as an angle
	opSign               // ± args[0]; name is ± or ∓
)

// expr is an expression. Expressions are never changed once they are made, so that they may share parts.
type expr struct {
	op   op
	name string
	num  *big.Rat
	lit  *numeral // of a number written as a numeral
	args []*expr
}

func number(r *big.Rat) *expr     { return &expr{op: opNumber, num: r} }
func integer(n int64) *expr       { return number(big.NewRat(n, 1)) }
func symbol(name string) *expr    { return &expr{op: opSymbol, name: name} }
func constant(name string) *expr  { return &expr{op: opConstant, name: name} }
func node(o op, a ...*expr) *expr { return &expr{op: o, args: a} }
func call(f string, x *expr) *expr {
	return &expr{op: opFunc, name: f, args: []*expr{x}}
}
func neg(x *expr) *expr    { return node(opMul, integer(-1), x) }
func sub(a, b *expr) *expr { return node(opAdd, a, neg(b)) }

// any tells whether some part of an expression satisfies f.
func (e *expr) any(f func(*expr) bool) bool {
	if f(e) {
		return true
	}
	for _, a := range e.args {
		if a.any(f) {
			return true
		}
	}
	return false
}

// variables adds the names of an expression's variables to a set.
func (e *expr) variables(into map[string]bool) {
	e.any(func(x *expr) bool {
		if x.op == opSymbol {
			into[x.name] = true
		}
		return false
	})
}

func (e *expr) constant() bool { return !e.any(func(x *expr) bool { return x.op == opSymbol }) }

func (e *expr) mentions(name string) bool {
	return e.any(func(x *expr) bool { return x.op == opSymbol && x.name == name })
}

// replace returns e with every part for which f gives another expression replaced by it.
func (e *expr) replace(f func(*expr) *expr) *expr {
	if r := f(e); r != nil {
		return r
	}
	changed := false
	args := make([]*expr, len(e.args))
	for i, a := range e.args {
		args[i] = a.replace(f)
		changed = changed || args[i] != a
	}
	if !changed {
		return e
	}
	c := *e
	c.args = args
	return &c
}

// at returns e with a variable replaced by a value.
func (e *expr) at(name string, value *expr) *expr {
	return e.replace(func(x *expr) *expr {
		if x.op == opSymbol && x.name == name {
			return value
		}
		return nil
	})
}

// infinite returns the sign of an expression that is ∞ or -∞, or 0.
func (e *expr) infinite() int {
	if e.op == opConstant && e.name == "∞" {
		return 1
	}
	if e.op == opMul && len(e.args) == 2 && e.args[0].op == opNumber && e.args[1].op == opConstant && e.args[1].name == "∞" {
		return e.args[0].num.Sign()
	}
	return 0
}

// hasInfinity tells whether ∞ occurs in an expression.
func (e *expr) hasInfinity() bool {
	return e.any(func(x *expr) bool { return x.op == opConstant && x.name == "∞" })
}

// String spells an expression unambiguously; equal spellings are equal expressions.
func (e *expr) String() string {
	var b strings.Builder
	e.write(&b)
	return b.String()
}

func (e *expr) write(b *strings.Builder) {
	switch e.op {
	case opNumber:
		b.WriteString(e.num.RatString())
		return
	case opSymbol, opConstant:
		b.WriteString(e.name)
		return
	}
	b.WriteByte('(')
	b.WriteString([...]string{opAdd: "+", opMul: "*", opDiv: "/", opPow: "^", opRoot: "root", opFunc: e.name, opChoose: "choose", opDegree: "°", opSign: e.name}[e.op])
	for _, a := range e.args {
		b.WriteByte(' ')
		a.write(b)
	}
	b.WriteByte(')')
}
