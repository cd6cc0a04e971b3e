package home

import (
	"strconv"
	"strings"

	"verge/profiles"
	"verge/tui/figure"
	"verge/tui/keys"
	"verge/tui/layout"
	"verge/tui/rows"
	"verge/tui/text"
	"verge/tui/theme"
)

// stacked is the height from which all lists are shown at once, one below the other.
const stacked = 24

// aside is the width of the column beside the lists that describes the selected entry, where the screen has room for it.
const aside = 60

// View implements screen.Screen.
func (h *Home) View(width, height int) []string {
	bottom := h.bottom(width)
	room := max(0, height-len(bottom))
	var lines []string
	if layout.Columns(width) == 3 {
		left := width - aside - 3
		lines = strings.Split(text.Beside(h.env.Theme.Paint(theme.Border, " │ "), text.Box(h.body(left, room), left, room), text.Box(h.describe(aside, room), aside, room)), "\n")
	} else {
		below := h.below(height, room)
		lines = append(rows.Fill(h.body(width, room-below), room-below), h.describe(width, below)...)
	}
	return append(rows.Fill(lines, room), bottom...)
}

// below is how many lines are left below the lists to describe the selected entry: a few, and more where the list in focus does not need
// them.
func (h *Home) below(height, room int) int {
	least := min(7, max(3, height/5))
	if room-least >= stacked {
		return least
	}
	const tabsAndHead = 2
	return max(least, min(9, room-len(h.lists[h.focus].shown)-tabsAndHead))
}

// bottom is what went wrong, and what is asked, typed or waited for.
func (h *Home) bottom(width int) []string {
	look := h.env.Theme
	var lines []string
	for _, why := range h.failures {
		if why != "" {
			lines = append(lines, rows.Paragraphs(look, []rows.Cell{{Text: theme.Broken + " " + why, Token: theme.Bad}}, width, 2)...)
		}
	}
	switch doing := h.one.Doing(); {
	case h.question != nil:
		lines = append(lines, h.question.view(look, width)...)
	case h.grid != nil:
		lines = append(lines, h.grid.View(look, width)...)
	case h.filter.Reading():
		lines = append(lines, h.filter.View(look, width))
	case doing != "":
		lines = append(lines, look.Paint(theme.Accent, text.Safe(doing)+text.Ellipsis))
	}
	return lines
}

// body is the lists: all of them where there is room, else the one in focus below the names of all.
func (h *Home) body(width, height int) []string {
	const gap = "  "
	var names, lines []string
	at := 0
	for i := range h.lists {
		names = append(names, h.heading(i))
		h.lists[i].places.Draw(width)
		at += text.Width(names[i]) + len(gap)
		h.tabs[i] = at
	}
	h.tabbed = height < stacked
	if h.tabbed {
		tabs := text.Fit(strings.Join(names, gap)+h.how(h.focus), width)
		return append([]string{tabs}, h.table(h.focus, 1, width, height-1)...)
	}
	for i, part := range h.heights(height) {
		lines = append(lines, names[i]+h.how(i))
		lines = append(lines, rows.Fill(h.table(i, len(lines), width, part-2), part-1)...)
	}
	return lines
}

// heights divides a height among the lists: profiles and sweeps take what they need, a third each at the most, and runs the rest.
func (h *Home) heights(height int) [3]int {
	var out [3]int
	out[runsList] = height
	for _, i := range []int{profilesList, sweepsList} {
		const headingHeadAndBlank = 3
		out[i] = min(height/3, max(2, len(h.lists[i].shown))+headingHeadAndBlank)
		out[runsList] -= out[i]
	}
	return out
}

// heading is the name of a list and how many entries it has.
func (h *Home) heading(i int) string {
	l, look := &h.lists[i], h.env.Theme
	name := l.name + " " + strconv.Itoa(len(l.shown))
	switch {
	case len(l.all) == 0 && (i == profilesList || !h.read):
		name = l.name + " " + text.Ellipsis // they are being read
	case len(l.shown) != len(l.all):
		name += "/" + strconv.Itoa(len(l.all))
	}
	if i == h.focus {
		return look.Paint(theme.Focus, theme.Selected+" "+name)
	}
	return look.Paint(theme.Muted, "  "+name)
}

// how says what a list is filtered and ordered by.
func (h *Home) how(i int) string {
	var parts []string
	if h.filter.Text != "" {
		parts = append(parts, "with “"+text.Safe(h.filter.Text)+"”")
	}
	if i != profilesList && h.order != byAge {
		parts = append(parts, "by "+h.order.String())
	}
	if len(parts) == 0 {
		return ""
	}
	return h.env.Theme.Paint(theme.Warn, "  "+strings.Join(parts, ", "))
}

// table is a list's rows below the names of its columns, or what there is to do while it has none; top is the line of the screen that it begins at.
func (h *Home) table(i, top, width, height int) []string {
	l, look := &h.lists[i], h.env.Theme
	if len(l.shown) == 0 {
		return rows.Paragraphs(look, []rows.Cell{{Text: h.empty(i), Token: theme.Muted}}, width, 4)
	}
	table := rows.Share(l.holding, width)
	lines := []string{table.Head(look)}
	from, to := l.cursor.Sight(len(l.shown), height-1)
	for range top + len(lines) {
		l.places.Add(rows.None)
	}
	now := h.env.Now()
	for n := from; n < to; n++ {
		l.places.Add(n)
		lines = append(lines, table.Line(look, n == l.cursor.At && i == h.focus, l.shown[n].cells(now)))
	}
	return lines
}

// empty says why a list has no entries, and what the first step is.
func (h *Home) empty(i int) string {
	l := &h.lists[i]
	switch {
	case len(l.all) > 0:
		return "Nothing contains “" + h.filter.Text + "”. Esc shows all again."
	case i == profilesList:
		return "Reading the profiles" + text.Ellipsis
	case !h.read:
		return "Looking for " + l.name + " in " + h.env.Out + text.Ellipsis
	case h.failures[i] != "":
		return "The " + l.name + " cannot be listed: the reason is below."
	case i == sweepsList:
		return "No sweeps yet: press " + key(keys.StartSweep) + " on a profile to run it over a grid of settings and seeds; ablate-kl has one to begin with."
	}
	return "No runs yet. Press " + key(keys.StartRun) + " on profile " + first + " to make one" + h.firstTime()
}

// firstTime ends a sentence on that run with how long it takes, in the words of its profile where no run tells.
func (h *Home) firstTime() string {
	for _, e := range h.lists[profilesList].all {
		if !isFirst(e) {
			continue
		}
		p := e.(profileEntry)
		if p.cost != nil && p.cost.takes.Time > 0 {
			return ", about " + figure.About(p.cost.takes.Time) + "."
		}
		return ". " + p.profile.Description + "."
	}
	return "."
}

// describe says more of the selected entry.
func (h *Home) describe(width, height int) []string {
	look := h.env.Theme
	lines := []string{look.Paint(theme.Border, strings.Repeat("─", max(0, width)))}
	e := h.selected()
	if e == nil {
		return lines
	}
	most := 1
	switch {
	case height >= 12:
		most = 6
	case height >= 6:
		most = 2
	}
	cells := e.detail(h.env.Now())
	if p, ok := e.(profileEntry); ok && p.err == nil && height >= 20 {
		cells = append(cells[:len(cells)-1], arms(p.profile)...)
	}
	lines = append(lines, rows.Paragraphs(look, cells, width, most)...)
	return lines[:min(len(lines), max(0, height))]
}

// arms says what each arm of a profile does.
func arms(p *profiles.Profile) []rows.Cell {
	var out []rows.Cell
	for _, arm := range p.Run.Arms {
		out = append(out, rows.Cell{Text: arm + ": " + profiles.ArmMeaning(p.Run.Recipe, arm)})
	}
	return out
}
