package grade

import "math/big"

// compareSolution compares a relation with what may be its solution: a set of numbers, or values, of the variable name or of the relation's
// only one. It never finds them equal. It finds them different where the relation is not about one variable, or where some number is
// in one and not in the other.
func (c *comparer) compareSolution(rel relation, name string, solution reading) finding {
	names := map[string]bool{}
	for _, side := range rel.sides {
		side.variables(names)
		if side.hasInfinity() {
			return finding{Different, "another statement"}
		}
	}
	if name == "" && len(names) == 1 {
		for n := range names {
			name = n
		}
	}
	if len(names) != 1 || !names[name] {
		return finding{Different, "a relation between other variables"}
	}
	switch s := solution.(type) {
	case collection:
		for _, item := range s.items {
			q, ok := item.(quantity)
			if !ok || q.unit != "" || q.percent || !q.x.constant() || c.holds(rel, name, q.x) == Different {
				return finding{Different, "values that do not satisfy the relation"}
			}
		}
		return finding{Undecided, "values that satisfy the relation, but may not be all"}
	case region:
		return c.compareToSolution(rel, name, s)
	case tuple:
		if s, ok := s.asInterval(); ok {
			return c.compareToSolution(rel, name, s)
		}
	}
	return finding{Different, "the one is a relation, the other " + solution.kind()}
}

// compareToSolution looks for a number that a relation holds for and that a region does not contain, or the other way round.
func (c *comparer) compareToSolution(rel relation, name string, r region) finding {
	for twice := int64(-20); twice <= 20; twice++ {
		x := number(big.NewRat(twice, 2))
		holds, inside := c.holds(rel, name, x), c.inside(r, x)
		if holds != Undecided && inside != Undecided && holds != inside {
			return finding{Different, "another set of numbers"}
		}
	}
	return finding{Undecided, "a relation that is not solved here"}
}

// holds tells whether a relation holds where its variable has a value.
func (c *comparer) holds(rel relation, name string, x *expr) Verdict {
	v := Equal
	for i, op := range rel.ops {
		left, right := rel.sides[i].at(name, x), rel.sides[i+1].at(name, x)
		o, err := c.order(left, right)
		if err != nil {
			return Undecided
		}
		v = weaker(v, verdict(map[string]bool{"=": o == 0, "≠": o != 0, "<": o < 0, "≤": o <= 0, ">": o > 0, "≥": o >= 0}[op]))
	}
	return v
}

// inside tells whether a number lies in a region.
func (c *comparer) inside(r region, x *expr) Verdict {
	v := Different
	for _, part := range r.parts {
		low, err := c.order(part.low, x)
		high, err2 := c.order(x, part.high)
		if err != nil || err2 != nil {
			return Undecided
		}
		if (low < 0 || low == 0 && part.lowClosed) && (high < 0 || high == 0 && part.highClosed) {
			v = Equal
		}
	}
	return v
}
