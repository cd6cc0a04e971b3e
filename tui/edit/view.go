package edit

import (
	"strings"

	"verge/profiles"
	"verge/tui/layout"
	"verge/tui/rows"
	"verge/tui/text"
	"verge/tui/theme"
)

var columns = []rows.Column{{Min: 1}, {Head: "key", Min: 18, Max: 32}, {Head: "value", Min: 14, Max: 44}, {Head: "in the profile", Min: 14, Max: 44, Rank: 1}}

// View implements screen.Screen.
func (e *Edit) View(width, height int) []string {
	bottom := e.bottom(width)
	room := max(0, height-len(bottom))
	var lines []string
	if layout.Columns(width) > 1 {
		left := width * 3 / 5
		right := width - left - 3
		lines = strings.Split(text.Beside(e.env.Theme.Paint(theme.Border, " │ "), text.Box(e.table(left, room), left, room), text.Box(e.explain(right), right, room)), "\n")
	} else {
		below := max(4, room/3)
		lines = append(rows.Fill(e.table(width, room-below), room-below), e.env.Theme.Paint(theme.Border, strings.Repeat("─", max(0, width))))
		about := e.explain(width)
		lines = append(lines, about[:min(len(about), below-1)]...)
	}
	return append(rows.Fill(lines, room), bottom...)
}

// bottom is what is typed, how the values stand, and the command line that does the same.
func (e *Edit) bottom(width int) []string {
	look := e.env.Theme
	var lines []string
	switch {
	case e.grid != nil:
		return e.grid.View(look, width)
	case e.line != nil:
		lines = append(lines, e.line.View(look, width))
	case e.filter.Reading():
		lines = append(lines, e.filter.View(look, width))
	}
	state := rows.Cell{Text: e.summary(), Token: theme.Muted}
	faults := e.values.faults()
	if len(faults) > 0 {
		state.Token = theme.Bad
	} else if e.cost.of != nil && e.cost.of == e.values.result {
		state.Text += " " + e.cost.takes.String()
	}
	if doing := e.one.Doing(); doing != "" {
		state = rows.Cell{Text: doing + text.Ellipsis, Token: theme.Accent}
	}
	lines = append(lines, rows.Paragraphs(look, []rows.Cell{state}, width, 2)...)
	const most = 2
	for _, fault := range faults[:min(len(faults), most)] {
		lines = append(lines, rows.Paragraphs(look, []rows.Cell{{Text: theme.Fail + " " + fault, Token: theme.Bad}}, width, 2)...)
	}
	return append(lines, rows.Paragraphs(look, []rows.Cell{{Text: e.values.command("run"), Token: theme.Accent}}, width, 3)...)
}

// table is the keys below the names of their tables.
func (e *Edit) table(width, height int) []string {
	look := e.env.Theme
	e.places.Draw(width)
	if len(e.shown) == 0 {
		return []string{look.Paint(theme.Muted, text.Cut("No key contains “"+text.Safe(e.filter.Text)+"”. Esc shows all again.", width))}
	}
	table := rows.Share(columns, width)
	lines := []string{table.Head(look)}
	e.places.Add(rows.None)
	for _, l := range e.list.Lines(len(e.shown), height-1, e.begins) {
		k := e.shown[l.Row]
		if l.Heading {
			e.places.Add(rows.None)
			section, _ := split(k.Name)
			lines = append(lines, look.Paint(theme.Strong, text.Cut("["+section+"]", width)))
			continue
		}
		e.places.Add(l.Row)
		lines = append(lines, table.Line(look, l.Row == e.list.At, e.cells(k)))
	}
	return lines
}

// begins says that a key that is shown is the first of its table.
func (e *Edit) begins(i int) bool {
	section, _ := split(e.shown[i].Name)
	before := ""
	if i > 0 {
		before, _ = split(e.shown[i-1].Name)
	}
	return section != before
}

// cells is a key's row: a mark where it was changed or is wrong, its value, the profile's where that is another.
func (e *Edit) cells(k profiles.Key) []rows.Cell {
	v := &e.values
	_, name := split(k.Name)
	out := []rows.Cell{{}, {Text: name}, {Text: v.text(k.Name)}, {}}
	if _, changed := v.typed(k.Name); changed {
		out[0] = rows.Cell{Text: "*", Token: theme.Warn}
		out[2].Token = theme.Warn
		out[3] = rows.Cell{Text: profiles.Plain(v.start[k.Name]), Token: theme.Muted}
	}
	if why, bad := v.wrong[k.Name]; bad {
		out[0] = rows.Cell{Text: theme.Fail, Token: theme.Bad}
		out[2].Token = theme.Bad
		out[3] = rows.Cell{Text: why, Token: theme.Bad}
	}
	return out
}

// explain says all about the selected key.
func (e *Edit) explain(width int) []string {
	if len(e.shown) == 0 {
		return nil
	}
	k := e.shown[e.list.At]
	v := &e.values
	cells := []rows.Cell{{Text: k.Name + " = " + v.text(k.Name), Token: theme.Strong}}
	if why, bad := v.wrong[k.Name]; bad {
		cells = append(cells, rows.Cell{Text: theme.Fail + " " + why, Token: theme.Bad})
	}
	for line := range strings.SplitSeq(k.Meaning, "\n") {
		cells = append(cells, rows.Cell{Text: line})
	}
	cells = append(cells, rows.Cell{Text: "In the profile: " + v.start[k.Name] + "; by default: " + k.Default + ".", Token: theme.Muted})
	return rows.Paragraphs(e.env.Theme, cells, width, 8)
}

func split(key string) (table, name string) {
	i := strings.LastIndexByte(key, '.')
	return key[:max(i, 0)], key[i+1:]
}
