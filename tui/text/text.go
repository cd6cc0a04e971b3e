// Package text makes strings that fit a screen: free of control sequences, cut, padded and wrapped by cell width.
//
// Everything that a model, a profile or an error wrote goes through Safe, or Wrap, before it is drawn. Widths are of terminal cells, by
// character as most terminals count them: a CJK character takes two, a combining mark none, a vowel sign of its own width one.
package text

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Ellipsis ends a line that was cut.
const Ellipsis = "…"

// maxMarks is how many marks may be put on one character; more would be drawn over the lines around.
const maxMarks = 4

// Safe is s as one line that does nothing to a terminal but take its cells: escape sequences are removed, line breaks and tabs become
// glyphs or spaces. A replacement character stands for what is no text (control and format characters, bidirectional overrides among
// them), for characters whose width depends on the terminal (parts of emoji), and for marks that are too many.
func Safe(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	marks := maxMarks // on the last character; before the first there is none to put them on
	for _, r := range ansi.Strip(strings.ToValidUTF8(s, "\uFFFD")) {
		if unicode.In(r, unicode.Mn, unicode.Me) && !isVariation(r) {
			switch {
			case b.Len() == 0:
				b.WriteRune('◌')
				marks = 0
			case marks == maxMarks:
				b.WriteRune(unicode.ReplacementChar)
			}
			if marks < maxMarks {
				b.WriteRune(r)
			}
			marks++
			continue
		}
		switch {
		case r == '\r', isVariation(r):
			continue
		case r == '\n':
			r = '⏎'
		case r == '\t':
			r = ' '
		case !unicode.IsGraphic(r), isEmojiPart(r):
			r = unicode.ReplacementChar
		}
		b.WriteRune(r)
		marks = 0
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

// isVariation says that a character only chooses a glyph for the one before it. Terminals differ on whether that makes it wider.
func isVariation(r rune) bool { return unicode.Is(unicode.Variation_Selector, r) }

// isEmojiPart says that a character is a skin tone or half of a flag, of which some terminals make one picture with the one before.
func isEmojiPart(r rune) bool {
	return r >= 0x1F3FB && r <= 0x1F3FF || unicode.Is(unicode.Regional_Indicator, r)
}

// Width is the number of cells that a line takes, styled or not.
func Width(s string) int { return ansi.StringWidthWc(s) }

// Cut is a line of at most width cells, ended by an ellipsis when something is missing. Styles stay whole.
//
// The library's own cut decides by another count of cells whether anything is to be cut.
func Cut(s string, width int) string {
	switch {
	case width <= 0:
		return ""
	case Width(s) <= width:
		return s
	}
	var b strings.Builder
	room, state := width-Width(Ellipsis), byte(0)
	for len(s) > 0 {
		seq, w, n, next := ansi.DecodeSequenceWc(s, state, nil)
		s, state = s[n:], next
		switch styles := strings.HasPrefix(seq, "\x1b"); {
		case styles, room >= 0 && w <= room:
			b.WriteString(seq)
			room -= w
		case room >= 0:
			b.WriteString(Ellipsis)
			room = -1
		}
	}
	return b.String()
}

// Whole is a line of as many of the parts, of which there is one at least, as have room in width cells, with a separator between; an ellipsis
// stands for those that have none. Only the first is ever cut: half a figure says something else.
func Whole(parts []string, separator string, width int) string {
	const more = " " + Ellipsis
	line := parts[0]
	for i, part := range parts[1:] {
		next := line + separator + part
		left := ""
		if i < len(parts)-2 {
			left = more
		}
		if Width(next+left) > width {
			return Cut(line+more, width)
		}
		line = next
	}
	return Cut(line, width)
}

// Tail is the last cells of a line without styles, at most width, begun by an ellipsis when something is missing.
func Tail(s string, width int) string {
	over := Width(s) - width
	switch {
	case width <= 0:
		return ""
	case over <= 0:
		return s
	}
	for over += Width(Ellipsis); over > 0; {
		first, w := cluster(s)
		s, over = s[len(first):], over-w
	}
	return Ellipsis + s
}

// Fit is a line of exactly width cells, cut or padded on the right.
func Fit(s string, width int) string {
	n := width - Width(s)
	if n < 0 {
		s = Cut(s, width)
		n = width - Width(s)
	}
	return s + strings.Repeat(" ", max(0, n))
}

// Right is a line of exactly width cells, cut or padded on the left.
func Right(s string, width int) string {
	n := width - Width(s)
	if n < 0 {
		s = Cut(s, width)
		n = width - Width(s)
	}
	return strings.Repeat(" ", max(0, n)) + s
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
