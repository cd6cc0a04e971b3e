package lists

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/figure"
	"verge/tui/keys"
	"verge/tui/pane"
	"verge/tui/text"
	"verge/tui/theme"
)

// tasksPane is a list of all proposals, and what is known of one that was opened.
type tasksPane struct {
	search search
	order  order
	ofArm  bool // only proposals of the arm that is looked at are shown

	listed listing
	coming *wanted // the list that a command makes; nil: none

	// What is selected is a row of Snapshot.Tasks and not a place in the list, and it keeps its line on the screen, so that it stays where
	// it is while the list grows. At the first place nothing is picked: it follows what comes.
	picked   bool
	moved    bool // by a person, so that another order keeps what is selected
	selected int
	line     int // of the selected row, below the first that is shown
	page     int // rows that were shown last

	open *opened // nil: the list is shown
	last int     // number of the last request for details
	tty  terminal
}

func newTasks() *tasksPane { return &tasksPane{tty: openTerminal} }

func (*tasksPane) Name() string { return "tasks" }

func (p *tasksPane) Title(c pane.Context) string {
	if p.open != nil {
		return "task " + text.Safe(p.open.task.Key.String())
	}
	return "tasks"
}

func (p *tasksPane) Scopes() []keys.Scope {
	if p.open != nil {
		return []keys.Scope{keys.Task, keys.Scroll}
	}
	return []keys.Scope{"tasks", keys.Scroll}
}

func (p *tasksPane) Open() bool    { return p.open != nil || p.search.set() }
func (p *tasksPane) Reading() bool { return p.search.reading() }

func (p *tasksPane) Do(a keys.Action, c pane.Context) tea.Cmd {
	p.refresh(c)
	switch a {
	case keys.Open:
		return p.show(c, p.place(c))
	case keys.Next:
		return p.show(c, p.place(c)+1)
	case keys.Previous:
		return p.show(c, p.place(c)-1)
	case keys.Copy:
		return p.copy(c)
	case keys.Expand:
		if p.open != nil {
			p.open.expand()
		}
	case keys.Back: // whoever goes back carries out no command: the list is made as it is drawn
		p.back()
		return nil
	case keys.Search:
		p.search.start()
	case keys.Sort:
		p.hold(c)
		p.order = (p.order + 1) % orders
	case keys.AllArms:
		p.hold(c)
		p.ofArm = !p.ofArm
	default:
		if p.open != nil {
			p.open.scroll.Move(a)
		} else {
			p.move(c, a)
		}
	}
	return p.relist(c)
}

func (p *tasksPane) back() {
	if p.open != nil {
		p.open = nil
		return
	}
	p.search.clear()
}

func (p *tasksPane) Type(key tea.KeyMsg, c pane.Context) tea.Cmd {
	p.search.key(key)
	return p.relist(c)
}

// wanted is the list that is asked for.
func (p *tasksPane) wanted(c pane.Context) wanted {
	w := wanted{order: p.order, text: p.search.matcher().want}
	if p.ofArm {
		w.ofArm, w.arm = true, c.Arm
	}
	return w
}

// long is from how many tasks on another list of them takes longer than a key may.
const long = 5000

// relisted is a list that a command has made.
type relisted struct {
	of *tasksPane
	listing
}

// relist is the command that makes the list that is asked for, where that takes a while. Meanwhile the one before is shown.
func (p *tasksPane) relist(c pane.Context) tea.Cmd {
	w := p.wanted(c)
	if w == p.listed.wanted || w.everything() || c.Tasks.Len() < long || p.coming != nil && *p.coming == w {
		return nil
	}
	p.coming = &w
	return func() tea.Msg {
		l := listing{wanted: w}
		l.update(c.Tasks)
		return relisted{p, l}
	}
}

// refresh brings the list up to the snapshot and to what is asked for.
func (p *tasksPane) refresh(c pane.Context) {
	w := p.wanted(c)
	if p.coming != nil && *p.coming != w {
		p.coming = nil
	}
	if p.coming == nil && w != p.listed.wanted {
		p.listed = listing{wanted: w}
	}
	p.listed.update(c.Tasks)
}

// place is where the selected row is in the list, or would be.
func (p *tasksPane) place(c pane.Context) int {
	if !p.picked || p.selected >= c.Tasks.Len() {
		return 0
	}
	return max(0, min(p.listed.find(p.selected), p.listed.len()-1))
}

// hold keeps selected what a person has selected, also where it is at the first place, when another list is about to be shown.
func (p *tasksPane) hold(c pane.Context) {
	if p.moved && p.listed.len() > 0 {
		p.selected, p.picked = p.listed.row(p.place(c)), true
	}
}

// pick selects a place of the list.
func (p *tasksPane) pick(c pane.Context, i int) {
	i = max(0, min(i, p.listed.len()-1))
	p.line = max(0, min(p.line+i-p.place(c), p.page-1))
	p.picked, p.moved = i > 0, true
	if p.picked {
		p.selected = p.listed.row(i)
	}
}

func (p *tasksPane) move(c pane.Context, a keys.Action) {
	i, page := p.place(c), max(1, p.page-1)
	switch a {
	case keys.Up:
		p.pick(c, i-1)
	case keys.Down:
		p.pick(c, i+1)
	case keys.PageUp:
		p.pick(c, i-page)
	case keys.PageDown:
		p.pick(c, i+page)
	case keys.Top:
		p.pick(c, 0)
	case keys.Bottom:
		p.pick(c, p.listed.len())
	}
}

func (p *tasksPane) View(c pane.Context, width, height int) []string {
	if c.Tasks.Len() == 0 {
		return pane.Nothing(c, width, "Every task that a generator proposes is listed here, with its validity, its probe score and how often it was solved. One that is "+
			"opened shows the prompt, the reply, what gates decided, and every attempt.", "Every recipe proposes tasks.")
	}
	p.refresh(c)
	if p.open != nil {
		place := fmt.Sprintf("%s of %s", figure.Count(p.place(c)+1), figure.Count(p.listed.len()))
		return p.open.view(c, place, width, height)
	}
	lines := append(p.search.view(c, width), p.status(c, width))
	if p.listed.len() == 0 && p.coming == nil {
		return append(lines, c.PaintAll(theme.Muted, text.Wrap(p.empty(), width))...)
	}
	shape := taskShape(width, c.Run.Attempts)
	lines = append(lines, shape.head(c, p.listed.order, width))
	p.page = max(1, height-len(lines))
	i := p.place(c)
	top := max(0, min(i-min(p.line, p.page-1), p.listed.len()-p.page))
	p.line = i - top
	for at := top; at < min(top+p.page, p.listed.len()); at++ {
		lines = append(lines, shape.row(c, c.Tasks.At(p.listed.row(at)), at == i, width))
	}
	return lines
}

// status says what is listed.
func (p *tasksPane) status(c pane.Context, width int) string {
	if p.coming != nil {
		return c.Paint(theme.Accent, text.Cut("listing "+figure.Count(c.Tasks.Len())+" tasks anew: "+p.order.words(), width))
	}
	parts := []string{figure.Counted(c.Tasks.Len(), "task")}
	if p.search.set() || p.ofArm {
		parts[0] = figure.Count(p.listed.len()) + " of " + parts[0]
	}
	arms := "all arms"
	if p.ofArm {
		arms = "arm " + text.Safe(p.listed.arm)
	}
	return c.Paint(theme.Muted, text.Cut(strings.Join(append(parts, arms, p.order.words()), " "+theme.Separator+" "), width))
}

func (p *tasksPane) empty() string {
	var why []string
	if p.ofArm {
		why = append(why, fmt.Sprintf("of arm %s", text.Safe(p.listed.arm)))
	}
	if p.search.set() {
		why = append(why, "with this text in statement, type, arm or reason")
	}
	return "There is no task " + strings.Join(why, " and ") + "."
}
