package lists

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"verge/tui/board"
	"verge/tui/keys"
)

// An index that follows a run from snapshot to snapshot is the one that would be made of the last snapshot alone.
func TestIndexFollowsARun(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	run := newLive(t, started())
	for o := range orders {
		keep := func(row int, task *board.Task) (float64, bool) {
			return o.of(row, task), task.Key.Arm == "propel" && task.Right == 0
		}
		var followed index[board.Task]
		for range 60 {
			for range random.IntN(40) {
				run.advance(random)
			}
			tasks := run.board.Snapshot().Tasks
			followed.update(tasks, keep)
			var want []entry
			for row := range tasks.Len() {
				task := tasks.At(row)
				if key, ok := keep(row, &task); ok {
					want = append(want, entry{key, int32(row)})
				}
			}
			slices.SortFunc(want, before)
			if !slices.Equal(followed.entries, want) {
				t.Fatalf("%s: %d tasks, %d entries; want %d\n%v\n%v", o.words(), tasks.Len(), followed.len(), len(want), followed.entries, want)
			}
		}
	}
}

// advance makes one more proposal of 0 … 2 attempts, or one more attempt at an old one.
func (l *live) advance(random *rand.Rand) {
	tasks := l.board.Snapshot().Tasks
	if n := tasks.Len(); n > 0 && random.IntN(3) == 0 {
		task := tasks.At(random.IntN(n))
		if task.Valid && task.Attempts() == 0 {
			l.apply(verdictsOn(task.Key.Arm, task.Key.Proposal, []string{"rw", "w", "ee", "wr"}[random.IntN(4)])...)
		}
		return
	}
	arm, reason := []string{"base", "propel"}[random.IntN(2)], []string{"", "", "syntax"}[random.IntN(3)]
	n := tasks.Len()
	l.apply(propose(arm, n, fmt.Sprint(n), reason)...)
	if reason == "" {
		l.apply(scored(arm, n, float64(random.IntN(5))))
	}
}

// A replay that goes back shows a shorter list, or another one.
func TestIndexGoesBack(t *testing.T) {
	all := func(row int, _ *board.Task) (float64, bool) { return float64(row), true }
	run := newLive(t, started())
	short := run.board.Snapshot().Tasks
	for i := range 600 {
		run.apply(propose("propel", i, "1", "")...)
		if i == 99 {
			short = run.board.Snapshot().Tasks
		}
	}
	var x index[board.Task]
	x.update(run.board.Snapshot().Tasks, all)
	x.update(short, all)
	if x.len() != 100 {
		t.Errorf("%d entries of 100 tasks", x.len())
	}
	x.update(newLive(t, started()).board.Snapshot().Tasks, all)
	if x.len() != 0 {
		t.Errorf("%d entries of no tasks", x.len())
	}
}

// manyTasks is a run of n proposals, each valid one scored.
func manyTasks(t testing.TB, n int) *live {
	run := newLive(t, started())
	for i := range n {
		run.advanceTo(i)
	}
	return run
}

func (l *live) advanceTo(i int) {
	reason := ""
	if i%4 == 3 {
		reason = "syntax"
	}
	for _, e := range propose("propel", i, fmt.Sprintf("(%d+%d)*7", i%97, i), reason) {
		if err := l.board.Apply(e); err != nil {
			l.t.Fatal(err)
		}
	}
	if reason == "" {
		if err := l.board.Apply(scored("propel", i, float64(i%1009)/100)); err != nil {
			l.t.Fatal(err)
		}
	}
}

// What a frame costs with 200,000 tasks: when nothing has happened, when a hundred tasks have come, when another text is searched for, and when another
// order is asked for.
func BenchmarkTasks(b *testing.B) {
	const n = 200_000
	run := manyTasks(b, n)
	for o := range orders {
		p := newTasks()
		p.order = o
		p.View(run.context(), 118, 36)
		b.Run("idle/"+o.words(), func(b *testing.B) {
			c := run.context()
			for b.Loop() {
				p.View(c, 118, 36)
			}
		})
		b.Run("search/"+o.words(), func(b *testing.B) {
			c := run.context()
			for i := 0; b.Loop(); i++ {
				p.search.kept = []string{"7", "sum", "nowhere"}[i%3]
				p.View(c, 118, 36)
			}
			p.search.clear()
		})
	}
	// What the key costs; the list itself is made beside the screen.
	b.Run("another order", func(b *testing.B) {
		p, c := newTasks(), run.context()
		for b.Loop() {
			p.Do(keys.Sort, c)
			p.View(c, 118, 36)
		}
	})
	for o := range orders {
		p := newTasks()
		p.order = o
		next := run.board.Snapshot().Tasks.Len()
		b.Run("100 more/"+o.words(), func(b *testing.B) {
			p.View(run.context(), 118, 36)
			for b.Loop() {
				b.StopTimer()
				for range 100 {
					run.advanceTo(next)
					next++
				}
				c := run.context()
				b.StartTimer()
				p.View(c, 118, 36)
			}
		})
	}
}
