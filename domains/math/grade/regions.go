package grade

import (
	"errors"
	"math"
)

var errOrder = errors.New("the ends of intervals cannot be ordered")

// order compares two ends of intervals: -1, 0 or 1.
func (c *comparer) order(a, b *expr) (int, error) {
	ia, ib := a.infinite(), b.infinite()
	if ia != 0 || ib != 0 {
		switch {
		case ia < ib:
			return -1, nil
		case ia > ib:
			return 1, nil
		}
		return 0, nil
	}
	if !a.constant() || !b.constant() {
		return 0, errOrder
	}
	switch c.same(a, b) {
	case Equal:
		return 0, nil
	case Undecided:
		return 0, errOrder
	}
	return c.sign(sub(a, b))
}

// sign is the sign of a real constant that is not zero.
func (c *comparer) sign(e *expr) (int, error) {
	if n, err := c.normalOf(e); err == nil {
		if x, ok := n.rational(); ok {
			return x.Sign(), nil
		}
	}
	for _, prec := range precisions[:3] {
		v := c.estimate(e, prec)
		if v.err != nil || !v.isReal() {
			break
		}
		if v.lost < int(prec)/4 && v.re.Sign() != 0 {
			return v.re.Sign(), nil
		}
	}
	return 0, errOrder
}

// asRegion reads a finite set, or a pair in brackets, as a set of real numbers.
func (c *comparer) asRegion(value reading) (region, bool) {
	switch v := value.(type) {
	case region:
		return v, true
	case quantity:
		if v.unit != "" || v.percent {
			return region{}, false
		}
		return region{[]interval{{v.x, v.x, true, true}}}, true
	case collection:
		all := region{}
		for _, item := range v.items {
			if _, pair := item.(tuple); pair {
				return region{}, false
			}
			part, ok := c.asRegion(item)
			if !ok {
				return region{}, false
			}
			all.parts = append(all.parts, part.parts...)
		}
		return all, true
	case tuple:
		return v.asInterval()
	}
	return region{}, false
}

// asInterval reads a pair in brackets as an interval. Its ends are not compared.
func (t tuple) asInterval() (region, bool) {
	if len(t.items) != 2 || t.open != "(" && t.open != "[" || t.close != ")" && t.close != "]" {
		return region{}, false
	}
	low, ok := t.items[0].(quantity)
	high, ok2 := t.items[1].(quantity)
	if !ok || !ok2 || low.percent || high.percent || low.unit != "" {
		return region{}, false
	}
	return region{[]interval{{low.x, high.x, t.open == "[", t.close == "]"}}}, true
}

// empty tells whether no number lies in an interval.
func (c *comparer) empty(i interval) (bool, error) {
	o, err := c.order(i.low, i.high)
	return o > 0 || o == 0 && !(i.lowClosed && i.highClosed), err
}

// merge sorts intervals and joins those that touch or overlap. Intervals whose ends hold variables are left as they are.
func (c *comparer) merge(r region) (region, error) {
	var sorted []interval
	for _, part := range r.parts {
		none, err := c.empty(part)
		if errors.Is(err, errOrder) {
			return r, nil
		}
		if none {
			continue
		}
		at := len(sorted)
		for at > 0 {
			o, err := c.orderLow(sorted[at-1], part)
			if err != nil {
				return r, nil
			}
			if o <= 0 {
				break
			}
			at--
		}
		sorted = append(sorted[:at], append([]interval{part}, sorted[at:]...)...)
	}
	merged := region{}
	for _, part := range sorted {
		n := len(merged.parts)
		if n == 0 {
			merged.parts = append(merged.parts, part)
			continue
		}
		last := &merged.parts[n-1]
		gap, err := c.order(part.low, last.high)
		if err != nil {
			return r, nil
		}
		if gap > 0 || gap == 0 && !part.lowClosed && !last.highClosed {
			merged.parts = append(merged.parts, part)
			continue
		}
		reach, err := c.order(part.high, last.high)
		if err != nil {
			return r, nil
		}
		if reach > 0 || reach == 0 && part.highClosed {
			last.high, last.highClosed = part.high, part.highClosed
		}
	}
	return merged, nil
}

// orderLow compares where two intervals begin.
func (c *comparer) orderLow(a, b interval) (int, error) {
	o, err := c.order(a.low, b.low)
	if err != nil || o != 0 || a.lowClosed == b.lowClosed {
		return o, err
	}
	if a.lowClosed {
		return -1, nil
	}
	return 1, nil
}

func (c *comparer) intersect(a, b region) (region, error) {
	all := region{}
	if int64(len(a.parts))*int64(len(b.parts)) > math.MaxInt16 {
		return all, errLimit
	}
	for _, x := range a.parts {
		for _, y := range b.parts {
			z := x
			low, err := c.orderLow(x, y)
			if err != nil {
				return all, err
			}
			if low < 0 {
				z.low, z.lowClosed = y.low, y.lowClosed
			}
			high, err := c.order(x.high, y.high)
			if err != nil {
				return all, err
			}
			if high > 0 || high == 0 && x.highClosed {
				z.high, z.highClosed = y.high, y.highClosed
			}
			none, err := c.empty(z)
			if err != nil {
				return all, err
			}
			if !none {
				all.parts = append(all.parts, z)
			}
		}
	}
	return c.merge(all)
}

// complement is the set of the real numbers outside a merged region.
func complement(r region) region {
	rest := region{}
	low, closed := neg(constant("∞")), false
	for _, part := range r.parts {
		if part.low.infinite() >= 0 {
			rest.parts = append(rest.parts, interval{low, part.low, closed, !part.lowClosed})
		}
		low, closed = part.high, !part.highClosed
	}
	if low.infinite() <= 0 {
		rest.parts = append(rest.parts, interval{low, constant("∞"), closed, false})
	}
	return rest
}

// combines tells whether a token joins two sets into one.
func combines(t token) bool { return t.is("∪") || t.is("∩") || t.is("∖") }

// combination reads unions, intersections and differences from left to right.
func (r *reader) combination(parts [][]token, ops []token) (reading, error) {
	var all region
	finite := true
	for i, part := range parts {
		value, err := r.item(part)
		if err != nil {
			return nil, err
		}
		next, ok := r.asRegion(value)
		if !ok {
			return nil, errors.New("a part of a union is no set of numbers")
		}
		if _, ok := value.(collection); !ok {
			finite = false
		}
		next, err = r.merge(next)
		if err != nil {
			return nil, err
		}
		switch {
		case i == 0:
			all = next
		case ops[i-1].is("∪"):
			all.parts = append(all.parts[:len(all.parts):len(all.parts)], next.parts...)
			all, err = r.merge(all)
		case ops[i-1].is("∩"):
			all, err = r.intersect(all, next)
		default:
			all, err = r.intersect(all, complement(next))
		}
		if err != nil {
			return nil, err
		}
	}
	if finite {
		c := collection{braced: true}
		for _, part := range all.parts {
			c.items = append(c.items, quantity{x: part.low})
		}
		return c, nil
	}
	return all, nil
}
