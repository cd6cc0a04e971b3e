package main

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The cell of a monospaced font, in pixels, and the margin around the screen.
const (
	cellWidth, cellHeight = 8.4, 18.0
	fontSize, margin      = 14, 12
)

const background, foreground = "#16161e", "#d0d0d0"

// style is how a run of cells looks.
type style struct {
	fg, bg  string
	bold    bool
	reverse bool
}

// svg draws a screen as tmux captures it: lines of text with SGR sequences.
func svg(screen string, width, height int) string {
	var b strings.Builder
	w, h := float64(width)*cellWidth+2*margin, float64(height)*cellHeight+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="%d">`+"\n", w, h, fontSize)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", background)
	var s style
	for y, line := range strings.Split(strings.TrimSuffix(screen, "\n"), "\n") {
		x := 0
		for len(line) > 0 {
			if rest, ok := strings.CutPrefix(line, "\x1b["); ok {
				end := strings.IndexFunc(rest, func(r rune) bool { return r >= '@' && r <= '~' })
				if end < 0 {
					break
				}
				if rest[end] == 'm' {
					s.apply(rest[:end])
				}
				line = rest[end+1:]
				continue
			}
			end := strings.IndexByte(line, '\x1b')
			if end < 0 {
				end = len(line)
			}
			if end == 0 {
				line = line[1:]
				continue
			}
			cells := ansi.StringWidth(line[:end])
			b.WriteString(s.draw(line[:end], x, y, cells))
			x += cells
			line = line[end:]
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// draw is a run of cells of one style.
func (s style) draw(text string, x, y, cells int) string {
	fg, bg := s.fg, s.bg
	if fg == "" {
		fg = foreground
	}
	if s.reverse {
		if bg == "" {
			bg = background
		}
		fg, bg = bg, fg
	}
	left, top := margin+float64(x)*cellWidth, margin+float64(y)*cellHeight
	var b strings.Builder
	if bg != "" {
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", left, top, float64(cells)*cellWidth, cellHeight, bg)
	}
	weight := ""
	if s.bold {
		weight = ` font-weight="bold"`
	}
	for _, w := range words(text) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" textLength="%.1f" lengthAdjust="spacingAndGlyphs" fill="%s"%s>%s</text>`+"\n",
			left+float64(w.at)*cellWidth, top+cellHeight*0.75, float64(w.cells)*cellWidth, fg, weight, html.EscapeString(w.text))
	}
	return b.String()
}

// word is a piece of a line without spaces.
type word struct {
	text      string
	at, cells int
}

// words cuts a line at its spaces: each word is placed by its column, so that whatever font shows it the columns stay columns.
func words(line string) []word {
	var out []word
	at := 0
	for _, piece := range strings.SplitAfter(line, " ") {
		if text := strings.TrimSuffix(piece, " "); text != "" {
			out = append(out, word{text, at, ansi.StringWidth(text)})
		}
		at += ansi.StringWidth(piece)
	}
	return out
}

// apply changes the style by the parameters of one SGR sequence.
func (s *style) apply(parameters string) {
	p := strings.FieldsFunc(parameters, func(r rune) bool { return r == ';' || r == ':' })
	if len(p) == 0 {
		*s = style{}
	}
	for i := 0; i < len(p); i++ {
		n, err := strconv.Atoi(p[i])
		if err != nil {
			continue
		}
		switch {
		case n == 0:
			*s = style{}
		case n == 1:
			s.bold = true
		case n == 22:
			s.bold = false
		case n == 7:
			s.reverse = true
		case n == 27:
			s.reverse = false
		case n == 39:
			s.fg = ""
		case n == 49:
			s.bg = ""
		case n == 38 || n == 48:
			c, used := extended(p[i+1:])
			i += used
			if n == 38 {
				s.fg = c
			} else {
				s.bg = c
			}
		case 30 <= n && n < 38:
			s.fg = indexed(n - 30)
		case 40 <= n && n < 48:
			s.bg = indexed(n - 40)
		case 90 <= n && n < 98:
			s.fg = indexed(n - 82)
		case 100 <= n && n < 108:
			s.bg = indexed(n - 92)
		}
	}
}

// extended is the colour of what follows 38 or 48, and how many parameters it took.
func extended(p []string) (colour string, used int) {
	number := func(i int) int {
		if i >= len(p) {
			return 0
		}
		n, _ := strconv.Atoi(p[i]) // tmux writes numbers
		return n
	}
	switch number(0) {
	case 5:
		return indexed(number(1)), 2
	case 2:
		return fmt.Sprintf("#%02x%02x%02x", number(1), number(2), number(3)), 4
	}
	return "", 1
}

var basic = []string{"#1c1c26", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d0d0d0",
	"#5c6370", "#ff7a85", "#b5e890", "#ffd68a", "#82c4ff", "#dd9bf0", "#7fdbe6", "#ffffff"}

// indexed is a colour of the 256 that terminals have: 16 of their own, a cube of 6³, 24 greys.
func indexed(n int) string {
	switch {
	case n < 16:
		return basic[max(0, n)]
	case n < 232:
		n -= 16
		level := func(i int) int {
			if i == 0 {
				return 0
			}
			return 55 + 40*i
		}
		return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
	}
	grey := 8 + 10*(min(n, 255)-232)
	return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
}
