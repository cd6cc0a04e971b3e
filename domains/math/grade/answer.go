package grade

import "strings"

const boxMark = `\boxed`

// Answer returns the content of the last complete \boxed{…} of a text, without boxes around it, and false where there is none.
// A box that is never closed is no answer, but does not hide a complete one before or inside it.
func Answer(text string) (string, bool) {
	match := matchBraces(text)
	open, end := -1, 0
	for start := strings.Index(text, boxMark); start >= 0; {
		if brace := boxBrace(text, start); brace >= 0 && match[brace] > end {
			open, end = brace, match[brace]
		}
		next := strings.Index(text[start+1:], boxMark)
		if next < 0 {
			break
		}
		start += 1 + next
	}
	if open < 0 {
		return "", false
	}
	for {
		inner := strings.TrimSpace(text[open+1 : end])
		if !strings.HasPrefix(inner, boxMark) {
			return text[open+1 : end], true
		}
		brace := boxBrace(text, open+1+strings.Index(text[open+1:end], boxMark))
		if brace < 0 || strings.TrimSpace(text[match[brace]+1:end]) != "" {
			return text[open+1 : end], true
		}
		open, end = brace, match[brace]
	}
}

// boxBrace is the position of the brace that opens the box marked at start, or -1 where no brace follows.
func boxBrace(text string, start int) int {
	at := start + len(boxMark)
	for at < len(text) && text[at] == ' ' {
		at++
	}
	if at < len(text) && text[at] == '{' {
		return at
	}
	return -1
}

// matchBraces maps the position of each opening brace to that of its closing one. A brace that is never closed is not among the
// keys, so that its value 0 lies before every closing brace. Braces after a backslash do not count.
func matchBraces(text string) map[int]int {
	match := map[int]int{}
	var open []int
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '{':
			open = append(open, i)
		case '}':
			if len(open) > 0 {
				match[open[len(open)-1]] = i
				open = open[:len(open)-1]
			}
		}
	}
	return match
}
