package lists

import (
	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/board"
	"verge/tui/keys"
	"verge/tui/pane"
)

// record is a list that grows at its end, of which a person may see only what contains a text. It implements what panes of one list share.
type record[T any] struct {
	feed   feed
	search search
	list   board.List[T]
	whole  bool     // all of the list is shown, so that the index is not kept
	index  index[T] // of what is shown
}

// Open implements pane.Pane.
func (r *record[T]) Open() bool { return r.search.set() }

// Reading implements pane.Pane.
func (r *record[T]) Reading() bool { return r.search.reading() }

// Do implements pane.Pane.
func (r *record[T]) Do(a keys.Action, _ pane.Context) tea.Cmd {
	switch a {
	case keys.Filter:
		r.search.start()
	case keys.Back:
		r.search.clear()
		r.refilter()
	default:
		r.feed.do(a)
	}
	return nil
}

// Type implements pane.Pane.
func (r *record[T]) Type(key tea.KeyMsg, _ pane.Context) tea.Cmd {
	r.search.key(key)
	r.refilter()
	return nil
}

// Receive implements pane.Pane.
func (*record[T]) Receive(tea.Msg, pane.Context) {}

// refilter forgets what is shown: something else is asked for.
func (r *record[T]) refilter() {
	r.index.reset()
	r.feed = feed{}
}

// update goes on to a list. keep, if not nil, says what is shown at all, contains whether an element has the text that is searched for.
func (r *record[T]) update(list board.List[T], keep func(*T) bool, contains func(*T, matcher) bool) {
	want := r.search.matcher()
	r.list, r.whole = list, keep == nil && want.want == ""
	if r.whole {
		return
	}
	r.index.update(list, func(row int, t *T) (float64, bool) {
		return float64(row), (keep == nil || keep(t)) && (want.want == "" || contains(t, want))
	})
}

func (r *record[T]) len() int {
	if r.whole {
		return r.list.Len()
	}
	return r.index.len()
}

func (r *record[T]) at(i int) T {
	if r.whole {
		return r.list.At(i)
	}
	return r.list.At(r.index.row(i))
}

// lines draws what is in sight.
func (r *record[T]) lines(c pane.Context, width, height int, draw func(T) []string) []string {
	return r.feed.view(c, width, height, r.len(), func(i int) []string { return draw(r.at(i)) })
}
