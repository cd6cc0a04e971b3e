package grade

import (
	"strings"
	"unicode/utf8"
)

// shortWords are the words of two and three letters that answers use; any other run as short is a product of variables.
var shortWords = wordSet("no yes on in at of is it or and the for not nor all any odd red tan one two six ten men man day sat sun mon tue wed thu fri " +
	"car cat dog box boy pm am per was are has if so to by an we he she both none true false even up down left blue st nd rd th dm " +
	"jan feb mar apr may jun jul aug sep oct nov dec amy ann ben bob dan eve joe kim lee max pat ray sam sue tim tom zoe dne hat bag pen cup egg pie")

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// isWord tells whether a run of letters is prose rather than a product of variables.
func isWord(run string) bool {
	lower := strings.ToLower(run)
	if shortWords[lower] {
		return true
	}
	return utf8.RuneCountInString(run) >= 4 && strings.ContainsAny(lower, "aeiouy") && !alphabetical(run)
}

// alphabetical tells whether letters follow one another in the alphabet, as those of the product abcd or of the polygon ABCD do.
func alphabetical(run string) bool {
	for i := 1; i < len(run); i++ {
		if run[i] != run[i-1]+1 {
			return false
		}
	}
	return true
}

// numberWords are the bases that are written out, as in 52 base eight.
var numberWords = map[string]int{
	"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "sixteen": 16,
}
