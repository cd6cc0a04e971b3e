// Package runscreen is the screen of a run: its panes in columns or one alone, and what steers the run.
package runscreen

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"verge/tui/board"
	"verge/tui/keys"
	"verge/tui/layout"
	"verge/tui/pane"
	"verge/tui/pane/charts"
	"verge/tui/rows"
	"verge/tui/screen"
	"verge/tui/session"
	"verge/tui/text"
	"verge/tui/theme"
)

// Screen shows one session. It implements screen.Screen.
type Screen struct {
	env     *screen.Env
	session session.Session
	panes   []pane.Pane
	focus   int
	full    bool
	arm     string
	changes []int // made by keys and messages so far, by pane: what was drawn before is stale
	drawn   map[string]drawing
	shown   *board.Snapshot     // that was drawn last
	status  session.Status      // likewise
	held    bool                // these are drawn from until the next tick: a key is answered from what was seen when it was pressed, by what it changes alone
	boxes   map[int]layout.Rect // of the panes as last drawn, by index
}

// drawing is a pane as it was drawn, and what it was drawn from.
type drawing struct {
	board   *board.Snapshot
	status  session.Status
	arm     string
	theme   *theme.Theme
	width   int
	height  int
	focused bool
	changes int
	lines   []string
}

// New makes the screen of a session.
func New(env *screen.Env, s session.Session) *Screen {
	panes := Panes()
	return &Screen{env: env, session: s, panes: panes, changes: make([]int, len(panes)), drawn: map[string]drawing{}, boxes: map[int]layout.Rect{}}
}

// now is what is drawn from.
func (s *Screen) now() (*board.Snapshot, session.Status) {
	if s.held && s.shown != nil {
		return s.shown, s.status
	}
	return s.session.Board(), s.session.Status()
}

func (s *Screen) board() *board.Snapshot {
	b, _ := s.now()
	return b
}

// Session is what the screen shows.
func (s *Screen) Session() session.Session { return s.session }

// Title implements screen.Screen.
func (s *Screen) Title() string {
	b, status := s.board(), s.session.Status()
	title := status.Run
	if b.Run != nil {
		title = text.Safe(b.Run.Profile) + " " + theme.Separator + " " + text.Safe(b.Run.Recipe) + " on " + text.Safe(b.Run.Domain)
		title += " " + theme.Separator + " seed " + number(b.Run.Seed)
	}
	return title
}

func (s *Screen) context() pane.Context {
	b, status := s.now()
	return pane.Context{Snapshot: b, Status: status, Theme: s.env.Theme, Arm: s.armNow(),
		Detail: func(t board.Task) (session.Detail, error) { return s.session.Detail(t.Key) }}
}

// armNow is the arm that is looked at: the one that was chosen, or the one that the run is at, of a corpus the first that it is collected for,
// or the run's first.
func (s *Screen) armNow() string {
	b := s.board()
	if s.arm != "" || b.Run == nil || len(b.Arms) == 0 {
		return s.arm
	}
	if b.Stage != nil && b.Arm(b.Stage.Arm) != nil {
		return b.Stage.Arm
	}
	if b.Stage != nil && b.Ended == nil {
		if arm := charts.ForCorpus(b.Arms); arm != "" {
			return arm
		}
	}
	return b.Arms[0].Name
}

// View implements screen.Screen.
func (s *Screen) View(width, height int) []string {
	s.shown, s.status = s.now()
	defer func(held bool) { s.held = held }(s.held)
	s.held = true // the whole frame is of one instant
	clear(s.boxes)
	lines := append([]string{s.statusLine(width)}, s.problem(width)...)
	lines = append(lines, s.tabs(width))
	area := layout.Rect{X: 0, Y: len(lines), W: width, H: height - len(lines)}
	if area.H <= 0 {
		return lines
	}
	var rects []layout.Rect
	first := 0
	if s.full {
		rects, first = []layout.Rect{area}, s.focus
	} else {
		rects = layout.Grid(area, len(s.panes))
		first = s.focus / len(rects) * len(rects)
		if left := len(s.panes) - first; left < len(rects) {
			rects = layout.Grid(area, left)
		}
	}
	grid := newCanvas(area.H)
	for i, r := range rects {
		s.boxes[first+i] = r
		grid.put(r.Y-area.Y, s.drawPane(first+i, r.W, r.H))
	}
	return append(lines, grid.lines()...)
}

// drawPane is a pane in its border, drawn again only if something changed.
func (s *Screen) drawPane(i, width, height int) []string {
	p, c := s.panes[i], s.context()
	c.Focused = i == s.focus
	now := drawing{board: c.Snapshot, status: c.Status, arm: c.Arm, theme: c.Theme, width: width, height: height, focused: c.Focused, changes: s.changes[i]}
	if was, ok := s.drawn[p.Name()]; ok {
		now.lines = was.lines
		was.lines = nil
		if same(was, now) {
			return now.lines
		}
	}
	now.lines = s.border(c, p.Title(c), p.View(c, width-2, height-2), width, height)
	s.drawn[p.Name()] = now
	return now.lines
}

func same(a, b drawing) bool {
	return a.board == b.board && a.status == b.status && a.arm == b.arm && a.theme == b.theme && a.width == b.width && a.height == b.height &&
		a.focused == b.focused && a.changes == b.changes
}

// border draws lines into a box. The focused one is told by its glyph and its double line, not by colour alone.
func (s *Screen) border(c pane.Context, title string, lines []string, width, height int) []string {
	token, mark, h, v, corners := theme.Border, "", "─", "│", [4]string{"╭", "╮", "╰", "╯"}
	if c.Focused {
		token, mark, h, v, corners = theme.Focus, theme.Selected+" ", "═", "║", [4]string{"╔", "╗", "╚", "╝"}
	}
	t := s.env.Theme
	name := text.Cut(" "+mark+text.Safe(title)+" ", max(0, width-4))
	out := make([]string, 0, height)
	out = append(out, t.Paint(token, corners[0]+h)+t.Paint(theme.Strong, name)+t.Paint(token, strings.Repeat(h, max(0, width-3-text.Width(name)))+corners[1]))
	for i := range max(0, height-2) {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		out = append(out, t.Paint(token, v)+text.Fit(line, width-2)+t.Paint(token, v))
	}
	return append(out, t.Paint(token, corners[2]+strings.Repeat(h, max(0, width-2))+corners[3]))
}

// Scopes implements screen.Screen.
func (s *Screen) Scopes() []keys.Scope {
	scopes := slices.Clone(s.panes[s.focus].Scopes())
	if s.session.Status().Replay.Events > 0 {
		scopes = append(scopes, keys.Replay)
	}
	return append(scopes, keys.Run)
}

// Reading implements screen.Screen.
func (s *Screen) Reading() bool { return s.panes[s.focus].Reading() }

// Type implements screen.Screen.
func (s *Screen) Type(key tea.KeyMsg) tea.Cmd {
	s.held = true
	s.changes[s.focus]++
	return s.panes[s.focus].Type(key, s.context())
}

// Receive implements screen.Screen.
func (s *Screen) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case screen.Tick:
		s.held = false
		return nil
	case tea.MouseMsg:
		return s.mouse(m)
	}
	for i, p := range s.panes {
		s.changes[i]++
		p.Receive(msg, s.context())
	}
	return nil
}

func (s *Screen) mouse(m tea.MouseMsg) tea.Cmd {
	for i, r := range s.boxes {
		if !r.Holds(m.X, m.Y) {
			continue
		}
		if m.Action == tea.MouseActionPress && m.Button == tea.MouseButtonLeft {
			s.focus = i
		}
		if a := rows.Wheel(m); a != "" && i == s.focus {
			return s.Do(a)
		}
		return nil
	}
	return nil
}

// Back implements screen.Screen.
func (s *Screen) Back() bool {
	s.held = true
	s.changes[s.focus]++
	switch p := s.panes[s.focus]; {
	case p.Open():
		p.Do(keys.Back, s.context())
	case s.full:
		s.full = false
	default:
		return false
	}
	return true
}
