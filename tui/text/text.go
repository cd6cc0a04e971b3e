// Package text makes strings that fit a screen: free of control sequences, cut, padded and wrapped by cell width.
//
// Everything that a model, a profile or an error wrote goes through Safe, or Lines, before it is drawn. Widths are of terminal cells: a
// CJK character takes two, a combining mark none.
package text

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Ellipsis ends a line that was cut.
const Ellipsis = "…"

// Safe is s as one line that changes nothing but the cells it takes: escape sequences are removed, line breaks and tabs become
// glyphs or spaces, other control and format characters (bidirectional overrides among them) a replacement character.
func Safe(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for _, r := range ansi.Strip(strings.ToValidUTF8(s, "\uFFFD")) {
		switch {
		case r == '\n':
			b.WriteRune('⏎')
		case r == '\t':
			b.WriteByte(' ')
		case r == '\r':
		case unsafe(r):
			b.WriteRune('\uFFFD')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// unsafe says that a character moves the cursor, changes the direction of writing or joins with what comes after the text.
func unsafe(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Width is the number of cells that a line takes, styled or not.
func Width(s string) int { return ansi.StringWidth(s) }

// Cut is a line of at most width cells, ended by an ellipsis when something is missing. Styles stay whole.
func Cut(s string, width int) string {
	if width <= 0 {
		return ""
	}
	return ansi.Truncate(s, width, Ellipsis)
}

// Tail is the last cells of a line, at most width, begun by an ellipsis when something is missing.
func Tail(s string, width int) string {
	over := Width(s) - width
	switch {
	case width <= 0:
		return ""
	case over <= 0:
		return s
	}
	return ansi.TruncateLeft(s, over+Width(Ellipsis), Ellipsis)
}

// Fit is a line of exactly width cells, cut or padded on the right.
func Fit(s string, width int) string {
	s = Cut(s, width)
	if n := width - Width(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

// Right is a line of exactly width cells, cut or padded on the left.
func Right(s string, width int) string {
	s = Cut(s, width)
	if n := width - Width(s); n > 0 {
		return strings.Repeat(" ", n) + s
	}
	return s
}

// Wrap breaks a text of several lines, foreign or not, into safe lines of at most width cells, at spaces where there are any.
func Wrap(s string, width int) []string {
	if width <= 0 {
		return nil
	}
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		lines = append(lines, strings.Split(ansi.Wrap(Safe(line), width, " "), "\n")...)
	}
	for i, line := range lines {
		// A character wider than the line would otherwise stay.
		lines[i] = Cut(line, width)
	}
	return lines
}

// Box is lines as exactly height lines of exactly width cells: what is too long is cut, what is missing is blank. A box of no
// height is "".
func Box(lines []string, width, height int) string {
	if height <= 0 {
		return ""
	}
	out := make([]string, height)
	for i := range out {
		if i < len(lines) {
			out[i] = Fit(lines[i], width)
		} else {
			out[i] = strings.Repeat(" ", max(0, width))
		}
	}
	return strings.Join(out, "\n")
}

// Beside joins boxes of one height, each line after the other's, with a gap between them.
func Beside(gap string, boxes ...string) string {
	if len(boxes) == 0 {
		return ""
	}
	rows := strings.Split(boxes[0], "\n")
	for _, box := range boxes[1:] {
		for i, line := range strings.Split(box, "\n") {
			if i < len(rows) {
				rows[i] += gap + line
			}
		}
	}
	return strings.Join(rows, "\n")
}
