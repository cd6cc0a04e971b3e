package walkthrough

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"verge/profiles"
	"verge/runner/event"
	"verge/tui/board"
	"verge/tui/session"
	"verge/tui/text"
	"verge/tui/theme"
)

// view is what a page draws from.
type view struct {
	*board.Snapshot
	Status session.Status
	Theme  *theme.Theme
	Ends   []endView
	asked  *profiles.Profile // what the run was asked to do; nil before it has started
	// example is the task that is shown in full, as last read.
	example example
}

func (v view) strong(format string, args ...any) string {
	return v.Theme.Paint(theme.Strong, fmt.Sprintf(format, args...))
}

func (v view) muted(s string) string { return v.Theme.Paint(theme.Muted, s) }

// k is the number of attempts at a task, as a number of the run.
func (v view) k() string {
	if v.Run == nil {
		return "K"
	}
	return fmt.Sprint(v.Run.Attempts)
}

// batch is the first proposals of the training, at most so many.
func (v view) batch(most int) []board.Task {
	var out []board.Task
	for i := 0; i < v.Tasks.Len() && len(out) < most; i++ {
		if t := v.Tasks.At(i); t.Key.Stage == event.Train && t.Key.Step == 0 {
			out = append(out, t)
		}
	}
	return out
}

// last are the last proposals of the corpus that are looked for, at most so many, in their order.
func (v view) last(most int, want func(board.Task) bool) []board.Task {
	var out []board.Task
	for i := v.Tasks.Len() - 1; i >= 0 && len(out) < most; i-- {
		if t := v.Tasks.At(i); t.Key.Stage == event.Corpus && want(t) {
			out = append(out, t)
		}
	}
	slices.Reverse(out)
	return out
}

// statement is a task's text in a column.
func statement(t board.Task, width int) string { return text.Fit(text.Safe(t.Statement), width) }

// attempts are an attempted task's outcomes, a glyph each: the right ones first, since their order says nothing.
func (v view) attempts(t board.Task) string {
	return v.Theme.Paint(theme.Good, strings.Repeat(theme.Pass, t.Right)) + v.Theme.Paint(theme.Bad, strings.Repeat(theme.Fail, t.Wrong)) +
		v.Theme.Paint(theme.Warn, strings.Repeat(theme.Unknown, t.Undecided)) + v.Theme.Paint(theme.Warn, strings.Repeat(theme.Broken, t.Errors))
}

// advantages are GRPO's of one group, A = (r − mean) / (s + 1e-6), s with n − 1.
func advantages(rewards []float64) (mean, sd float64, out []float64) {
	n := float64(len(rewards))
	for _, r := range rewards {
		mean += r / n
	}
	for _, r := range rewards {
		sd += (r - mean) * (r - mean)
	}
	sd = math.Sqrt(sd / (n - 1))
	for _, r := range rewards {
		out = append(out, (r-mean)/(sd+1e-6))
	}
	return mean, sd, out
}
