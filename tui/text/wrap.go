package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Wrap breaks a text of several lines, foreign or not, into safe lines of at most width cells, at spaces where there are any other than that
// before a percent sign. Nothing but the spaces at breaks is lost, unless width is 1 and a character takes 2.
func Wrap(s string, width int) []string {
	if width <= 0 {
		return nil
	}
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		lines = wrap(lines, Safe(line), width)
	}
	if width == 1 {
		for i, line := range lines {
			lines[i] = Cut(line, width)
		}
	}
	return lines
}

// wrap breaks one safe line. The library's wraps lose marks that follow a letter of ASCII, and leave some lines too long.
func wrap(lines []string, s string, width int) []string {
	if isPlain(s) && len(s) <= width {
		return append(lines, s)
	}
	start, cells := 0, 0       // of the line that is being filled
	end, next, used := 0, 0, 0 // the last break in it: where the line would end, where the next one would begin, and the cells before that
	breakable := false
	for at := 0; at < len(s); {
		first, w := cluster(s[at:])
		if first == " " && cells >= width && !(breakable && strings.HasPrefix(s[at+1:], "%")) {
			// The line is full to the last cell, so that this space is its break.
			lines = append(lines, s[start:at])
			at++
			start, cells, breakable = at, 0, false
			continue
		}
		for cells+w > width && cells > 0 {
			if !breakable {
				lines = append(lines, s[start:at])
				start, cells = at, 0
				break
			}
			lines = append(lines, s[start:end])
			start, cells, breakable = next, cells-used, false
		}
		at += len(first)
		cells += w
		if words := strings.TrimRight(s[start:at], " "); first == " " && words != "" && !strings.HasPrefix(s[at:], "%") {
			end, next, used, breakable = start+len(words), at, cells, true
		}
	}
	return append(lines, s[start:])
}

// cluster is what a line begins with that is drawn as one, and its cells.
func cluster(s string) (string, int) {
	if s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80) {
		return s[:1], 1
	}
	return ansi.FirstGraphemeCluster(s, ansi.WcWidth)
}
