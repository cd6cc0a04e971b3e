package lists

import (
	"fmt"
	"math"
	"strings"

	"verge/runner/event"
	"verge/tui/board"
	"verge/tui/pane"
	"verge/tui/text"
	"verge/tui/theme"
)

// order is how tasks are listed.
type order int

const (
	byAge order = iota
	byScore
	byRightRate
	orders
)

func (o order) words() string {
	return [...]string{"newest first", "highest probe score first", "most often solved first"}[o]
}

// of is what a task is ordered by, smaller first. Tasks without the figure come last.
func (o order) of(row int, t *board.Task) float64 {
	switch {
	case o == byAge:
		return -float64(row)
	case o == byScore && t.Scored && !math.IsNaN(t.Logit):
		return -t.Logit
	case o == byRightRate && t.Graded() > 0:
		return -float64(t.Right) / float64(t.Graded())
	}
	return math.Inf(1)
}

// entry is a task as an index has it.
func (o order) entry(tasks board.List[board.Task], row int) entry {
	t := tasks.At(row)
	return entry{o.of(row, &t), int32(row)}
}

// shape is the columns that a list of tasks has room for, by their widths; 0: none.
type shape struct {
	key, kind, bar, solved, logit int
}

// taskShape gives columns to a width: the statement has to keep some.
func taskShape(width, attempts int) shape {
	s := shape{solved: max(text.Width("right↓"), 2*len(fmt.Sprint(attempts))+1)}
	if width >= 40 {
		s.logit = 7
	}
	if width >= 56 {
		s.key = 20
	}
	if width >= 76 {
		s.kind = 12
	}
	if width >= 110 {
		s.key, s.kind = 28, 16
		if attempts <= 16 {
			s.bar = attempts
		}
	}
	return s
}

// margin is the cells before the first column: the mark of the selected row and the glyph of the task's state.
const margin = 4

func (s shape) head(c pane.Context, o order, width int) string {
	mark := func(name string, by order) string {
		if by == o {
			return name + "↓"
		}
		return name
	}
	return c.Paint(theme.Muted, text.Cut(strings.Repeat(" ", margin)+s.join(
		text.Fit("task", s.key), text.Fit("type", s.kind), text.Fit("", s.bar), text.Right(mark("right", byRightRate), s.solved), text.Right(mark("logit", byScore), s.logit),
	)+"statement", width))
}

// join puts those columns beside each other that there are.
func (s shape) join(columns ...string) string {
	var b strings.Builder
	for _, column := range columns {
		if column != "" {
			b.WriteString(column + " ")
		}
	}
	return b.String()
}

// row draws a task. The selected one is in one style as a whole, and has a mark.
func (s shape) row(c pane.Context, t board.Task, selected bool, width int) string {
	statement := text.Safe(t.Statement)
	if t.Failed != "" {
		statement = text.Safe(t.Failed)
	}
	glyph, token := taskGlyph(c.State, t)
	key := keyCell(t.Key, s.key)
	rest := s.join(text.Fit(text.Safe(t.Type), s.kind), rightBar(t, s.bar), text.Right(solved(t), s.solved), text.Right(logit(t), s.logit)) + statement
	if selected {
		line := theme.Selected + " " + glyph + " " + s.join(key) + rest
		if c.Focused {
			return c.Paint(theme.Select, text.Cut(line, width))
		}
		return text.Cut(line, width)
	}
	return text.Cut("  "+c.Paint(token, glyph)+" "+s.join(c.Paint(theme.Muted, key))+rest, width)
}

// taskGlyph is how a task stands.
func taskGlyph(s *event.State, t board.Task) (string, theme.Token) {
	switch {
	case t.Failed != "":
		return theme.Broken, theme.Warn
	case !t.Validated:
		return theme.Waiting, theme.Muted
	case !t.Valid:
		return theme.Fail, theme.Bad
	case s.Band().Holds(t.Right, t.Graded()):
		return theme.InBand, theme.Band
	}
	return theme.Pass, theme.Good
}

// solved is right attempts of those graded; "" of a task that was not attempted.
func solved(t board.Task) string {
	if t.Attempts() == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", t.Right, t.Graded())
}

// rightBar is a cell an attempt: right, wrong, neither, and those to come.
func rightBar(t board.Task, width int) string {
	neither := t.Undecided + t.Errors
	bar := strings.Repeat("█", t.Right) + strings.Repeat("▁", t.Wrong) + strings.Repeat(theme.Unknown, neither)
	return text.Fit(bar, width)
}

func logit(t board.Task) string {
	switch {
	case !t.Scored:
		return ""
	case math.Abs(t.Logit) >= 1e4:
		return fmt.Sprintf("%+.0e", t.Logit)
	}
	return fmt.Sprintf("%+.2f", t.Logit)
}

// keyCell is a proposal's key in width cells: its end, which tells it from its neighbours.
func keyCell(k event.Key, width int) string {
	return text.Fit(text.Tail(text.Safe(k.String()), width), width)
}
