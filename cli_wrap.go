package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"verge/tui/text"
)

// helpWidth is how wide the texts of help are, whatever they are written to.
const helpWidth = 79

// reflow breaks a text's paragraphs into lines of at most width columns. A line that begins with a space or a tab stays as it is.
func reflow(s string, width int) string {
	var lines, paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			lines = append(lines, text.Wrap(strings.Join(paragraph, " "), width)...)
			paragraph = nil
		}
	}
	for line := range strings.SplitSeq(s, "\n") {
		if line == "" || strings.ContainsAny(line[:1], " \t") {
			flush()
			lines = append(lines, line)
			continue
		}
		paragraph = append(paragraph, line)
	}
	flush()
	return strings.Join(lines, "\n")
}

// folded is a text in lines of whole words where it goes to a terminal, and as it is elsewhere.
func folded(to *os.File, s string) string {
	width := terminalWidth(to)
	if width == 0 {
		return s
	}
	return strings.Join(text.Wrap(s, width), "\n")
}

// printPairs writes names with what is said of each beside them, in lines of whole words within a width; 0: each in one line.
func printPairs(w io.Writer, pairs [][2]string, width int) error {
	const gap, least = 2, 20 // a column that is narrower is harder to read than lines that the terminal breaks
	names := 0
	for _, p := range pairs {
		names = max(names, text.Width(p[0]))
	}
	room := width - names - gap
	for _, p := range pairs {
		lines := []string{p[1]}
		if room >= least {
			lines = text.Wrap(p[1], room)
		}
		for i, line := range lines {
			name := ""
			if i == 0 {
				name = p[0]
			}
			if _, err := fmt.Fprintf(w, "%s%s%s\n", text.Fit(name, names), strings.Repeat(" ", gap), line); err != nil {
				return err
			}
		}
	}
	return nil
}
