package grade

import "strings"

// maxUnmatched bounds the items of two lists that are compared each with each.
const maxUnmatched = 48

// compareSets compares lists, sets, tuples and sets of intervals.
func (c *comparer) compareSets(gold, prediction reading) (finding, bool) {
	if g, ok := gold.(tuple); ok {
		if p, ok := prediction.(tuple); ok {
			return c.compareTuples(g, p), true
		}
	}
	if isRegion(gold) || isRegion(prediction) {
		g, ok := c.asRegion(gold)
		p, ok2 := c.asRegion(prediction)
		if ok && ok2 {
			return c.compareRegions(g, p, isTuple(gold) || isTuple(prediction)), true
		}
		return finding{}, false
	}
	g, goldMany := gold.(collection)
	p, predictionMany := prediction.(collection)
	switch {
	case goldMany && predictionMany:
		return c.compareCollections(g, p), true
	case goldMany && len(g.items) == 1:
		return c.compare(g.items[0], prediction), true
	case predictionMany && len(p.items) == 1:
		return c.compare(gold, p.items[0]), true
	}
	return finding{}, false
}

func isRegion(value reading) bool {
	_, ok := value.(region)
	return ok
}

func isTuple(value reading) bool {
	_, ok := value.(tuple)
	return ok
}

func (c *comparer) compareTuples(g, p tuple) finding {
	if g.open != p.open || g.close != p.close {
		return finding{Different, "other brackets"}
	}
	if len(g.items) != len(p.items) {
		return finding{Different, "a tuple of another length"}
	}
	v := Equal
	for i := range g.items {
		if v = weaker(v, c.compare(g.items[i], p.items[i]).verdict); v == Different {
			return finding{v, "another item of the tuple"}
		}
	}
	return found(v, "the same items in order", "")
}

// compareRegions compares interval by interval. A pair in brackets that holds no number, such as (2,1), is a point and no empty interval.
func (c *comparer) compareRegions(g, p region, pair bool) finding {
	g, err := c.merge(g)
	if err != nil {
		return finding{Undecided, err.Error()}
	}
	if p, err = c.merge(p); err != nil {
		return finding{Undecided, err.Error()}
	}
	if len(g.parts) != len(p.parts) || pair && len(g.parts) == 0 {
		return finding{Different, "another set of numbers"}
	}
	v := c.match(len(g.parts), func(i, j int) Verdict {
		a, b := g.parts[i], p.parts[j]
		if a.lowClosed != b.lowClosed || a.highClosed != b.highClosed {
			return Different
		}
		return weaker(c.compareExprs(a.low, b.low).verdict, c.compareExprs(a.high, b.high).verdict)
	})
	return found(v, "the same set of numbers", "another set of numbers")
}

// compareCollections compares lists without regard to order. Where both are sets, repeated elements count once.
func (c *comparer) compareCollections(g, p collection) finding {
	if g.names() > 1 && p.names() == 0 || p.names() > 1 && g.names() == 0 {
		return finding{Different, "values with and without names"}
	}
	a, b := g.items, p.items
	if g.braced && p.braced {
		a, b = c.distinct(a), c.distinct(b)
	}
	a, b = c.unmatched(a, b)
	if len(a) != len(b) {
		return finding{Different, "a list with other items"}
	}
	if len(a) > maxUnmatched {
		return finding{Undecided, "too many items to compare"}
	}
	v := c.match(len(a), func(i, j int) Verdict { return c.compareItems(a[i], b[j]) })
	return found(v, "the same items", "a list with other items")
}

// compareItems compares items of lists, among which a set of one element is not that element.
func (c *comparer) compareItems(a, b reading) Verdict {
	_, many := a.(collection)
	if _, also := b.(collection); many != also {
		return Different
	}
	return c.compare(a, b).verdict
}

// names counts the names that items are values of. Subscripts do not tell x_1 from x_2 here: these are values of x.
func (l collection) names() int {
	names := map[string]bool{}
	for _, item := range l.items {
		if named, ok := item.(labelled); ok {
			name, _, _ := strings.Cut(named.name, "_")
			names[name] = true
		}
	}
	return len(names)
}

// distinct removes items that are equal to one before them.
func (c *comparer) distinct(items []reading) []reading {
	if len(items) > maxUnmatched {
		return items
	}
	var kept []reading
next:
	for _, item := range items {
		for _, old := range kept {
			if c.compareItems(old, item) == Equal {
				continue next
			}
		}
		kept = append(kept, item)
	}
	return kept
}

// unmatched removes pairs of items with one and the same normal form, so that long lists need no comparing each with each.
func (c *comparer) unmatched(a, b []reading) (restA, restB []reading) {
	count := map[string]int{}
	for _, item := range a {
		count[c.key(item)]++
	}
	for _, item := range b {
		if k := c.key(item); k != "" && count[k] > 0 {
			count[k]--
			continue
		}
		restB = append(restB, item)
	}
	for _, item := range a {
		if k := c.key(item); k == "" || count[k] > 0 {
			if k != "" {
				count[k]--
			}
			restA = append(restA, item)
		}
	}
	return restA, restB
}

// key spells the normal form of a plain expression, or is empty.
func (c *comparer) key(item reading) string {
	q, ok := item.(quantity)
	if !ok || q.unit != "" || q.percent || q.soft != "" || q.x.hasInfinity() {
		return ""
	}
	n, err := c.normalOf(q.x)
	if err != nil {
		return ""
	}
	return c.ring.spell(n.num) + "/" + c.ring.spell(n.den)
}

// match pairs n things with n others, each with one that it equals. It is undecided where only undecided pairs are left.
func (c *comparer) match(n int, compare func(i, j int) Verdict) Verdict {
	taken := make([]bool, n)
	doubt := false
	for i := range n {
		paired, maybe := false, false
		for k := range n {
			j := (i + k) % n
			if taken[j] {
				continue
			}
			switch compare(i, j) {
			case Equal:
				taken[j], paired = true, true
			case Undecided:
				maybe = true
			}
			if paired {
				break
			}
		}
		if !paired && !maybe {
			return Different
		}
		doubt = doubt || !paired
	}
	if doubt {
		return Undecided
	}
	return Equal
}
