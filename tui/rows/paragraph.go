package rows

import (
	"verge/tui/text"
	"verge/tui/theme"
)

// Paragraphs wraps texts, one below the other, into lines of at most width cells, at most so many of each.
func Paragraphs(look *theme.Theme, cells []Cell, width, most int) []string {
	var out []string
	for _, c := range cells {
		lines := text.Wrap(text.Safe(c.Text), width)
		if len(lines) > most {
			lines = lines[:most]
			lines[most-1] = text.Cut(lines[most-1]+" "+text.Ellipsis, width)
		}
		for _, line := range lines {
			out = append(out, look.Paint(c.Token, line))
		}
	}
	return out
}

// Fill is lines as exactly n: cut, or followed by blank ones.
func Fill(lines []string, n int) []string {
	n = max(0, n)
	for len(lines) < n {
		lines = append(lines, "")
	}
	return lines[:n]
}
