package domains

import (
	"strings"
	"unicode"
)

// SameStatement says that two statements are one but for case, spaces, quotes and the marks of sentences. What a number or an operation is made
// of counts: 1.5 is not 15, nor is 1, 5, and 3! is not 3.
func SameStatement(a, b string) bool { return bare(a) == bare(b) }

func bare(s string) string {
	var b strings.Builder
	runes := []rune(s)
	digit := func(i int) bool { return i >= 0 && i < len(runes) && unicode.IsDigit(runes[i]) }
	last := -1 // of those that count
	for i, r := range runes {
		switch {
		case unicode.IsSpace(r), unicode.In(r, unicode.Pi, unicode.Pf), strings.ContainsRune("\"'`", r):
			continue
		case strings.ContainsRune(".,:;!?", r) && !digit(i+1) && !(r == '!' && digit(i-1)):
			continue
		}
		if last < i-1 && digit(last) && digit(i) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		last = i
	}
	return b.String()
}
