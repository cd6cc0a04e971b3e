package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/charmbracelet/x/ansi"
)

// Style is what tables are written for.
type Style struct {
	Blocks bool // block characters can be shown, as in UTF-8
	Width  int  // columns of the terminal; 0: no limit, as in a file
}

// page is a text of prose and tables that keeps within a width.
type page struct {
	bytes.Buffer
	style Style
}

// print writes the page.
func (p *page) print(w io.Writer) error {
	_, err := w.Write(p.Bytes())
	return err
}

// prose adds a paragraph, in lines of whole words.
func (p *page) prose(format string, args ...any) {
	lines := []string{fmt.Sprintf(format, args...)}
	if p.style.Width > 0 {
		lines = wrap(lines[0], p.style.Width)
	}
	p.WriteString(strings.Join(lines, "\n") + "\n")
}

// title adds a line over the table that comes next.
func (p *page) title(text string) {
	p.WriteString("\n")
	p.prose("%s:", text)
	p.Truncate(p.Len() - 1) // grid begins a line
}

// grid adds a table of aligned columns under headings. One that is too wide gets headings of several lines, and if that is not enough is cut
// into several tables, one below the other, which each begin with the first columns: keys of them, by which a row is known.
func (p *page) grid(keys int, headings []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	table := append([][]string{headings}, rows...)
	if !p.fits(aligned(table, keys, keys, len(headings))) {
		table = append(folded(keys, headings, rows), rows...)
	}
	for from, to := keys, 0; to < len(headings); from = to {
		to = len(headings)
		text := aligned(table, keys, from, to)
		for ; !p.fits(text) && to > from+1; to-- {
			text = aligned(table, keys, from, to-1)
		}
		if !p.fits(text) {
			text = p.wrapped(table, keys, from, text)
		}
		p.WriteString("\n" + text)
	}
}

func (p *page) fits(text string) bool { return p.style.Width == 0 || widest(text) <= p.style.Width }

// aligned is the columns before keys and those from … to−1 of a table.
func aligned(table [][]string, keys, from, to int) string {
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 0, gap, ' ', 0)
	for _, row := range table {
		cells := slices.Concat(row[:min(keys, len(row))], row[min(from, len(row)):min(to, len(row))])
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	t.Flush() // a buffer takes everything
	var text strings.Builder
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimRight(line, " \n"); line != "" { // a line of other columns' headings
			text.WriteString(line + "\n")
		}
	}
	return text.String()
}

// folded is headings in lines of whole words, those of keys in one, the others in about two where they are wider than their column's cells.
// All end in the last line.
func folded(keys int, headings []string, rows [][]string) [][]string {
	parts := make([][]string, len(headings))
	most := 1
	for i, h := range headings {
		room := (ansi.StringWidth(h) + 1) / 2
		for _, row := range rows {
			if i < len(row) {
				room = max(room, ansi.StringWidth(row[i]))
			}
		}
		if i < keys {
			room = ansi.StringWidth(h)
		}
		const sticky = "\u00a0" // a space that no line is broken at
		for _, line := range wrap(strings.ReplaceAll(h, " %", sticky+"%"), room) {
			parts[i] = append(parts[i], strings.ReplaceAll(line, sticky, " "))
		}
		most = max(most, len(parts[i]))
	}
	lines := make([][]string, most)
	for l := range lines {
		lines[l] = make([]string, len(headings))
		for i, p := range parts {
			if at := l - most + len(p); at >= 0 {
				lines[l][i] = p[at]
			}
		}
	}
	return lines
}

// gap is how many spaces are between columns.
const gap = 3

// wrapped is column from of a table beside its keys, in lines of whole words; text is what it is without. A column that would get less than
// a quarter of the width stays as it is.
func (p *page) wrapped(table [][]string, keys, from int, text string) string {
	room := p.style.Width - widest(aligned(table, keys, from, from)) - gap
	if room < p.style.Width/4 {
		return text
	}
	var lines [][]string
	for _, row := range table {
		cell := ""
		if from < len(row) {
			cell = row[from]
		}
		for i, part := range wrap(cell, room) {
			line := make([]string, keys+1)
			if i == 0 {
				copy(line, row[:keys])
			}
			line[keys] = part
			lines = append(lines, line)
		}
	}
	return aligned(lines, keys, keys, keys+1)
}

// wrap breaks a text at spaces into lines of a width. A word that is wider has a line of its own.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.SplitAfterSeq(text, " ") {
		if line != "" && ansi.StringWidth(strings.TrimRight(line+word, " ")) > width {
			lines, line = append(lines, strings.TrimRight(line, " ")), ""
		}
		if line == "" {
			word = strings.TrimLeft(word, " ")
		}
		line += word
	}
	return append(lines, strings.TrimRight(line, " "))
}

// widest is the columns that the widest line takes.
func widest(text string) int {
	most := 0
	for line := range strings.Lines(text) {
		most = max(most, ansi.StringWidth(strings.TrimSuffix(line, "\n")))
	}
	return most
}
