package grade

import "fmt"

// list reads the items of a list and what joins them.
func (r *reader) list(parts [][]token, cuts []token) (reading, error) {
	var items []reading
	either, both := false, false
	for i, part := range parts {
		if len(part) == 0 {
			// A comma before "and", or before "or", joins nothing.
			if i > 0 && i < len(cuts) && cuts[i-1].is(",") && !cuts[i].is(",") {
				continue
			}
			return nil, fmt.Errorf("an item of a list is empty")
		}
		value, err := r.item(part)
		if err != nil {
			return nil, err
		}
		items = append(items, value)
	}
	for _, cut := range cuts {
		either = either || cut.isWord("or") || cut.is("∨")
		both = both || cut.isWord("and") || cut.is("∧")
	}
	return r.joined(items, either, both)
}

// joined puts the items of a list together. Statements about one variable become one statement; values after x = 1 are values of x too.
func (r *reader) joined(items []reading, either, both bool) (reading, error) {
	name, regions, named := "", 0, 0
	for _, item := range items {
		l, ok := item.(labelled)
		if !ok {
			continue
		}
		if named > 0 && l.name != name {
			return collection{items: items}, nil
		}
		name = l.name
		named++
		if _, ok := l.of.(region); ok {
			regions++
		}
	}
	if named == 0 {
		return flat(items), nil
	}
	if regions > 0 {
		if named < len(items) {
			return collection{items: items}, nil
		}
		return r.joinedRegions(name, items, either, both)
	}
	if _, ok := items[0].(labelled); !ok {
		return flat(items), nil
	}
	values := make([]reading, len(items))
	for i, item := range items {
		values[i] = item
		if l, ok := item.(labelled); ok {
			values[i] = l.of
		}
	}
	return labelled{name, flat(values)}, nil
}

func flat(items []reading) collection {
	c := collection{}
	for _, item := range items {
		c.items = append(c.items, spread(item)...)
	}
	return c
}

// joinedRegions joins statements about one variable. Where a comma joins them they hold together if they can, and are alternatives
// if they cannot.
func (r *reader) joinedRegions(name string, items []reading, either, both bool) (reading, error) {
	union, common := region{}, realLine()
	for _, item := range items {
		part, ok := r.asRegion(item.(labelled).of)
		if !ok {
			return collection{items: items}, nil
		}
		union.parts = append(union.parts, part.parts...)
		if either {
			continue
		}
		var err error
		if common, err = r.intersect(common, part); err != nil {
			return collection{items: items}, nil
		}
	}
	if !either && (both || len(common.parts) > 0) {
		return labelled{name, common}, nil
	}
	merged, err := r.merge(union)
	return labelled{name, merged}, err
}
