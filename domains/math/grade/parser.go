package grade

import (
	"fmt"
	"math/big"
)

// parser reads expressions by recursive descent. What it cannot read it says, at the token that stopped it.
type parser struct {
	tokens []token
	at     int
	deep   int
	bars   int // absolute values that are open
}

// parseExpr reads tokens that are one expression and nothing else.
func parseExpr(tokens []token) (*expr, error) {
	p := &parser{tokens: append([]token(nil), tokens...)}
	e, err := p.sum()
	if err == nil {
		e, err = p.infix(e)
	}
	if err != nil {
		return nil, err
	}
	if p.at < len(p.tokens) {
		return nil, p.unexpected()
	}
	return e, nil
}

func (p *parser) unexpected() error {
	if p.at >= len(p.tokens) {
		return fmt.Errorf("an expression ends too early")
	}
	return fmt.Errorf("unexpected %q", p.tokens[p.at].text)
}

func (p *parser) peek() token {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return token{kind: markToken}
}

func (p *parser) accept(mark string) bool {
	if p.peek().is(mark) && p.at < len(p.tokens) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(mark string) error {
	if !p.accept(mark) {
		return fmt.Errorf("%q is missing: %w", mark, p.unexpected())
	}
	return nil
}

// enter counts nesting; every enter needs a leave.
func (p *parser) enter() error {
	if p.deep++; p.deep > maxNesting {
		return fmt.Errorf("nested more than %d deep", maxNesting)
	}
	return nil
}

func (p *parser) leave() { p.deep-- }

// sum reads terms joined by +, -, ± and ∓.
func (p *parser) sum() (*expr, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	var terms []*expr
	for {
		sign, signed := p.signs()
		if len(terms) > 0 && !signed {
			break
		}
		term, err := p.product()
		if err != nil {
			return nil, err
		}
		terms = append(terms, sign(term))
	}
	if len(terms) == 1 {
		return terms[0], nil
	}
	return node(opAdd, terms...), nil
}

// signs reads a run of signs and returns what it does to the term after it.
func (p *parser) signs() (func(*expr) *expr, bool) {
	negative, any := false, false
	both := ""
	for {
		switch t := p.peek(); {
		case t.is("+"):
		case t.is("-"):
			negative = !negative
		case (t.is("±") || t.is("∓")) && both == "":
			both = t.text
		default:
			return func(x *expr) *expr {
				if negative {
					if x.op == opNumber && x.lit == nil {
						x = number(new(big.Rat).Neg(x.num))
					} else {
						x = neg(x)
					}
				}
				if both != "" {
					x = &expr{op: opSign, name: both, args: []*expr{x}}
				}
				return x
			}, any
		}
		any = true
		p.at++
	}
}

// product reads factors joined by multiplication and division signs, or by nothing.
func (p *parser) product() (*expr, error) {
	left, err := p.factor()
	if err != nil {
		return nil, err
	}
	for {
		switch {
		case p.accept("*"):
			right, err := p.signedFactor()
			if err != nil {
				return nil, err
			}
			left = times(left, right)
		case p.accept("/"):
			right, err := p.signedFactor()
			if err != nil {
				return nil, err
			}
			left = node(opDiv, left, right)
		case p.startsFactor():
			if p.tokens[p.at].kind == numberToken && p.tokens[p.at-1].kind == numberToken {
				return nil, fmt.Errorf("two numbers stand side by side: %s %s", p.tokens[p.at-1].text, p.tokens[p.at].text)
			}
			right, err := p.factor()
			if err != nil {
				return nil, err
			}
			left = times(left, right)
		default:
			return left, nil
		}
	}
}

// times joins factors into one product, which keeps long products shallow.
func times(a, b *expr) *expr {
	if a.op == opMul && len(a.args) > 1 && a.args[0].op != opNumber {
		return node(opMul, append(append([]*expr(nil), a.args...), b)...)
	}
	return node(opMul, a, b)
}

// signedFactor reads a factor after an operator, where a sign may stand.
func (p *parser) signedFactor() (*expr, error) {
	negative := false
	for p.peek().is("-") || p.peek().is("+") {
		negative = negative != p.peek().is("-")
		p.at++
	}
	x, err := p.factor()
	if err == nil && negative {
		x = neg(x)
	}
	return x, err
}

// startsFactor tells whether the next token can begin a factor that is multiplied without a sign.
func (p *parser) startsFactor() bool {
	if p.at >= len(p.tokens) {
		return false
	}
	t := p.tokens[p.at]
	switch t.kind {
	case numberToken, letterToken, functionToken:
		return true
	case commandToken:
		return t.text == "frac" || t.text == "sqrt" || t.text == "binom"
	case markToken:
		switch t.text {
		case "(", "[", "{", "⌊", "⌈", "∞":
			return true
		case "|":
			return p.bars == 0
		}
	}
	return false
}

// factor reads a mixed number, or a primary with what follows it: powers, factorials, degrees.
func (p *parser) factor() (*expr, error) {
	if mixed, err := p.mixed(); mixed != nil || err != nil {
		return mixed, err
	}
	base, err := p.primary()
	if err != nil {
		return nil, err
	}
	return p.postfix(base)
}

func (p *parser) postfix(base *expr) (*expr, error) {
	for {
		switch {
		case p.peek().is("^") && p.degreeFollows():
			base = node(opDegree, base)
		case p.accept("°"):
			base = node(opDegree, base)
		case p.accept("^"):
			power, err := p.exponent()
			if err != nil {
				return nil, err
			}
			base = node(opPow, base, power)
		case p.accept("!"):
			name := "!"
			if p.accept("!") {
				name = "!!"
			}
			base = call(name, base)
		case p.accept("%"):
			base = node(opDiv, base, integer(100))
		default:
			return base, nil
		}
	}
}

// degreeFollows takes ^\circ and ^{\circ}.
func (p *parser) degreeFollows() bool {
	rest := p.tokens[p.at+1:]
	switch {
	case len(rest) > 0 && rest[0].is("°"):
		p.at += 2
	case len(rest) > 2 && rest[0].is("{") && rest[1].is("°") && rest[2].is("}"):
		p.at += 4
	default:
		return false
	}
	return true
}

// exponent reads what stands after ^. Digits are one number, as in plain text.
func (p *parser) exponent() (*expr, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	negative := false
	for p.peek().is("-") || p.peek().is("+") {
		negative = negative != p.peek().is("-")
		p.at++
	}
	x, err := p.primary()
	if err != nil {
		return nil, err
	}
	for {
		if p.accept("!") {
			x = call("!", x)
			continue
		}
		if p.peek().is("^") && !p.degreeFollows() {
			p.at++
			power, err := p.exponent()
			if err != nil {
				return nil, err
			}
			x = node(opPow, x, power)
		}
		break
	}
	if negative {
		x = neg(x)
	}
	return x, nil
}
