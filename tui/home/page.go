package home

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"verge/profiles"
	"verge/tui/edit"
	"verge/tui/grid"
	"verge/tui/keys"
	"verge/tui/launch"
	"verge/tui/rows"
	"verge/tui/screen"
	"verge/tui/sweepboard"
	"verge/tui/text"
	"verge/tui/theme"
	"verge/tui/work"
)

// page is a profile's own screen: what it is for, what its arms do, what it costs. It implements screen.Screen.
type page struct {
	env     *screen.Env
	home    *Home // which knows the cost
	profile profileEntry
	scroll  rows.Scroll
	one     work.One
	grid    *grid.Question // while a sweep's axes and seeds are typed
}

func newPage(h *Home, p profileEntry) *page { return &page{env: h.env, home: h, profile: p} }

// Title implements screen.Screen.
func (p *page) Title() string { return "profile " + text.Safe(p.profile.name) }

// View implements screen.Screen.
func (p *page) View(width, height int) []string {
	look := p.env.Theme
	var lines []string
	for _, cell := range p.content() {
		lines = append(lines, rows.Paragraphs(look, []rows.Cell{cell}, width, 20)...)
	}
	var bottom []string
	if p.grid != nil {
		bottom = p.grid.View(look, width)
	} else if doing := p.one.Doing(); doing != "" {
		bottom = []string{look.Paint(theme.Accent, text.Safe(doing)+text.Ellipsis)}
	}
	room := max(0, height-len(bottom))
	from, to := p.scroll.Sight(len(lines), room)
	return append(rows.Fill(lines[from:to], room), bottom...)
}

func (p *page) content() []rows.Cell {
	q := p.profile.profile
	out := []rows.Cell{
		{Text: q.Title, Token: theme.Strong},
		{Text: q.Description},
		{},
		{Text: p.cost().inWords(), Token: theme.Accent},
		{Text: fmt.Sprintf("Recipe %s on %s. A task is in band when %s to %s of %d attempts are right.", q.Run.Recipe, q.Run.Domain, q.Target.Low, q.Target.High, q.Target.Attempts)},
		{Text: fmt.Sprintf("Generator %s, solver %s. Seed %d.", q.Roles.Generator.Model, q.Roles.Solver.Model, q.Run.Seed)},
		{},
		{Text: "Arms", Token: theme.Strong},
	}
	longest := 0
	for _, arm := range q.Run.Arms {
		longest = max(longest, text.Width(arm))
	}
	for _, arm := range q.Run.Arms {
		out = append(out, rows.Cell{Text: "  " + text.Fit(text.Safe(arm), longest) + "  " + profiles.ArmMeaning(q.Run.Recipe, arm)})
	}
	if grid.Runs(q) > 1 {
		out = append(out, rows.Cell{}, rows.Cell{Text: "Sweep", Token: theme.Strong})
		for _, a := range q.Sweep.Axes {
			out = append(out, rows.Cell{Text: a.String()})
		}
		out = append(out, rows.Cell{Text: grid.Size(q) + "."})
	}
	return append(out, rows.Cell{}, rows.Cell{Text: "verge run " + p.profile.name, Token: theme.Muted})
}

// cost is nil until it has been worked out.
func (p *page) cost() *cost {
	if c, ok := p.home.costs[p.profile.hash]; ok {
		return &c
	}
	return nil
}

// Scopes implements screen.Screen.
func (p *page) Scopes() []keys.Scope { return []keys.Scope{keys.Profile, keys.Scroll} }

// Refusal implements screen.Screen.
func (p *page) Refusal(a keys.Action) string {
	switch a {
	case keys.StartRun, keys.StartSweep:
		return launch.Wait(&p.one)
	}
	return ""
}

// Do implements screen.Screen.
func (p *page) Do(a keys.Action) tea.Cmd {
	switch a {
	case keys.StartRun:
		return launch.Start(p.env, &p.one, p.profile.name, p.profile.profile)
	case keys.EditValues:
		return show(edit.New(p.env, p.profile.name, p.profile.profile))
	case keys.StartSweep:
		p.grid = grid.Ask(p.profile.profile)
		return nil
	}
	p.scroll.Move(a)
	return nil
}

// Reading implements screen.Screen.
func (p *page) Reading() bool { return p.grid != nil }

// Type implements screen.Screen.
func (p *page) Type(k tea.KeyMsg) tea.Cmd { return sweepboard.Type(p.env, &p.one, &p.grid, k) }

// Receive implements screen.Screen. The tick, which only the screen on top is given, goes on to the one that works out the cost.
func (p *page) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case screen.Tick:
		return p.home.Receive(m)
	case tea.MouseMsg:
		p.scroll.Move(rows.Wheel(m))
	}
	return nil
}

// Back implements screen.Screen.
func (p *page) Back() bool { return p.one.GiveUp() }
