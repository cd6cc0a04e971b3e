package domains

import (
	"strings"
	"unicode"
)

// SameStatement says that two statements are one but for case, spaces, quotes and the marks of sentences. What a number or an operation is made
// of counts: 1.5 is not 15.
func SameStatement(a, b string) bool { return bare(a) == bare(b) }

func bare(s string) string {
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case unicode.IsSpace(r), unicode.In(r, unicode.Pi, unicode.Pf), strings.ContainsRune("\"'`", r):
			continue
		case strings.ContainsRune(".,:;!?", r) && !(i+1 < len(runes) && unicode.IsDigit(runes[i+1])):
			continue
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
