package diversity

import (
	"strings"
	"unicode"
)

// Tokens cuts a statement into the tokens that n-grams are made of: a run of decimal digits is one, a run of letters (with their combining
// marks, and underscores) is one, and every other character that is not a space is one by itself. So "12*(x+3)" has seven tokens, "3.5" three
// and "x2" two. Case is kept: x and X may be different unknowns.
func Tokens(statement string) []string {
	var tokens []string
	var run strings.Builder
	last := space
	for _, r := range statement {
		c := classOf(r)
		if run.Len() > 0 && (c != last || c == symbol) {
			tokens = append(tokens, run.String())
			run.Reset()
		}
		if c != space {
			run.WriteRune(r)
		}
		last = c
	}
	if run.Len() > 0 {
		tokens = append(tokens, run.String())
	}
	return tokens
}

type class int

const (
	space class = iota
	digit
	word
	symbol
)

func classOf(r rune) class {
	switch {
	case unicode.IsSpace(r):
		return space
	case unicode.IsDigit(r):
		return digit
	case unicode.IsLetter(r), unicode.IsMark(r), r == '_':
		return word
	}
	return symbol
}
