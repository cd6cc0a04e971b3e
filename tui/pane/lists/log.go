package lists

import (
	"strconv"

	"verge/tui/board"
	"verge/tui/figure"
	"verge/tui/keys"
	"verge/tui/pane"
	"verge/tui/text"
	"verge/tui/theme"
)

// logPane tells in words what has happened.
type logPane struct{ record[board.Line] }

func newLog() *logPane { return &logPane{} }

func (*logPane) Name() string { return "log" }

func (l *logPane) Title(c pane.Context) string {
	return "log · " + figure.Counted(c.Log.Len(), "line")
}

func (*logPane) Scopes() []keys.Scope { return []keys.Scope{"log", keys.Scroll} }

func (l *logPane) View(c pane.Context, width, height int) []string {
	l.update(c.Log, nil, func(line *board.Line, want matcher) bool { return want.any(line.Text, line.Arm, string(line.Level)) })
	top := l.search.view(c, width)
	if l.len() == 0 {
		return append(top, c.PaintAll(theme.Muted, text.Wrap(l.empty(c), width))...)
	}
	digits := len(strconv.Itoa(l.at(l.len() - 1).Seq))
	return append(top, l.lines(c, width, height-len(top), func(line board.Line) []string { return logLine(c, line, digits, width) })...)
}

func (l *logPane) empty(c pane.Context) string {
	if l.search.set() && c.Log.Len() > 0 {
		return "None of " + figure.Counted(c.Log.Len(), "line") + " contains this text."
	}
	return "Nothing has happened yet. Stages, updates, evaluations, warnings and errors are told of here, a line each."
}

// logLine draws a line of the log, its text under itself.
func logLine(c pane.Context, line board.Line, digits, width int) []string {
	glyph, token := theme.Separator, theme.Text
	switch line.Level {
	case board.Warn:
		glyph, token = theme.Broken, theme.Warn
	case board.Error:
		glyph, token = theme.Fail, theme.Bad
	}
	said := line.Text
	if line.Arm != "" {
		said = line.Arm + ": " + said
	}
	margin := 2
	seq := ""
	if width >= 40 {
		margin += digits + 1
		seq = text.Right(strconv.Itoa(line.Seq), digits) + " "
	}
	said = text.Cut(text.Safe(said), logLines*(width-margin))
	var lines []string
	for i, s := range text.Wrap(said, width-margin) {
		start := text.Fit("", margin)
		if i == 0 {
			start = c.Paint(theme.Muted, seq) + c.Paint(token, glyph) + " "
		}
		lines = append(lines, start+c.Paint(token, s))
	}
	return lines
}

// logLines is about how many lines of the screen an entry takes at the most.
const logLines = 5
