package grade

import (
	"math/big"
	"strings"
)

// compareQuantities compares expressions with their units. A prediction may leave the gold's unit out; one that brings a unit of its own
// leaves open whether that is meant.
func (c *comparer) compareQuantities(g, p quantity) finding {
	f := c.compareValues(g, p)
	if f.verdict == Equal || g.soft == "" && p.soft == "" {
		return f
	}
	hardG, hardP := g.hardened(), p.hardened()
	if alt := c.compareValues(hardG, hardP); alt.verdict != Different {
		if hardG.unit == hardP.unit {
			return alt
		}
		return finding{Undecided, "the letter after the number may be a unit or a variable"}
	}
	return f
}

// hardened reads the letters at the end of a quantity as a unit.
func (q quantity) hardened() quantity {
	if q.soft == "" {
		return q
	}
	return quantity{x: q.softX, unit: q.soft}
}

// genericUnits say no more than that a number counts or measures something.
var genericUnits = map[string]bool{"unit": true, "unit^2": true, "unit^3": true}

func (c *comparer) compareValues(g, p quantity) finding {
	value := c.compareNumbers(g, p)
	switch {
	case g.percent && p.unit != "":
		return finding{Different, "the unit is " + p.unit + " instead of percent"}
	case g.unit == p.unit, p.unit == "", g.unit == "" && genericUnits[p.unit]:
		return value
	case g.unit == "" && value.verdict != Different:
		return finding{Undecided, "the prediction has a unit, " + p.unit + ", that the gold does not have"}
	case g.unit == "":
		return value
	}
	return finding{Different, "the unit is " + p.unit + " instead of " + g.unit}
}

// compareNumbers compares values, and percentages on the scales that they allow: 28% is 0.28, and where the gold has the sign, 28.
func (c *comparer) compareNumbers(g, p quantity) finding {
	hundred := integer(100)
	switch {
	case g.percent && !p.percent:
		if f := c.compareExprs(g.x, p.x); f.verdict != Different {
			return f
		}
		return c.compareExprs(node(opDiv, g.x, hundred), p.x)
	case p.percent && !g.percent:
		return c.compareExprs(node(opMul, g.x, hundred), p.x)
	}
	return c.compareExprs(g.x, p.x)
}

func (c *comparer) compareExprs(gold, prediction *expr) finding {
	if gold.op == opSymbol && prediction.op == opSymbol && gold.name != prediction.name && strings.EqualFold(gold.name, prediction.name) {
		return finding{Undecided, "names that differ in case alone"}
	}
	v := c.same(gold, prediction)
	if v == Undecided && c.computable(gold) && !c.computable(prediction) {
		c.beyond = true
		return finding{Different, "prediction: " + errLimit.Error()}
	}
	if v == Different && c.asRounded(gold, prediction) {
		return finding{Equal, "the gold's value, correctly rounded"}
	}
	if v == Equal && jumbled(gold, prediction) {
		return finding{Undecided, "the same letters in another order"}
	}
	return found(v, "the same value", "another value")
}

// jumbled tells whether two products of letters are the same letters in another order, and so perhaps words or sequences: TTF and TFT.
// Products of different small letters are products.
func jumbled(a, b *expr) bool {
	la, lb := lettersOf(a), lettersOf(b)
	if len(la) < 2 || la == lb || lb == "" {
		return false
	}
	repeated := false
	for i, r := range la {
		repeated = repeated || strings.ContainsRune(la[i+1:], r)
	}
	return repeated || la != strings.ToLower(la)
}

// lettersOf returns the letters of a product of nothing but letters, in order.
func lettersOf(e *expr) string {
	switch e.op {
	case opSymbol, opConstant:
		if len(e.name) == 1 {
			return e.name
		}
	case opMul:
		var b strings.Builder
		for _, a := range e.args {
			l := lettersOf(a)
			if l == "" {
				return ""
			}
			b.WriteString(l)
		}
		return b.String()
	}
	return ""
}

// compareRatios compares ratios up to a factor, and times of day part by part.
func (c *comparer) compareRatios(g, p ratio) finding {
	other := finding{Different, "another ratio or time"}
	if len(g.parts) != len(p.parts) || g.suffix != "" && p.suffix != "" && g.suffix != p.suffix {
		return other
	}
	v := Equal
	for i := range g.parts {
		v = weaker(v, c.same(g.parts[i], p.parts[i]))
	}
	switch {
	case v == Equal && g.suffix == "" && p.suffix != "":
		return finding{Undecided, "morning or afternoon is said by the prediction alone"}
	case v == Equal:
		return finding{Equal, "the same ratio or time"}
	case g.suffix != "" || p.suffix != "" || g.clock() && p.clock() || c.hasZero(g) || c.hasZero(p):
		return other
	}
	v = Equal
	for i := range g.parts {
		v = weaker(v, c.same(node(opMul, g.parts[0], p.parts[i]), node(opMul, p.parts[0], g.parts[i])))
	}
	if v == Equal && (g.clock() || p.clock()) {
		return finding{Undecided, "the same ratio, unless it is a time"}
	}
	return found(v, "the same ratio", other.reason)
}

func (c *comparer) hasZero(q ratio) bool {
	for _, part := range q.parts {
		if x, ok := c.rational(part); ok && x.Sign() == 0 {
			return true
		}
	}
	return false
}

// weaker combines verdicts of parts into that of the whole.
func weaker(a, b Verdict) Verdict {
	switch {
	case a == Different || b == Different:
		return Different
	case a == Undecided || b == Undecided:
		return Undecided
	}
	return Equal
}

// compareMatrices compares element by element.
func (c *comparer) compareMatrices(g, p matrix) finding {
	if len(g.rows) != len(p.rows) || len(g.rows[0]) != len(p.rows[0]) || g.determinant != p.determinant {
		return finding{Different, "a matrix of another shape"}
	}
	v := Equal
	for i, row := range g.rows {
		for j := range row {
			if v = weaker(v, c.compareExprs(row[j], p.rows[i][j]).verdict); v == Different {
				return finding{v, "another element of the matrix"}
			}
		}
	}
	return found(v, "the same elements", "")
}

// asMatrix reads a tuple of tuples of one length as a matrix.
func asMatrix(value reading) (matrix, bool) {
	switch v := value.(type) {
	case matrix:
		return v, true
	case tuple:
		m := matrix{}
		for _, item := range v.items {
			row, ok := item.(tuple)
			if !ok {
				return m, false
			}
			var elements []*expr
			for _, x := range row.items {
				q, ok := x.(quantity)
				if !ok || q.unit != "" || q.percent {
					return m, false
				}
				elements = append(elements, q.x)
			}
			if len(m.rows) > 0 && len(elements) != len(m.rows[0]) {
				return m, false
			}
			m.rows = append(m.rows, elements)
		}
		return m, len(m.rows) > 0
	}
	return matrix{}, false
}

// zero is the number 0.
func zero() *expr { return number(new(big.Rat)) }
