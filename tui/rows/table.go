package rows

import (
	"slices"
	"strings"

	"verge/tui/text"
	"verge/tui/theme"
)

// Column is a column of a table.
type Column struct {
	Head  string
	Min   int // cells it needs
	Max   int // cells it can make use of; 0: Min
	Rank  int // the column of the highest gives way first where there is no room; 0: it never does
	Right bool
	Whole bool // Holding sees to it that its cells are cut only where no column of a higher rank is left
	wants int  // cells that it has while there are such columns; 0: Min
}

// Cell is what stands in a column: any text, made safe and cut when it is drawn.
type Cell struct {
	Text  string
	Token theme.Token
	Short string // instead of Text where that has no room; "": Text is cut
}

// Table is columns as they share a width.
type Table struct {
	columns []Column
	widths  []int // 0: left out
	width   int
}

// The cells between two columns, and before the first for the mark of the selected row.
const (
	gap    = "  "
	marker = 2
)

// Share gives columns their part of a width.
func Share(columns []Column, width int) Table {
	t := Table{columns, make([]int, len(columns)), width}
	for i, c := range columns {
		t.widths[i] = max(c.Min, c.wants)
	}
	for t.taken() > width && t.giveWay(t.taken()-width) {
	}
	for left, grown := width-t.taken(), true; left > 0 && grown; {
		grown = false
		for i, c := range columns {
			if left > 0 && t.widths[i] > 0 && t.widths[i] < c.Max {
				t.widths[i]++
				left--
				grown = true
			}
		}
	}
	return t
}

// Holding is columns as some rows make use of them: none has more than the widest of its cells takes, and one that holds nothing is left out, unless
// it never gives way.
func Holding(columns []Column, table [][]Cell) []Column {
	out := slices.Clone(columns)
	for i := range out {
		c := &out[i]
		widest, short := 0, 0
		for _, row := range table {
			width := text.Width(text.Safe(row[i].Text))
			widest = max(widest, width)
			if row[i].Short != "" {
				width = text.Width(text.Safe(row[i].Short))
			}
			short = max(short, width)
		}
		if widest == 0 && c.Rank > 0 {
			c.Min, c.Max = 0, 0
			continue
		}
		c.Max = max(c.Min, min(c.Max, widest))
		if c.Whole {
			c.wants = min(c.Max, short)
		}
	}
	return out
}

// Most is the width that columns can make use of.
func Most(columns []Column) int {
	n := marker - len(gap)
	for _, c := range columns {
		n += len(gap) + max(c.Min, c.Max)
	}
	return n
}

// Width is the cells of a line: those that were shared.
func (t Table) Width() int { return t.width }

// Fits says that every column has the cells it needs.
func (t Table) Fits() bool {
	for _, w := range t.widths {
		if w == 0 {
			return false
		}
	}
	return t.taken() <= t.width
}

func (t Table) taken() int {
	n := marker - len(gap)
	for _, w := range t.widths {
		if w > 0 {
			n += len(gap) + w
		}
	}
	return n
}

// giveWay takes from the column of the highest rank: what is over its need, up to excess, or else all; false when all that are left have no more
// than they need and have to stay.
func (t Table) giveWay(excess int) bool {
	worst := -1
	for i, c := range t.columns {
		if t.widths[i] > 0 && (c.Rank > 0 || t.widths[i] > c.Min) && (worst < 0 || c.Rank >= t.columns[worst].Rank) {
			worst = i
		}
	}
	if worst < 0 {
		return false
	}
	if over := t.widths[worst] - t.columns[worst].Min; over > 0 {
		t.widths[worst] -= min(over, excess)
		return true
	}
	t.widths[worst] = 0
	return true
}

// Head is the line of the columns' names.
func (t Table) Head(look *theme.Theme) string {
	cells := make([]Cell, len(t.columns))
	for i, c := range t.columns {
		cells[i] = Cell{Text: c.Head, Token: theme.Muted}
	}
	return t.line(look, " ", theme.Muted, cells)
}

// Line is a row. The selected one has a mark in front, and what is plain text in it stands out.
func (t Table) Line(look *theme.Theme, selected bool, cells []Cell) string {
	if !selected {
		return t.line(look, " ", theme.Text, cells)
	}
	out := make([]Cell, len(cells))
	for i, c := range cells {
		if c.Token == theme.Text {
			c.Token = theme.Select
		}
		out[i] = c
	}
	return t.line(look, theme.Selected, theme.Select, out)
}

func (t Table) line(look *theme.Theme, mark string, token theme.Token, cells []Cell) string {
	parts := make([]string, 0, len(cells))
	for i, c := range cells {
		width := t.widths[i]
		if width == 0 {
			continue
		}
		s := text.Safe(c.Text)
		if c.Short != "" && text.Width(s) > width {
			s = text.Safe(c.Short)
		}
		if t.columns[i].Right {
			s = text.Right(s, width)
		} else {
			s = text.Fit(s, width)
		}
		parts = append(parts, look.Paint(c.Token, s))
	}
	return text.Fit(look.Paint(token, text.Fit(mark, marker))+strings.Join(parts, gap), t.width)
}
