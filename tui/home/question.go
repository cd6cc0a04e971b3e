package home

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"verge/runner/store"
	"verge/tui/figure"
	"verge/tui/prompt"
	"verge/tui/rows"
	"verge/tui/screen"
	"verge/tui/theme"
)

// question is what a person is asked before a run is changed.
type question struct {
	run   store.RunInfo
	lines []rows.Cell  // what is asked
	line  *prompt.Line // that is typed; nil: y or n
	tags  *[]string    // that were typed, when the note is
}

func askTags(run store.RunInfo) *question {
	return &question{
		run:   run,
		lines: []rows.Cell{{Text: "Tags of " + run.Run + ", words with spaces between; the note comes next.", Token: theme.Strong}},
		line:  prompt.New("tags:", strings.Join(run.Tags, " ")),
	}
}

func askNote(run store.RunInfo, tags []string) *question {
	return &question{
		run:   run,
		lines: []rows.Cell{{Text: "Note on " + run.Run + ".", Token: theme.Strong}},
		line:  prompt.New("note:", run.Note),
		tags:  &tags,
	}
}

// sized brings what a run that is to be deleted holds.
type sized struct {
	home          *Home
	run           store.RunInfo
	events, bytes int64
}

// size looks at what would be lost.
func (h *Home) size(run store.RunInfo) tea.Cmd {
	return h.one.Ask("looking at "+run.Run, func() tea.Msg {
		events, bytes, err := h.runs.Size(run.Dir)
		if err != nil {
			return screen.Say{Text: err.Error(), Bad: true}
		}
		return sized{h, run, events, bytes}
	})
}

func (s sized) question() *question {
	lost := fmt.Sprintf("Lost for good: %s events, every proposal and attempt among them, and all else in %s, %s.", figure.Count(s.events), s.run.Dir, figure.Bytes(s.bytes))
	q := &question{run: s.run, lines: []rows.Cell{{Text: "Delete " + s.run.Run + "?", Token: theme.Bad}, {Text: lost}}}
	if s.run.Headline != "" {
		q.lines = append(q.lines, rows.Cell{Text: "Its figure: " + s.run.Headline})
	}
	if len(s.run.Tags) > 0 || s.run.Note != "" {
		q.lines = append(q.lines, rows.Cell{Text: strings.TrimSpace("Its tags and note: " + strings.Join(s.run.Tags, " ") + "  " + s.run.Note)})
	}
	q.lines = append(q.lines, rows.Cell{Text: "y deletes it, n or Esc keeps it", Token: theme.Accent})
	return q
}

// answer takes a key of the answer to the question.
func (h *Home) answer(k tea.KeyMsg) tea.Cmd {
	q := h.question
	if q.line == nil {
		switch k.String() {
		case "y", "Y":
			h.question = nil
			return h.remove(q.run)
		case "n", "N", "esc":
			h.question = nil
		}
		return nil
	}
	switch q.line.Type(k) {
	case prompt.Left:
		h.question = nil
	case prompt.Entered:
		if q.tags == nil {
			h.question = askNote(q.run, tagsIn(q.line.Value()))
			return nil
		}
		h.question = nil
		return h.annotate(q.run, *q.tags, q.line.Value())
	}
	return nil
}

// tagsIn are the words of a line, each once.
func tagsIn(line string) []string {
	var tags []string
	for _, tag := range strings.FieldsFunc(line, func(r rune) bool { return unicode.IsSpace(r) || r == ',' }) {
		if !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags
}

// changed brings what came of a change to a run.
type changed struct {
	home *Home
	say  screen.Say
}

func (h *Home) remove(run store.RunInfo) tea.Cmd {
	return h.change("deleting "+run.Run, "deleted "+run.Run, func() error { return h.runs.Remove(run.Dir) })
}

func (h *Home) annotate(run store.RunInfo, tags []string, note string) tea.Cmd {
	return h.change("annotating "+run.Run, "tags and note of "+run.Run+" are kept", func() error { return h.runs.Annotate(run.Dir, tags, note) })
}

func (h *Home) change(doing, done string, carryOut func() error) tea.Cmd {
	return h.one.Ask(doing, func() tea.Msg {
		if err := carryOut(); err != nil {
			return changed{h, screen.Say{Text: err.Error(), Bad: true}}
		}
		return changed{h, screen.Say{Text: done}}
	})
}

// view draws the question into lines of a width.
func (q *question) view(look *theme.Theme, width int) []string {
	const most = 2
	out := rows.Paragraphs(look, q.lines, width, most)
	if q.line != nil {
		out = append(out, q.line.View(look, width))
	}
	return out
}
