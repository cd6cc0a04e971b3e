package chart

import (
	"strings"

	"verge/tui/text"
	"verge/tui/theme"
)

// Heat is a table of values with the background of each showing how large it is.
type Heat struct {
	Rows, Columns []string
	Values        [][]float64          // by row and column; not finite where there is none
	Low, High     float64              // the values of the lightest and of the darkest cell
	Text          func(float64) string // of a value; nil: Number
}

var shades = []rune(" ░▒▓█")

// Draw draws a heading of columns and as many rows as height has room for. A cell is the value and a glyph that is the darker the larger
// the value. Columns that have no room are left out and counted in the heading; so are rows, in the last line.
func (h Heat) Draw(t *theme.Theme, width, height int) []string {
	if none(width, height) {
		return nil
	}
	labels := 0
	for _, row := range h.Rows {
		labels = max(labels, text.Width(text.Safe(row)))
	}
	labels = min(labels, max(4, width/3))
	pitch := 0
	for _, column := range h.Columns {
		pitch = max(pitch, min(10, text.Width(text.Safe(column))))
	}
	for _, row := range h.Values {
		for _, v := range row {
			pitch = max(pitch, text.Width(h.figure(v))+2)
		}
	}
	shown := len(h.Columns)
	if fit := (width - labels) / (pitch + 1); fit < shown {
		shown = max(0, (width-labels-5)/(pitch+1)) // less "+NN"
	}
	if shown == 0 || height < 2 {
		return box([]string{t.Paint(theme.Muted, "too small for "+Number(float64(len(h.Rows)))+" × "+Number(float64(len(h.Columns)))+" values")}, width, height)
	}
	head := strings.Repeat(" ", labels)
	for _, column := range h.Columns[:shown] {
		head += " " + text.Right(text.Safe(column), pitch)
	}
	if more := len(h.Columns) - shown; more > 0 {
		head += " +" + Number(float64(more))
	}
	lines := []string{t.Paint(theme.Muted, head)}
	rows := len(h.Rows)
	if rows > height-1 {
		rows = height - 2
	}
	for i := range rows {
		line := text.Fit(text.Safe(h.Rows[i]), labels)
		for j := range shown {
			line += " " + h.cell(t, i, j, pitch)
		}
		lines = append(lines, line)
	}
	if more := len(h.Rows) - rows; more > 0 {
		lines = append(lines, moreLine(t, more))
	}
	return box(lines, width, height)
}

func (h Heat) cell(t *theme.Theme, i, j, width int) string {
	if i >= len(h.Values) || j >= len(h.Values[i]) || !finite(h.Values[i][j]) {
		return t.Paint(theme.Muted, text.Right(Undefined, width))
	}
	v := h.Values[i][j]
	heat := unit(v, h.Low, h.High)
	glyph := shades[min(len(shades)-1, int(heat*float64(len(shades))))]
	return t.Heat(heat, string(glyph)+text.Right(h.figure(v), width-1))
}

func (h Heat) figure(v float64) string {
	if h.Text == nil || !finite(v) {
		return Number(v)
	}
	return h.Text(v)
}
