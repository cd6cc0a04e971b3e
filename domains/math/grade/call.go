package grade

import "fmt"

// inverses are the functions that an exponent of -1 names.
var inverses = map[string]string{"sin": "arcsin", "cos": "arccos", "tan": "arctan"}

// function reads a function's base or exponent and its argument. Without brackets the argument is the product that follows, up to the
// next function, root, fraction or sign: \sin 2x \cos y is (sin 2x)(cos y).
func (p *parser) function(name string) (*expr, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	var base, power *expr
	for {
		var err error
		switch {
		case name == "log" && base == nil && p.accept("_"):
			base, err = p.logBase()
		case power == nil && p.peek().is("^") && !p.peekDegree():
			p.at++
			power, err = p.exponent()
		default:
			arg, err := p.functionArgument()
			if err != nil {
				return nil, err
			}
			return applied(name, base, power, arg)
		}
		if err != nil {
			return nil, err
		}
	}
}

func (p *parser) peekDegree() bool {
	return p.at+1 < len(p.tokens) && p.tokens[p.at+1].is("°")
}

// logBase reads the base of a logarithm: \log_2 8 and \log_{10}100, and one digit of \log_28.
func (p *parser) logBase() (*expr, error) {
	t := p.peek()
	if p.at < len(p.tokens) && t.kind == numberToken && t.num.integer() && len(t.text) > 2 {
		return nil, fmt.Errorf("the base of a logarithm in %s is ambiguous: put it in braces", t.text)
	}
	return p.argument()
}

func applied(name string, base, power, arg *expr) (*expr, error) {
	if power != nil && power.String() == neg(integer(1)).String() {
		inverse := inverses[name]
		if inverse == "" {
			return nil, fmt.Errorf("%s with exponent -1 is ambiguous", name)
		}
		return call(inverse, arg), nil
	}
	var value *expr
	switch name {
	case "exp":
		value = node(opPow, constant("e"), arg)
	case "log":
		if base == nil {
			base = integer(10)
		}
		value = node(opDiv, call("ln", arg), call("ln", base))
	case "cot":
		value = node(opDiv, call("cos", arg), call("sin", arg))
	case "sec":
		value = node(opDiv, integer(1), call("cos", arg))
	case "csc":
		value = node(opDiv, integer(1), call("sin", arg))
	case "tan":
		value = node(opDiv, call("sin", arg), call("cos", arg))
	case "tanh":
		value = node(opDiv, call("sinh", arg), call("cosh", arg))
	default:
		value = call(name, arg)
	}
	if power != nil {
		value = node(opPow, value, power)
	}
	return value, nil
}

func (p *parser) functionArgument() (*expr, error) {
	t := p.peek()
	if p.at >= len(p.tokens) {
		return nil, p.unexpected()
	}
	if t.is("(") || t.is("[") || t.is("{") || t.is("|") {
		return p.primary()
	}
	if t.kind == functionToken {
		p.at++
		return p.function(t.text)
	}
	negative := p.accept("-")
	arg, err := p.factor()
	if err != nil {
		return nil, err
	}
	for p.at < len(p.tokens) && p.tokens[p.at].kind == letterToken && t.kind != commandToken {
		next, err := p.factor()
		if err != nil {
			return nil, err
		}
		arg = times(arg, next)
	}
	if negative {
		arg = neg(arg)
	}
	return arg, nil
}
