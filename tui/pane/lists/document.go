package lists

import (
	"strings"

	"verge/tui/text"
	"verge/tui/theme"

	"verge/tui/pane"
)

// document is a text that is drawn at any width, and copied without one.
type document []passage

// passage is some lines of a document in one style, below a mark and at a distance from the margin.
type passage struct {
	indent int
	mark   string      // before the first line: a glyph or a label; "" for none
	glyph  theme.Token // of the mark
	text   string      // foreign text of any number of lines
	token  theme.Token // of the text
}

func (d *document) add(p passage) { *d = append(*d, p) }

// heading begins a section.
func (d *document) heading(s string) {
	if len(*d) > 0 {
		d.add(passage{})
	}
	d.add(passage{token: theme.Strong, text: s})
}

// draw wraps the document to a width.
func (d document) draw(c pane.Context, width int) []string {
	var lines []string
	for _, p := range d {
		mark := ""
		if p.mark != "" {
			mark = text.Safe(p.mark) + " "
		}
		// Where the box is narrow the text matters more than how it is set out.
		indent := min(p.indent, width/6)
		under := min(text.Width(mark), width/3)
		for i, s := range text.Wrap(p.text, width-indent-under) {
			start := text.Fit("", indent+under)
			if i == 0 {
				start = text.Fit("", indent) + c.Paint(p.glyph, text.Fit(mark, under))
			}
			lines = append(lines, start+c.Paint(p.token, s))
		}
	}
	return lines
}

// String is the document as plain text, as safe to paste as it is to draw.
func (d document) String() string {
	var b strings.Builder
	for _, p := range d {
		start := strings.Repeat(" ", p.indent)
		if p.mark != "" {
			start += text.Safe(p.mark) + " "
		}
		for line := range strings.SplitSeq(p.text, "\n") {
			b.WriteString(strings.TrimRight(start+text.Safe(line), " ") + "\n")
			start = strings.Repeat(" ", text.Width(start))
		}
	}
	return b.String()
}
