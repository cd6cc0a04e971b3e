package lists

import (
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"verge/profiles"
	"verge/runner/event"
	"verge/tui/board"
	"verge/tui/keys"
	"verge/tui/pane"
	"verge/tui/rows"
	"verge/tui/screen"
	"verge/tui/session"
	"verge/tui/text"
	"verge/tui/theme"
)

// opened is a task that is shown in full.
type opened struct {
	request int // its number: an answer to another one is dropped
	row     int // of Snapshot.Tasks
	task    board.Task
	read    *reading // nil until it is there
	err     error
	scroll  rows.Scroll
	prompts bool // of attempts, in full

	lines []string // as last drawn, for:
	width int
	theme *theme.Theme
}

// reading is what was looked up of a task.
type reading struct {
	detail  session.Detail
	gates   []board.Decision
	invalid float64 // policy.invalid_reward
	profile error   // why invalid is not known
}

// brought is the answer to a request for the details of a task.
type brought struct {
	of      *tasksPane
	request int
	reading *reading
	err     error
}

// show opens the task at a place of the list, which becomes the selected one.
func (p *tasksPane) show(c pane.Context, place int) tea.Cmd {
	switch {
	case p.listed.len() == 0:
		return nil
	case place < 0:
		return tell("this is the first task of the list")
	case place >= p.listed.len():
		return tell("this is the last task of the list")
	}
	p.pick(c, place)
	p.picked, p.selected = true, p.listed.row(place) // the first one too: what comes is not what is read
	p.last++
	o := &opened{request: p.last, row: p.selected, prompts: p.open != nil && p.open.prompts}
	o.task = c.Tasks.At(o.row)
	p.open = o
	return func() tea.Msg {
		r, err := look(c, o.row)
		return brought{p, o.request, r, err}
	}
}

// tell is the command that says a sentence in the footer.
func tell(s string) tea.Cmd {
	return func() tea.Msg { return screen.Say{Text: s} }
}

// look reads all that is known of a row of Snapshot.Tasks. It blocks.
func look(c pane.Context, row int) (*reading, error) {
	d, err := c.Detail(c.Tasks.At(row))
	if err != nil {
		return nil, err
	}
	r := &reading{detail: d}
	for i := range c.Decisions.Len() {
		if g := c.Decisions.At(i); g.Task == row {
			r.gates = append(r.gates, g)
		}
	}
	r.invalid, r.profile = invalidReward(c.Run)
	return r, nil
}

// invalidReward is policy.invalid_reward of the profile that a run recorded.
func invalidReward(run *event.RunStarted) (float64, error) {
	if run.Resolved == "" {
		return 0, errors.New("the run did not record its profile")
	}
	p, err := profiles.Parse(run.Profile, run.Resolved, nil)
	if err != nil {
		return 0, err
	}
	return p.Policy.InvalidReward, nil
}

// Receive implements pane.Pane: details that come for a task that is no longer open are dropped, and lists that are no longer asked for.
func (p *tasksPane) Receive(msg tea.Msg, c pane.Context) {
	switch m := msg.(type) {
	case brought:
		if m.of == p && p.open != nil && p.open.request == m.request {
			p.open.read, p.open.err, p.open.lines = m.reading, m.err, nil
		}
	case relisted:
		if m.of == p && p.coming != nil && *p.coming == m.wanted {
			p.listed, p.coming = m.listing, nil
		}
	}
}

func (o *opened) expand() {
	o.prompts = !o.prompts
	o.lines = nil
}

// view draws the task below its place in the list.
func (o *opened) view(c pane.Context, place string, width, height int) []string {
	if o.lines == nil || o.width != width || o.theme != c.Theme {
		o.lines, o.width, o.theme = o.draw(c, width), width, c.Theme
	}
	if o.grown(c) {
		place += " " + theme.Separator + " more is known by now: " + keys.Bindings.Name(keys.Open, keys.Task) + " reads it"
	}
	return append([]string{c.Paint(theme.Muted, text.Cut(place, width))}, pane.Scrolled(c, &o.scroll, o.lines, width, height-1)...)
}

// grown says that more has happened to the task than was read of it.
func (o *opened) grown(c pane.Context) bool {
	if o.read == nil || o.row >= c.Tasks.Len() {
		return false
	}
	now, d := c.Tasks.At(o.row), o.read.detail
	return now.Key == o.task.Key && (now.Attempts() > len(d.Attempts) || now.Validated && d.Validated == nil || now.Scored && len(d.Scores) == 0)
}

func (o *opened) draw(c pane.Context, width int) []string {
	switch {
	case o.err != nil:
		return c.PaintAll(theme.Bad, text.Wrap("The task could not be read: "+o.err.Error(), width))
	case o.read == nil:
		return []string{c.Paint(theme.Muted, text.Cut("reading the task", width))}
	}
	return taskDocument(c.State, o.read, o.prompts).draw(c, width)
}
