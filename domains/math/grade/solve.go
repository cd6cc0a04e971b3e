package grade

import "math/big"

// solve reads inequalities in one variable, each linear in it, as the set of numbers that satisfies them.
func (r *reader) solve(rel relation) (reading, bool) {
	names := map[string]bool{}
	for i, side := range rel.sides {
		side.variables(names)
		if side.hasInfinity() && side.infinite() == 0 {
			return nil, false
		}
		if i > 0 && rel.ops[i-1] == "=" {
			return nil, false
		}
	}
	if len(names) != 1 {
		return nil, false
	}
	var name string
	for n := range names {
		name = n
	}
	if value, ok := r.solveAbsolute(rel, name); ok {
		return value, true
	}
	common := realLine()
	for i, op := range rel.ops {
		part, ok := r.solveOne(rel.sides[i], op, rel.sides[i+1], name)
		if !ok {
			return nil, false
		}
		var err error
		if common, err = r.intersect(common, part); err != nil {
			return nil, false
		}
	}
	return labelled{name, common}, true
}

// solveOne solves one inequality that is linear in a variable.
func (r *reader) solveOne(left *expr, op string, right *expr, name string) (region, bool) {
	if left.infinite() != 0 || left.constant() && right.constant() {
		left, right, op = right, left, relationMarks[op]
	}
	bound, sign := right, 1
	if left.op != opSymbol || !right.constant() {
		if right.infinite() != 0 {
			if left.op != opSymbol {
				return region{}, false
			}
		} else {
			var ok bool
			if bound, sign, ok = r.root(sub(left, right), name); !ok {
				return region{}, false
			}
		}
	}
	if sign < 0 {
		op = relationMarks[op]
	}
	below := interval{low: neg(constant("∞")), high: bound, highClosed: op == "≤"}
	above := interval{low: bound, high: constant("∞"), lowClosed: op == "≥"}
	switch op {
	case "<", "≤":
		return region{[]interval{below}}, true
	case ">", "≥":
		return region{[]interval{above}}, true
	}
	return region{[]interval{below, above}}, op == "≠"
}

// root returns where a function that is linear in a variable is zero, and the sign of its slope.
func (r *reader) root(f *expr, name string) (*expr, int, bool) {
	n, err := r.normalOf(f)
	if err != nil {
		return nil, 0, false
	}
	linear := false
	for side, p := range []poly{n.num, n.den} {
		for m := range p {
			for _, g := range m.factors() {
				switch r.ring.gens[g.gen].kind {
				case variableGenerator:
					if g.exp > 1 || side == 1 {
						return nil, 0, false
					}
					linear = true
				case piGenerator, eGenerator, rootGenerator:
				default:
					return nil, 0, false
				}
			}
		}
	}
	zero, one := f.at(name, number(new(big.Rat))), f.at(name, integer(1))
	slope := sub(one, zero)
	sign, err := r.sign(slope)
	if err != nil || !linear {
		return nil, 0, false
	}
	return node(opDiv, neg(zero), slope), sign, true
}

// solveAbsolute solves |f| < c and |f| > c, and their like with ≤ and ≥, for a positive constant c.
func (r *reader) solveAbsolute(rel relation, name string) (reading, bool) {
	if len(rel.ops) != 1 || rel.sides[0].op != opFunc || rel.sides[0].name != "abs" || !rel.sides[1].constant() || rel.sides[1].infinite() != 0 {
		return nil, false
	}
	f, bound, op := rel.sides[0].args[0], rel.sides[1], rel.ops[0]
	if sign, err := r.sign(bound); err != nil || sign < 0 || op == "≠" {
		return nil, false
	}
	right, ok := r.solveOne(f, op, bound, name)
	left, ok2 := r.solveOne(f, relationMarks[op], neg(bound), name)
	if !ok || !ok2 {
		return nil, false
	}
	var all region
	var err error
	if op == "<" || op == "≤" {
		all, err = r.intersect(left, right)
	} else {
		all, err = r.merge(region{append(left.parts, right.parts...)})
	}
	return labelled{name, all}, err == nil
}
