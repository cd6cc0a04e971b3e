package grade

import (
	"fmt"
	"strings"
)

// currencies are the marks of money that stand before or after an amount.
var currencies = map[string]string{"$": "$", "€": "€", "£": "£", "¢": "cent"}

// percentWords mean percent after a number.
var percentWords = map[string]bool{"percent": true, "percentage": true, "pct": true}

// amount reads an expression with what may surround it: a currency, a percent sign, a unit, an ordinal's ending. An expression with ± is
// the list of its two values.
func (r *reader) amount(tokens []token) (reading, error) {
	q := quantity{}
	tokens, q.unit = takeCurrency(tokens)
	tokens, unit, err := takeUnit(tokens)
	if err != nil {
		return nil, err
	}
	if unit != "" {
		if q.unit != "" && q.unit != unit {
			return nil, fmt.Errorf("two units, %s and %s", q.unit, unit)
		}
		q.unit = unit
	}
	if q.unit == "%" {
		q.percent, q.unit = true, ""
	}
	if q.x, err = parseExpr(tokens); err != nil {
		return nil, err
	}
	if q.x.op == opDegree && q.unit == "" {
		q.x, q.unit = q.x.args[0], "°"
	} else if inner := negated(q.x); inner != nil && inner.op == opDegree && q.unit == "" {
		q.x, q.unit = neg(inner.args[0]), "°"
	}
	if q.unit == "" {
		q = q.softened(tokens)
	}
	if err := r.defined(plainSigns(q.x, 1)); err != nil {
		return nil, err
	}
	return q.bothSigns(), nil
}

// negated returns x of an expression -x.
func negated(e *expr) *expr {
	if e.op == opMul && len(e.args) == 2 && e.args[0].op == opNumber && e.args[0].lit == nil && e.args[0].num.RatString() == "-1" {
		return e.args[1]
	}
	return nil
}

// plainSigns replaces ± by the sign given and ∓ by the other.
func plainSigns(e *expr, sign int64) *expr {
	return e.replace(func(x *expr) *expr {
		if x.op != opSign {
			return nil
		}
		inner := plainSigns(x.args[0], sign)
		if (sign > 0) == (x.name == "±") {
			return inner
		}
		return neg(inner)
	})
}

// bothSigns is a quantity, or the list of its values where ± occurs in it.
func (q quantity) bothSigns() reading {
	if !q.x.any(func(x *expr) bool { return x.op == opSign }) {
		return q
	}
	upper, lower := q, q
	upper.x, lower.x = plainSigns(q.x, 1), plainSigns(q.x, -1)
	return collection{items: []reading{upper, lower}}
}

// takeCurrency removes a currency before or after an amount.
func takeCurrency(tokens []token) ([]token, string) {
	if len(tokens) < 2 {
		return tokens, ""
	}
	for _, at := range []int{0, 1, len(tokens) - 1} {
		t := tokens[at]
		if at == 1 && !tokens[0].is("-") && !tokens[0].is("+") && !tokens[0].is("±") {
			continue
		}
		if t.kind == markToken && currencies[t.text] != "" {
			rest := append(append([]token(nil), tokens[:at]...), tokens[at+1:]...)
			return rest, currencies[t.text]
		}
	}
	return tokens, ""
}

// takeUnit removes a unit, a percent sign or an ordinal's ending after an amount, and returns the unit's canonical name, % for percent.
func takeUnit(tokens []token) ([]token, string, error) {
	if n := len(tokens); n > 1 && tokens[n-1].is("%") {
		return tokens[:n-1], "%", nil
	}
	if rest, ok := takeOrdinal(tokens); ok {
		return rest, "", nil
	}
	if rest, scale, ok := takeTemperature(tokens); ok {
		return rest, "°" + scale, nil
	}
	depth := depths(tokens)
	for i, t := range tokens {
		if t.kind != wordToken || depth[i] != 0 {
			continue
		}
		if i == 0 {
			return nil, "", fmt.Errorf("the word %q does not belong to an expression", t.text)
		}
		if words := spell(tokens[i:]); percentWords[strings.ToLower(words)] || strings.EqualFold(words, "percent") {
			return tokens[:i], "%", nil
		}
		unit, err := readUnit(tokens[i:])
		return tokens[:i], unit, err
	}
	return tokens, "", nil
}

// takeOrdinal removes the ending of 1st, 2nd, 3rd and 12^{\text{th}}.
func takeOrdinal(tokens []token) ([]token, bool) {
	ending := func(t token) bool {
		return t.kind == wordToken && (t.isWord("st") || t.isWord("nd") || t.isWord("rd") || t.isWord("th"))
	}
	n := len(tokens)
	switch {
	case n > 1 && ending(tokens[n-1]) && tokens[n-2].is("^"):
		return tokens[:n-2], n > 2
	case n > 1 && ending(tokens[n-1]):
		return tokens[:n-1], true
	case n > 4 && tokens[n-1].is("}") && ending(tokens[n-2]) && tokens[n-3].is("{") && tokens[n-4].is("^"):
		return tokens[:n-4], true
	}
	return nil, false
}

// takeTemperature removes ^\circ C and the like.
func takeTemperature(tokens []token) (rest []token, scale string, ok bool) {
	n := len(tokens)
	if n < 3 || tokens[n-1].text != "C" && tokens[n-1].text != "F" {
		return nil, "", false
	}
	scale = tokens[n-1].text
	rest = tokens[:n-1]
	switch {
	case rest[n-2].is("°") && rest[n-3].is("^"):
		return rest[:n-3], scale, n > 3
	case rest[n-2].is("°"):
		return rest[:n-2], scale, true
	case n > 5 && rest[n-2].is("}") && rest[n-3].is("°") && rest[n-4].is("{") && rest[n-5].is("^"):
		return rest[:n-5], scale, true
	}
	return nil, "", false
}

// softened notes that the letters at the end of an amount such as 10 m or 5 m/s could be a unit as well as variables. A blank has to
// stand between them and the number.
func (q quantity) softened(tokens []token) quantity {
	for i, t := range tokens {
		if t.kind != letterToken {
			continue
		}
		if i == 0 || !t.space || tokens[i-1].kind != numberToken && !tokens[i-1].is("}") {
			return q
		}
		for _, u := range tokens[i:] {
			unit := u.kind == letterToken && unitNames[u.text] != "" && len(u.text) == 1
			if !unit && u.kind != numberToken && !u.is("/") && !u.is("^") && !u.is("{") && !u.is("}") {
				return q
			}
		}
		unit, err := readUnit(tokens[i:])
		if err != nil {
			return q
		}
		if x, err := parseExpr(tokens[:i]); err == nil {
			q.soft, q.softX = unit, x
		}
		return q
	}
	return q
}
