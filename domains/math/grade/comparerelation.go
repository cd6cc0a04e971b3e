package grade

import (
	"errors"
	"math/big"
)

// condition says that f stands in a relation to zero: =, ≠, < or ≤.
type condition struct {
	f  *expr
	op string
}

// compareRelations compares readings of which one is a relation at least. A relation and what is none are never equal, but it stays open
// where a set of numbers may be the solution, and where a gold value is one side of a predicted equation.
func (c *comparer) compareRelations(gold, prediction reading) (finding, bool) {
	g, goldRelation := gold.(relation)
	p, predictionRelation := prediction.(relation)
	switch {
	case goldRelation && predictionRelation:
		return c.compareStatements(g, p), true
	case goldRelation:
		return c.compareSolution(g, "", prediction), true
	case predictionRelation && c.besides(p, gold):
		return finding{Undecided, "an equation with the gold on one side"}, true
	case predictionRelation:
		return c.compareSolution(p, "", gold), true
	}
	return finding{}, false
}

// besides tells whether a value other than zero is the constant side of an equation, as 17 is in m+n = 17.
func (c *comparer) besides(rel relation, value reading) bool {
	q, ok := value.(quantity)
	last := rel.sides[len(rel.sides)-1]
	return ok && q.unit == "" && !q.percent && rel.ops[len(rel.ops)-1] == "=" && last.constant() &&
		c.same(last, zero()) == Different && c.same(last, q.x) == Equal
}

// compareStatements compares equations and inequalities up to factors: two conditions on zero are one where one side is a multiple of
// the other by a constant, positive where order matters.
func (c *comparer) compareStatements(gold, prediction reading) finding {
	g, ok := c.conditions(gold)
	p, ok2 := c.conditions(prediction)
	if !ok || !ok2 {
		return c.compareForms(gold, prediction)
	}
	if len(g) != len(p) || len(g) > maxUnmatched {
		return finding{Different, "other statements"}
	}
	v := c.match(len(g), func(i, j int) Verdict { return c.sameCondition(g[i], p[j]) })
	return found(v, "the same statement up to a factor", "another statement")
}

// compareForms compares statements that are not both made of conditions on zero.
func (c *comparer) compareForms(gold, prediction reading) finding {
	for _, pair := range [][2]reading{{gold, prediction}, {prediction, gold}} {
		rel, ok := pair[0].(relation)
		named, ok2 := pair[1].(labelled)
		if ok && ok2 {
			return c.compareSolution(rel, named.name, named.of)
		}
	}
	return finding{Different, "another statement"}
}

// conditions takes a statement apart.
func (c *comparer) conditions(value reading) ([]condition, bool) {
	switch v := value.(type) {
	case relation:
		var all []condition
		for i, op := range v.ops {
			f := sub(v.sides[i], v.sides[i+1])
			switch op {
			case ">":
				f, op = neg(f), "<"
			case "≥":
				f, op = neg(f), "≤"
			}
			if f.hasInfinity() {
				return nil, false
			}
			all = append(all, condition{f, op})
		}
		return all, true
	case labelled:
		switch of := v.of.(type) {
		case quantity:
			if of.unit != "" || of.percent || of.x.hasInfinity() {
				return nil, false
			}
			return []condition{{sub(symbol(v.name), of.x), "="}}, true
		case region:
			return c.regionConditions(v.name, of)
		}
	}
	return nil, false
}

// regionConditions writes one interval as the conditions at its finite ends.
func (c *comparer) regionConditions(name string, r region) ([]condition, bool) {
	if len(r.parts) != 1 {
		return nil, false
	}
	op := map[bool]string{false: "<", true: "≤"}
	part := r.parts[0]
	var all []condition
	if part.low.infinite() == 0 {
		all = append(all, condition{sub(part.low, symbol(name)), op[part.lowClosed]})
	}
	if part.high.infinite() == 0 {
		all = append(all, condition{sub(symbol(name), part.high), op[part.highClosed]})
	}
	return all, true
}

// sameCondition compares f·g(a) with g·f(a) for a point a at which neither is zero: f is a multiple of g exactly where these are equal.
func (c *comparer) sameCondition(f, g condition) Verdict {
	if f.op != g.op {
		return Different
	}
	names := map[string]bool{}
	f.f.variables(names)
	g.f.variables(names)
	for try := range int64(4) {
		a, b, err := c.valuesAt(f.f, g.f, names, try)
		if err != nil {
			continue
		}
		v := c.same(node(opMul, f.f, b), node(opMul, g.f, a))
		if v != Equal || f.op == "=" || f.op == "≠" {
			return v
		}
		sa, err := c.sign(a)
		sb, err2 := c.sign(b)
		if errors.Join(err, err2) != nil {
			return Undecided
		}
		return verdict(sa == sb)
	}
	return c.same(f.f, g.f)
}

// valuesAt substitutes fixed numbers for variables in f and g, and reports where either becomes zero or cannot be told from it.
func (c *comparer) valuesAt(f, g *expr, names map[string]bool, try int64) (a, b *expr, err error) {
	for i, name := range ordered(names) {
		value := number(big.NewRat(13+10*int64(i)+7*try, 11+3*int64(i)))
		f, g = f.at(name, value), g.at(name, value)
	}
	if c.same(f, zero()) != Different || c.same(g, zero()) != Different {
		return nil, nil, errUndefined
	}
	return f, g, nil
}
