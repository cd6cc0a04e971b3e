package grade

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

var relationMarks = map[string]string{"=": "=", "<": ">", ">": "<", "≤": "≥", "≥": "≤", "≠": "≠", "≈": "≈", "∈": ""}

// relates tells whether a token stands between the sides of a relation.
func relates(t token) bool {
	_, ok := relationMarks[t.text]
	return ok && t.kind == markToken
}

// statement reads relations: named values, memberships, equations, inequalities.
func (r *reader) statement(parts [][]token, ops []token) (reading, error) {
	if len(parts[0]) == 0 && len(ops) == 1 && (ops[0].is("=") || ops[0].is("≈")) {
		return r.item(parts[1])
	}
	if len(ops) == 1 && ops[0].is("∈") {
		return r.membership(parts)
	}
	marks := make([]string, len(ops))
	for i, op := range ops {
		if marks[i] = op.text; marks[i] == "∈" {
			return nil, errors.New("∈ inside a chain of relations")
		}
	}
	if len(ops) == 1 && marks[0] == "=" {
		if value, err := r.equation(parts); value != nil || err != nil {
			return value, err
		}
	}
	rel := relation{ops: marks}
	for i, part := range parts {
		side, err := r.side(part, i == len(parts)-1)
		if err != nil {
			return nil, err
		}
		rel.sides = append(rel.sides, side)
	}
	return r.reduce(rel)
}

// side reads one side of a relation. A unit may follow the last one.
func (r *reader) side(tokens []token, last bool) (*expr, error) {
	value, err := r.amount(tokens)
	if err != nil {
		return nil, err
	}
	q, ok := value.(quantity)
	if !ok {
		return nil, fmt.Errorf("a side of a relation is %s", value.kind())
	}
	switch {
	case q.percent:
		return node(opDiv, q.x, integer(100)), nil
	case q.unit == "°":
		return node(opDegree, q.x), nil
	case q.unit != "" && !last:
		return nil, fmt.Errorf("the unit %s inside a relation", q.unit)
	}
	return q.x, nil
}

func (r *reader) membership(parts [][]token) (reading, error) {
	name, ok := labelOf(parts[0])
	if !ok {
		return nil, errors.New("only a variable can be an element of a set")
	}
	value, err := r.item(parts[1])
	if err != nil {
		return nil, err
	}
	if t, ok := value.(tuple); ok {
		interval, ok := t.asInterval()
		if !ok {
			return nil, errors.New("the set is neither an interval nor in braces")
		}
		value = interval
	}
	return labelled{name, value}, nil
}

// equation reads name = value, either way round; it returns nothing where neither side is a name, or the value depends on it.
func (r *reader) equation(parts [][]token) (reading, error) {
	for i, part := range parts {
		name, ok := labelOf(part)
		if !ok {
			continue
		}
		value, err := r.item(parts[1-i])
		if err != nil {
			return nil, err
		}
		switch v := value.(type) {
		case quantity:
			if v.x.mentions(name) || i == 1 && !v.x.constant() {
				continue
			}
		case prose, labelled, relation:
			continue
		}
		return labelled{name, value}, nil
	}
	return nil, nil
}

// labelOf reads what can be the name of a value: a variable, f(x), the names of a point's coordinates, capital letters as in AB, or a
// word.
func labelOf(tokens []token) (string, bool) {
	if len(tokens) == 0 {
		return "", false
	}
	if tokens[0].kind == letterToken {
		p := &parser{tokens: tokens, at: 1}
		if x, err := p.name(tokens[0].text); err == nil && x.op == opSymbol {
			if p.at == len(tokens) {
				return x.name, true
			}
			inverse := spell(tokens[p.at:])
			if rest, ok := strings.CutPrefix(inverse, "^{-1}"); ok && strings.HasPrefix(rest, "(") {
				return x.name + inverse, true
			}
			if inside, open, _, ok := enclosed(tokens[p.at:]); ok && open == "(" {
				return x.name + "(" + spell(inside) + ")", true
			}
		}
	}
	if inside, open, _, ok := enclosed(tokens); ok && open == "(" {
		parts, _ := splitOn(inside, func(t token) bool { return t.is(",") })
		for _, part := range parts {
			if len(part) != 1 || part[0].kind != letterToken {
				return "", false
			}
		}
		return "(" + spell(inside) + ")", true
	}
	capitals, words := true, true
	for _, t := range tokens {
		capitals = capitals && t.kind == letterToken && t.text == strings.ToUpper(t.text)
		words = words && t.kind == wordToken
	}
	return strings.ToLower(spell(tokens)), capitals || words
}

// spell joins the texts of tokens.
func spell(tokens []token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.text)
	}
	return b.String()
}

// reduce turns a relation into the simplest thing that it says: the value of a chain of equal constants, an approximation's exact side, or
// a set of numbers where it can be solved.
func (r *reader) reduce(rel relation) (reading, error) {
	if last := len(rel.sides) - 1; rel.ops[last-1] == "≈" {
		return r.approximation(rel)
	}
	if slices.Contains(rel.ops, "≈") {
		return nil, errors.New("≈ inside a chain of relations")
	}
	if value, ok := r.equalChain(rel); ok {
		return value, nil
	}
	if !slices.ContainsFunc(rel.sides, func(side *expr) bool { return !side.constant() }) && !slices.ContainsFunc(rel.ops, func(op string) bool { return op != "=" }) {
		return nil, errors.New("an equation between different numbers")
	}
	if value, ok := r.solve(rel); ok {
		return value, nil
	}
	return rel, nil
}

// approximation reads a ≈ b as a where b is a rounded to its digits.
func (r *reader) approximation(rel relation) (reading, error) {
	last := len(rel.sides) - 1
	exact, rounded := rel.sides[last-1], rel.sides[last]
	if exact.op == opSymbol {
		exact = rounded
	} else if n, sign := rounded.decimal(); n == nil || !exact.constant() || !r.rounds(exact, n, sign) {
		return nil, errors.New("the two sides of ≈ do not agree")
	}
	if last == 1 {
		return quantity{x: exact}, nil
	}
	rel.sides, rel.ops = append(slices.Clone(rel.sides[:last-1]), exact), rel.ops[:last-1]
	if len(rel.ops) == 1 && rel.ops[0] == "=" && rel.sides[0].op == opSymbol {
		return labelled{rel.sides[0].name, quantity{x: exact}}, nil
	}
	return r.reduce(rel)
}

// equalChain reads x = 2+3 = 5 and 1/2 = 0.5 as the value that all constant sides share.
func (r *reader) equalChain(rel relation) (reading, bool) {
	name, constants := "", rel.sides
	if rel.sides[0].op == opSymbol {
		name, constants = rel.sides[0].name, rel.sides[1:]
	}
	for i, side := range constants {
		if !side.constant() || i > 0 && r.same(constants[0], side) != Equal {
			return nil, false
		}
	}
	for _, op := range rel.ops {
		if op != "=" {
			return nil, false
		}
	}
	if name == "" {
		return quantity{x: constants[0]}, true
	}
	return labelled{name, quantity{x: constants[0]}}, true
}
