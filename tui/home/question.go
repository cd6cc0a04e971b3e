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

// question is what a person is asked before a run or a sweep is changed.
type question struct {
	run   store.RunInfo // that tags and a note are of
	lines []rows.Cell   // what is asked
	line  *prompt.Line  // that is typed; nil: y or n
	tags  *[]string     // that were typed, when the note is
	yes   func() tea.Cmd
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

// sized brings the question about what is to be deleted, once it is known how much that is.
type sized struct {
	home     *Home
	question *question
}

// askDelete looks at what would be lost, and asks.
func (h *Home) askDelete(e runEntry) tea.Cmd {
	return h.one.Ask("looking at "+e.Run, func() tea.Msg {
		events, bytes, err := h.runs.Size(e.Dir)
		if err != nil {
			return screen.Say{Text: err.Error(), Bad: true}
		}
		q := deletion(e.Run, e.Headline, fmt.Sprintf("%s, every proposal and attempt among them, and all else in %s, %s.", figure.Counted(events, "event"), e.Dir, figure.Bytes(bytes)))
		if len(e.Tags) > 0 || e.Note != "" {
			q.lines = append(q.lines, rows.Cell{Text: strings.TrimSpace("Its tags and note: " + strings.Join(e.Tags, " ") + "  " + e.Note)})
		}
		q.yes = func() tea.Cmd { return h.remove(e.Run, func() error { return h.runs.Remove(e.Dir) }) }
		return sized{h, q}
	})
}

func (h *Home) askDeleteSweep(e sweepEntry) tea.Cmd {
	return h.one.Ask("looking at sweep "+e.Name, func() tea.Msg {
		runs, bytes, err := h.runs.SweepSize(e.Dir)
		if err != nil {
			return screen.Say{Text: err.Error(), Bad: true}
		}
		name := "sweep " + e.Name
		q := deletion(name, e.Headline, fmt.Sprintf("%s with every proposal and attempt, and all else in %s, %s.", figure.Counted(runs, "run"), e.Dir, figure.Bytes(bytes)))
		q.yes = func() tea.Cmd { return h.remove(name, func() error { return h.env.Launcher.RemoveSweep(e.Dir) }) }
		return sized{h, q}
	})
}

// deletion asks whether something is to be deleted.
func deletion(name, headline, lost string) *question {
	q := &question{lines: []rows.Cell{{Text: "Delete " + name + "?", Token: theme.Bad}, {Text: "Lost for good: " + lost}}}
	if headline != "" {
		q.lines = append(q.lines, rows.Cell{Text: "Its figure: " + headline})
	}
	return q
}

// answer takes a key of the answer to the question.
func (h *Home) answer(k tea.KeyMsg) tea.Cmd {
	q := h.question
	if q.line == nil {
		switch k.String() {
		case "y", "Y":
			h.question = nil
			return q.yes()
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

// changed brings what came of a change.
type changed struct {
	home *Home
	say  screen.Say
}

func (h *Home) remove(name string, carryOut func() error) tea.Cmd {
	return h.change("deleting "+name, "deleted "+name, carryOut)
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
		return append(out, q.line.View(look, width))
	}
	return append(out, rows.Paragraphs(look, []rows.Cell{{Text: "y deletes it, n or Esc keeps it", Token: theme.Accent}}, width, most)...)
}
