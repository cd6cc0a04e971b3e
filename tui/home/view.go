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
		side := text.Box(h.describe(aside, room), aside, room)
		main := text.Box(h.body(width-aside-3, room), width-aside-3, room)
		lines = strings.Split(text.Beside(h.env.Theme.Paint(theme.Border, " │ "), main, side), "\n")
	} else {
		below := h.below(height, room)
		lines = h.body(width, room-below)
		for len(lines) < room-below {
			lines = append(lines, "")
		}
		lines = append(lines, h.describe(width, below)...)
	}
	if len(lines) > room {
		lines = lines[:room]
	}
	for len(lines) < room {
		lines = append(lines, "")
	}
	return append(lines, bottom...)
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

// bottom is what is asked, typed or waited for.
func (h *Home) bottom(width int) []string {
	look := h.env.Theme
	var lines []string
	if h.failure != "" {
		lines = rows.Paragraphs(look, []rows.Cell{{Text: theme.Broken + " " + h.failure, Token: theme.Bad}}, width, 2)
	}
	switch doing := h.one.Doing(); {
	case h.question != nil:
		lines = append(lines, h.question.view(look, width)...)
	case h.filter != nil:
		lines = append(lines, h.filter.View(look, width))
	case doing != "":
		lines = append(lines, look.Paint(theme.Accent, text.Safe(doing)+text.Ellipsis))
	}
	return lines
}

// body is the lists: all of them where there is room, else the one in focus below their names.
func (h *Home) body(width, height int) []string {
	if height < stacked {
		lines := []string{h.tabs(width)}
		return append(lines, h.table(h.focus, width, height-len(lines))...)
	}
	var lines []string
	for i, rest := 0, height; i < len(h.lists); i++ {
		// A list takes what it needs, as far as the others keep their share. A head of two lines and a blank line belong to each.
		share := rest / (len(h.lists) - i)
		if i == runsList {
			share = rest - max(rest/4, min(rest/2, len(h.lists[sweepsList].shown)+3))
		} else if need := max(2, len(h.lists[i].shown)) + 3; i < len(h.lists)-1 && need < share {
			share = need
		}
		part := append([]string{h.heading(i)}, h.table(i, width, share-2)...)
		for len(part) < share {
			part = append(part, "")
		}
		lines = append(lines, part[:share]...)
		rest -= share
	}
	return lines
}

// heading is the name of a list and how many entries it has.
func (h *Home) heading(i int) string {
	l, look := &h.lists[i], h.env.Theme
	count := strconv.Itoa(len(l.shown))
	if len(l.shown) != len(l.all) {
		count += "/" + strconv.Itoa(len(l.all))
	}
	if i == h.focus {
		return look.Paint(theme.Focus, theme.Selected+" "+l.name+" "+count) + h.how(i)
	}
	return look.Paint(theme.Muted, "  "+l.name+" "+count) + h.how(i)
}

// how says what a list is filtered and ordered by.
func (h *Home) how(i int) string {
	var parts []string
	if h.needle != "" {
		parts = append(parts, "with “"+text.Safe(h.needle)+"”")
	}
	if i != profilesList && h.order != byAge {
		parts = append(parts, "by "+h.order.String())
	}
	if len(parts) == 0 {
		return ""
	}
	return h.env.Theme.Paint(theme.Warn, "  "+strings.Join(parts, ", "))
}

// tabs is the headings of all lists in a line.
func (h *Home) tabs(width int) string {
	parts := make([]string, len(h.lists))
	for i, l := range h.lists {
		name := l.name + " " + strconv.Itoa(len(l.shown))
		if i == h.focus {
			parts[i] = h.env.Theme.Paint(theme.Focus, theme.Selected+" "+name)
		} else {
			parts[i] = h.env.Theme.Paint(theme.Muted, "  "+name)
		}
	}
	return text.Fit(strings.Join(parts, "  ")+h.how(h.focus), width)
}

// table is a list's rows below the names of its columns, or what there is to do while it has none.
func (h *Home) table(i, width, height int) []string {
	l, look := &h.lists[i], h.env.Theme
	if len(l.shown) == 0 {
		return rows.Paragraphs(look, []rows.Cell{{Text: h.empty(i), Token: theme.Muted}}, width, 4)
	}
	table := rows.Share(l.columns, width)
	lines := []string{table.Head(look)}
	from, to := l.cursor.Sight(len(l.shown), height-1)
	now := h.env.Now()
	for n := from; n < to; n++ {
		lines = append(lines, table.Line(look, n == l.cursor.At && i == h.focus, l.shown[n].cells(now)))
	}
	return lines
}

// empty says why a list has no entries, and what the first step is.
func (h *Home) empty(i int) string {
	l := &h.lists[i]
	switch {
	case len(l.all) > 0:
		return "Nothing contains “" + h.needle + "”. Esc shows all again."
	case i == profilesList:
		return "Reading the profiles" + text.Ellipsis
	case !h.read:
		return "Looking for " + l.name + " in " + h.env.Out + text.Ellipsis
	case h.failure != "":
		return "The " + l.name + " cannot be listed: the reason is below."
	case i == sweepsList:
		return "No sweeps yet: press " + key(keys.StartSweep) + " on a profile that has one, such as ablate-kl."
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
		if p.cost != nil && p.cost.time > 0 {
			return ", about " + figure.About(p.cost.time) + "."
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
