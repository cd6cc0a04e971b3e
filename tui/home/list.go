package home

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"verge/runner/store"
	"verge/tui/rows"
)

// list is one of the lists.
type list struct {
	name    string
	columns []rows.Column
	holding []rows.Column // those, as what is shown makes use of them
	all     []entry       // as last read
	shown   []entry       // those that pass the filter, in order
	cursor  rows.Cursor
	places  rows.Places // of what is shown
}

// selected is the entry under the cursor, nil of an empty list.
func (l *list) selected() entry {
	if l.cursor.At < len(l.shown) {
		return l.shown[l.cursor.At]
	}
	return nil
}

// arrange filters and orders the list anew, and keeps the selected entry selected if it is still there.
func (l *list) arrange(needle string, o order, now time.Time) {
	defer func() { l.holding = rows.Holding(l.columns, l.cells(now)) }()
	kept := l.selected()
	l.shown = slices.DeleteFunc(slices.Clone(l.all), func(e entry) bool { return !contains(e.words(), needle) })
	slices.SortStableFunc(l.shown, o.compare)
	l.cursor.At = max(0, min(l.cursor.At, len(l.shown)-1))
	if kept != nil {
		l.pick(kept.id())
	}
}

// pick selects an entry by its id; false where it is not shown.
func (l *list) pick(id string) bool {
	i := slices.IndexFunc(l.shown, func(e entry) bool { return e.id() == id })
	if i >= 0 {
		l.cursor.At = i
	}
	return i >= 0
}

// cells is all that is shown.
func (l *list) cells(now time.Time) [][]rows.Cell {
	out := make([][]rows.Cell, len(l.shown))
	for i, e := range l.shown {
		out[i] = e.cells(now)
	}
	return out
}

func contains(text, needle string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(needle))
}

// order is what runs and sweeps are ordered by.
type order int

const (
	byAge order = iota
	byState
	byHeadline
	orders
)

// String is the order in words.
func (o order) String() string { return [...]string{"age", "state", "headline"}[o] }

// compare orders entries; those that it does not tell apart stay in the order they were read in, which is that of their age.
func (o order) compare(a, b entry) int {
	switch o {
	case byState:
		return cmp.Compare(urgency(a.state()), urgency(b.state()))
	case byHeadline:
		return cmp.Compare(rank(b), rank(a))
	}
	return b.began().Compare(a.began())
}

// urgency is the place of a state: what goes on first, then what waits for a person.
func urgency(s store.State) int {
	return slices.Index([]store.State{store.Running, store.Failed, store.Interrupted, store.Done, broken}, s)
}

// rank is the figure that an entry is ordered by; less than any where it has none.
func rank(e entry) float64 {
	if f := e.ranked(); f != nil {
		return *f
	}
	return math.Inf(-1)
}
