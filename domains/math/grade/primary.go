package grade

import (
	"fmt"
	"math/big"
	"strings"
)

// primary reads a number, a name, a bracket, or a command with its arguments.
func (p *parser) primary() (*expr, error) {
	if p.at >= len(p.tokens) {
		return nil, p.unexpected()
	}
	t := p.tokens[p.at]
	switch t.kind {
	case numberToken:
		p.at++
		if p.peek().is("_") && p.at < len(p.tokens) {
			return nil, fmt.Errorf("the number %s has a base inside an expression", t.text)
		}
		return &expr{op: opNumber, num: t.num.value, lit: t.num}, nil
	case letterToken:
		p.at++
		return p.name(t.text)
	case functionToken:
		p.at++
		return p.function(t.text)
	case commandToken:
		return p.structure(t.text)
	case markToken:
		return p.bracket(t.text)
	}
	return nil, p.unexpected()
}

// name reads a constant or a variable with its subscript and primes.
func (p *parser) name(letter string) (*expr, error) {
	full := letter
	if p.accept("_") {
		subscript, err := p.subscript()
		if err != nil {
			return nil, err
		}
		full += "_" + subscript
	}
	for p.accept("'") {
		full += "'"
	}
	if full == "e" || full == "i" || full == "pi" {
		return constant(full), nil
	}
	return symbol(full), nil
}

func (p *parser) subscript() (string, error) {
	if p.accept("{") {
		var b strings.Builder
		for !p.peek().is("}") {
			if p.at >= len(p.tokens) {
				return "", p.unexpected()
			}
			b.WriteString(p.tokens[p.at].text)
			p.at++
		}
		p.at++
		return b.String(), nil
	}
	t := p.peek()
	if p.at >= len(p.tokens) || t.kind == markToken || t.kind == commandToken {
		return "", p.unexpected()
	}
	p.at++
	return t.text, nil
}

// bracket reads what brackets, braces, bars and rounding signs enclose.
func (p *parser) bracket(open string) (*expr, error) {
	switch open {
	case "∞":
		p.at++
		return constant("∞"), nil
	case "(":
		return p.enclosed(")")
	case "[":
		return p.enclosed("]")
	case "{":
		return p.enclosed("}")
	case "|":
		p.bars++
		x, err := p.enclosed("|")
		p.bars--
		return wrap("abs", x, err)
	case "⌊":
		x, err := p.enclosed("⌋")
		return wrap("floor", x, err)
	case "⌈":
		x, err := p.enclosed("⌉")
		return wrap("ceil", x, err)
	}
	return nil, p.unexpected()
}

func wrap(f string, x *expr, err error) (*expr, error) {
	if err != nil {
		return nil, err
	}
	return call(f, x), nil
}

func (p *parser) enclosed(closer string) (*expr, error) {
	p.at++
	bars := p.bars
	if closer != "|" {
		p.bars = 0
	}
	x, err := p.sum()
	if err == nil && closer == "}" {
		x, err = p.infix(x)
	}
	p.bars = bars
	if err != nil {
		return nil, err
	}
	if err := p.expect(closer); err != nil {
		return nil, err
	}
	return x, nil
}

// infix reads \choose and \over, which take all of a group before and after them.
func (p *parser) infix(left *expr) (*expr, error) {
	t := p.peek()
	ops := map[string]op{"choose": opChoose, "over": opDiv}
	o, ok := ops[t.text]
	if t.kind != commandToken || !ok {
		return left, nil
	}
	p.at++
	right, err := p.sum()
	if err != nil {
		return nil, err
	}
	return node(o, left, right), nil
}

// structure reads \frac, \binom, \sqrt and \boxed with their arguments.
func (p *parser) structure(name string) (*expr, error) {
	p.at++
	switch name {
	case "frac", "binom":
		above, err := p.argument()
		if err != nil {
			return nil, err
		}
		below, err := p.argument()
		if err != nil {
			return nil, err
		}
		if name == "frac" {
			return node(opDiv, above, below), nil
		}
		return node(opChoose, above, below), nil
	case "sqrt":
		degree := integer(2)
		if p.peek().is("[") {
			d, err := p.enclosed("]")
			if err != nil {
				return nil, err
			}
			degree = d
		}
		radicand, err := p.radicand()
		if err != nil {
			return nil, err
		}
		return node(opRoot, radicand, degree), nil
	case "boxed":
		return p.argument()
	}
	p.at--
	return nil, fmt.Errorf(`\%s is not understood`, name)
}

// radicand reads the argument of a root. A bare number is taken whole: \sqrt12 is meant as √12.
func (p *parser) radicand() (*expr, error) {
	if p.at < len(p.tokens) && p.tokens[p.at].kind == numberToken || p.peek().is("(") {
		return p.primary()
	}
	return p.argument()
}

// argument reads the argument of a command: a group, or one digit, letter or command, as TeX does.
func (p *parser) argument() (*expr, error) {
	if p.at >= len(p.tokens) {
		return nil, p.unexpected()
	}
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	t := p.tokens[p.at]
	if t.kind != numberToken {
		if t.kind == markToken && t.text != "{" || t.kind == functionToken {
			return nil, p.unexpected()
		}
		return p.primary()
	}
	if !t.num.integer() || len(t.text) > 2 {
		return nil, fmt.Errorf("%s is an ambiguous argument: put it in braces", t.text)
	}
	digit := int64(t.text[0] - '0')
	if len(t.text) == 1 {
		p.at++
	} else {
		rest := t
		rest.text = t.text[1:]
		rest.num, _, _ = scanNumeral(rest.text, false)
		p.tokens[p.at] = rest
	}
	return integer(digit), nil
}

// mixed reads a mixed number such as 2\frac12 or 2 1/2: a whole number and a proper fraction of digits after it.
func (p *parser) mixed() (*expr, error) {
	rest := p.tokens[p.at:]
	if len(rest) < 3 || rest[0].kind != numberToken || !rest[0].num.integer() {
		return nil, nil
	}
	var fraction *expr
	var end int
	switch {
	case rest[1].kind == commandToken && rest[1].text == "frac":
		q := &parser{tokens: append([]token(nil), p.tokens...), at: p.at + 2, deep: p.deep}
		above, err := q.argument()
		if err != nil {
			return nil, nil
		}
		below, err := q.argument()
		if err != nil || above.op != opNumber || below.op != opNumber {
			return nil, nil
		}
		fraction, end = node(opDiv, above, below), q.at
		p.tokens = q.tokens
	case len(rest) > 3 && rest[1].kind == numberToken && rest[1].space && rest[2].is("/") && rest[3].kind == numberToken:
		fraction, end = node(opDiv, number(rest[1].num.value), number(rest[3].num.value)), p.at+4
	default:
		return nil, nil
	}
	above, below := fraction.args[0].num, fraction.args[1].num
	if !above.IsInt() || !below.IsInt() || above.Sign() <= 0 || above.Cmp(below) >= 0 {
		return nil, fmt.Errorf("%s followed by %s/%s is neither a mixed number nor a clear product", rest[0].text, above.RatString(), below.RatString())
	}
	p.at = end
	value := new(big.Rat).Quo(above, below)
	return p.postfix(number(value.Add(value, rest[0].num.value)))
}
