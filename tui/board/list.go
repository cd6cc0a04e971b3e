package board

import "slices"

// List is a sequence that never changes, as a snapshot shows it.
type List[T any] struct {
	chunks []*chunk[T]
	n      int
}

// Len is the number of elements.
func (l List[T]) Len() int { return l.n }

// At is element i, 0 … Len()-1.
func (l List[T]) At(i int) T { return l.chunks[i/chunkSize][i%chunkSize] }

// Range is elements From … To-1.
type Range struct{ From, To int }

// Since is what may differ from an earlier list, of the same run or of another, in order and apart. Elements that both hold unchanged
// may be among it, but never many.
func (l List[T]) Since(old List[T]) []Range {
	var changed []Range
	for i, c := range l.chunks {
		if from, to := i*chunkSize, min(l.n, (i+1)*chunkSize); i >= len(old.chunks) || c != old.chunks[i] || to > old.n {
			if last := len(changed) - 1; last >= 0 && changed[last].To == from {
				changed[last].To = to
			} else {
				changed = append(changed, Range{from, to})
			}
		}
	}
	return changed
}

const chunkSize = 256

type chunk[T any] [chunkSize]T

// list grows and changes in place; a chunk that a snapshot holds is copied before it changes, so that a snapshot costs a pointer for
// every 256 elements.
type list[T any] struct {
	chunks []*chunk[T]
	own    []bool // by chunk: no snapshot holds it
	n      int
}

func (l *list[T]) add(x T) int {
	if l.n%chunkSize == 0 {
		l.chunks, l.own = append(l.chunks, &chunk[T]{}), append(l.own, true)
	}
	i := l.n
	l.n++
	*l.at(i) = x
	return i
}

// at is element i, to be changed.
func (l *list[T]) at(i int) *T {
	c := i / chunkSize
	if !l.own[c] {
		own := *l.chunks[c]
		l.chunks[c], l.own[c] = &own, true
	}
	return &l.chunks[c][i%chunkSize]
}

func (l *list[T]) snapshot() List[T] {
	clear(l.own)
	return List[T]{slices.Clone(l.chunks), l.n}
}
