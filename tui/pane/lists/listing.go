package lists

import (
	"verge/tui/board"
)

// wanted is which tasks a list holds, and in which order.
type wanted struct {
	order order
	ofArm bool // only the proposals of arm
	arm   string
	text  string // that they contain, in lower case; "": any
}

// listing is a list of tasks as it is shown. Its zero value is all tasks, the newest first.
type listing struct {
	wanted
	index index[board.Task] // of all tasks, the newest first, only what it is of: their places are plain
}

func (w wanted) everything() bool { return w == wanted{} }

// keep says whether a task is in the list, and what it is ordered by there.
func (w wanted) keep(row int, t *board.Task) (float64, bool) {
	m := matcher{w.text}
	return w.order.of(row, t), (!w.ofArm || t.Key.Arm == w.arm) && (m.any(t.Statement, t.Type, t.Reason, t.Failed) || m.key(t.Key))
}

func (l *listing) update(tasks board.List[board.Task]) {
	if l.everything() {
		l.index.of = tasks
		return
	}
	l.index.update(tasks, l.keep)
}

func (l *listing) len() int {
	if l.everything() {
		return l.index.of.Len()
	}
	return l.index.len()
}

// row is the row of Snapshot.Tasks at a place.
func (l *listing) row(i int) int {
	if l.everything() {
		return l.len() - 1 - i
	}
	return l.index.row(i)
}

// find is the place of a row of Snapshot.Tasks, or where it would be.
func (l *listing) find(row int) int {
	if l.everything() {
		return l.len() - 1 - row
	}
	i, _ := l.index.find(l.order.entry(l.index.of, row))
	return i
}
