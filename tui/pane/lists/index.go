package lists

import (
	"cmp"
	"slices"

	"verge/tui/board"
)

// index is the rows of a list that are shown, in the order they are shown. It follows the list from snapshot to snapshot, and looks again
// only at what has changed.
type index[T any] struct {
	of      board.List[T]
	entries []entry
	spare   []entry // what the entries were before, to be written over
}

// entry is a row of the list and what it is ordered by: smaller keys come first, of equal ones the newer row. A key is never NaN.
type entry struct {
	key float64
	row int32
}

func before(a, b entry) int {
	switch { // faster than cmp.Compare, which looks for NaN: a key is answered when all rows are in order
	case a.key < b.key:
		return -1
	case a.key > b.key:
		return 1
	}
	return cmp.Compare(b.row, a.row)
}

// reset forgets what is shown: the filter or the order has changed.
func (x *index[T]) reset() { x.of, x.entries = board.List[T]{}, x.entries[:0] }

// update goes on to a list. keep says whether a row is shown, and what it is ordered by.
func (x *index[T]) update(list board.List[T], keep func(row int, t *T) (key float64, ok bool)) {
	changes := list.Since(x.of)
	if len(changes) == 0 && list.Len() == x.of.Len() {
		return
	}
	x.of = list
	kept := x.entries[:0]
	for _, e := range x.entries {
		if int(e.row) < list.Len() && !holds(changes, int(e.row)) {
			kept = append(kept, e)
		}
	}
	var fresh []entry
	var t T
	for _, r := range changes {
		for row := r.From; row < r.To; row++ {
			t = list.At(row)
			if key, ok := keep(row, &t); ok {
				fresh = append(fresh, entry{key, int32(row)})
			}
		}
	}
	slices.SortFunc(fresh, before)
	x.entries, x.spare = merge(x.spare[:0], kept, fresh), kept
}

// holds says whether a row is in one of some ranges, which are in order. Most rows are before them all: what changes is what came last.
func holds(ranges []board.Range, row int) bool {
	if len(ranges) == 0 || row < ranges[0].From {
		return false
	}
	i, _ := slices.BinarySearchFunc(ranges, row, func(r board.Range, row int) int { return cmp.Compare(r.To-1, row) })
	return i < len(ranges) && ranges[i].From <= row
}

// merge joins two lists that are in order into one, which is written to another's place.
func merge(into, a, b []entry) []entry {
	for len(a) > 0 && len(b) > 0 {
		if before(a[0], b[0]) < 0 {
			into, a = append(into, a[0]), a[1:]
		} else {
			into, b = append(into, b[0]), b[1:]
		}
	}
	return append(append(into, a...), b...)
}

func (x *index[T]) len() int { return len(x.entries) }

// row is the row of the list at a place.
func (x *index[T]) row(i int) int { return int(x.entries[i].row) }

// find is the place of a row with its key, or where it would be.
func (x *index[T]) find(e entry) (int, bool) {
	return slices.BinarySearchFunc(x.entries, e, before)
}
