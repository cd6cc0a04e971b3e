package board_test

import (
	"runtime"
	"testing"

	"verge/runner/event"
	"verge/tui/board"
)

// A million events: what one costs to fold, what a snapshot costs after some hundreds more, and what all of it keeps.
func BenchmarkMillionEvents(b *testing.B) {
	events := stream(7, 260_000)
	if len(events) < 1_000_000 {
		b.Fatalf("%d events", len(events))
	}
	events = events[:1_000_000]
	b.Run("fold", func(b *testing.B) {
		for b.Loop() {
			folded(b, events)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/event")
	})
	b.Run("keeps", func(b *testing.B) {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		board := folded(b, events)
		runtime.GC()
		runtime.ReadMemStats(&after)
		for b.Loop() {
			board.Snapshot()
		}
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(len(events)), "B/event")
	})
	// At 10,000 events a second and 20 frames, 500 come between two snapshots.
	for _, timed := range []bool{false, true} {
		b.Run(map[bool]string{false: "snapshot", true: "500 events and a snapshot"}[timed], func(b *testing.B) {
			const between = 500
			at, on := len(events), &board.Board{}
			for b.Loop() {
				if at+between > len(events) {
					b.StopTimer()
					on, at = folded(b, events[:900_000]), 900_000
					on.Snapshot()
					b.StartTimer()
				}
				if !timed {
					b.StopTimer()
				}
				fold(b, on, events[at:at+between])
				at += between
				b.StartTimer()
				on.Snapshot()
			}
		})
	}
}

func folded(b *testing.B, events []event.Event) *board.Board {
	b.Helper()
	on := &board.Board{}
	fold(b, on, events)
	return on
}

func fold(b *testing.B, on *board.Board, events []event.Event) {
	b.Helper()
	for _, e := range events {
		if err := on.Apply(e); err != nil {
			b.Fatal(err)
		}
	}
}
