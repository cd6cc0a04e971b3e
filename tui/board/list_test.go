package board

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Since names every element that has changed, and not many besides.
func TestSinceNamesWhatChanged(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	var l list[int]
	var old List[int]
	for round := range 200 {
		changed := map[int]bool{}
		for range random.IntN(100) {
			changed[l.add(random.Int())] = true
		}
		for range random.IntN(3) {
			if l.n > 0 {
				i := random.IntN(l.n)
				*l.at(i)++
				changed[i] = true
			}
		}
		now := l.snapshot()
		ranges := now.Since(old)
		named := 0
		for i, r := range ranges {
			named += r.To - r.From
			if r.From >= r.To || i > 0 && ranges[i-1].To >= r.From {
				t.Fatalf("round %d: ranges %v are not in order and apart", round, ranges)
			}
		}
		for i := range changed {
			if !slices.ContainsFunc(ranges, func(r Range) bool { return r.From <= i && i < r.To }) {
				t.Fatalf("round %d: element %d has changed and is not in %v", round, i, ranges)
			}
		}
		if named > (len(changed)+2)*chunkSize {
			t.Fatalf("round %d: %d elements are named, %d have changed", round, named, len(changed))
		}
		old = now
	}
	if ranges := old.Since(old); len(ranges) != 0 {
		t.Errorf("%v differs from itself", ranges)
	}
}

func TestSinceAnotherList(t *testing.T) {
	var a, b list[int]
	for i := range 300 {
		a.add(i)
		b.add(-i)
	}
	if got, want := a.snapshot().Since(b.snapshot()), []Range{{0, 300}}; !slices.Equal(got, want) {
		t.Errorf("another list differs in %v, want %v", got, want)
	}
	if got := (List[int]{}).Since(a.snapshot()); len(got) != 0 {
		t.Errorf("an empty list has changed in %v", got)
	}
}
