package math

import "strings"

// polynomial is a·x² + b·x + c·y + d, with its terms collected.
type polynomial struct{ xx, x, y, constant int64 }

func (p polynomial) minus(q polynomial) polynomial {
	return polynomial{p.xx - q.xx, p.x - q.x, p.y - q.y, p.constant - q.constant}
}

// within tells whether every coefficient has magnitude limit at most.
func (p polynomial) within(limit int64) bool {
	return max(magnitude(p.xx), magnitude(p.x), magnitude(p.y), magnitude(p.constant)) <= limit
}

// side is one side of an equation as it is written.
type side struct {
	polynomial
	hasX, hasY, hasGap bool
}

// readSide reads terms such as 3x, y, 2x^2, 5 or ?, joined by + and -.
func readSide(s string) (side, *fault) {
	r := scanner{text: s, maxDigits: MaxDigits}
	var sd side
	sign := int64(1)
	if r.accept('-') {
		sign = -1
	}
	for {
		if f := r.term(&sd, sign); f != nil {
			return side{}, f
		}
		switch {
		case r.accept('+'):
			sign = 1
		case r.accept('-'):
			sign = -1
		case r.at == len(s):
			return sd, nil
		default:
			return side{}, r.expected(`"+", "-" or the end`)
		}
	}
}

func (r *scanner) term(sd *side, sign int64) *fault {
	if r.accept('?') {
		sd.hasGap = true
		return nil
	}
	coefficient, bare := sign, !isDigit(r.peek())
	if !bare {
		v, f := r.number()
		if f != nil {
			return f
		}
		coefficient = sign * v
	}
	switch {
	case r.accept('x'):
		sd.hasX = true
		if strings.HasPrefix(r.text[r.at:], "^2") {
			r.at += len("^2")
			sd.xx += coefficient
		} else {
			sd.x += coefficient
		}
	case r.accept('y'):
		sd.hasY = true
		sd.y += coefficient
	case bare:
		return r.expected("a number, x or y")
	default:
		sd.constant += coefficient
	}
	return nil
}
