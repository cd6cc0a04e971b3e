package diversity

import "strings"

// counts says how often each n-gram occurs in a statement.
type counts map[string]int

// ngrams counts the n-grams of tokens. Tokens hold no space, so n-grams joined by one stay different.
func ngrams(tokens []string, n int) counts {
	c := counts{}
	for i := 0; i+n <= len(tokens); i++ {
		c[strings.Join(tokens[i:i+n], " ")]++
	}
	return c
}
