package grade

import "strings"

type tokenKind int

const (
	numberToken   tokenKind = iota // a numeral
	letterToken                    // a variable or a named constant: x, \alpha, \pi, i
	wordToken                      // prose: a word of \text{…}, or several letters that are no product
	functionToken                  // \sin, \log
	commandToken                   // \frac, \sqrt, \begin
	markToken                      // operators, brackets and other signs
)

// token is one unit of an answer. Marks have one spelling each, whatever the source wrote: ≤ for \le, \leq and <=.
type token struct {
	kind  tokenKind
	text  string
	num   *numeral // of a number
	space bool     // blanks stood before it
	prose bool     // it stood in \text{…}
}

func (t token) is(mark string) bool { return t.kind == markToken && t.text == mark }

func (t token) isWord(word string) bool {
	return t.kind == wordToken && strings.EqualFold(t.text, word)
}

// sameTokens tells whether two answers are written alike, but for blanks and typographic commands.
func sameTokens(a, b []token) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].kind != b[i].kind || a[i].text != b[i].text {
			return false
		}
	}
	return true
}

// openers and closers change the depth at which commas separate.
var (
	openers = map[string]bool{"(": true, "[": true, "{": true, `\{`: true, "⟨": true}
	closers = map[string]bool{")": true, "]": true, "}": true, `\}`: true, "⟩": true}
)

// depths is a walk over tokens that knows how deep each lies in brackets and environments.
func depths(tokens []token) []int {
	at := make([]int, len(tokens))
	depth := 0
	for i, t := range tokens {
		switch {
		case t.kind == markToken && closers[t.text], t.kind == commandToken && t.text == "end":
			depth--
			at[i] = depth
		case t.kind == markToken && openers[t.text], t.kind == commandToken && t.text == "begin":
			at[i] = depth
			depth++
		default:
			at[i] = depth
		}
	}
	return at
}

// splitOn cuts tokens at those outside all brackets for which cut is true.
func splitOn(tokens []token, cut func(token) bool) (parts [][]token, cuts []token) {
	depth := depths(tokens)
	start := 0
	for i, t := range tokens {
		if depth[i] == 0 && cut(t) {
			parts = append(parts, tokens[start:i])
			cuts = append(cuts, t)
			start = i + 1
		}
	}
	return append(parts, tokens[start:]), cuts
}
