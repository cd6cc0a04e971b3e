package math

import (
	"strings"

	"verge/domains"
)

// Invalid is what a solver answers to a statement that it takes for invalid, R-Quest's INVALID (arXiv 2610.04299).
const Invalid = "invalid"

// Grade compares an attempt's answer with the oracle's. The answer has to be the canonical integer, spaces around it aside: -0, +5
// and 007 are wrong, because a micro model is trained on no other form. Without an oracle the attempt is undecided, whatever it
// says; one of no turns at all is an error.
func (Domain) Grade(_ domains.Dialect, s domains.Style, t domains.Task, e domains.Episode) domains.Grading {
	if len(e.Turns) == 0 {
		return domains.Grading{Verdict: domains.Error, Reason: "the attempt has no turn"}
	}
	text := strings.TrimSpace(e.Last())
	if s == domains.Steps {
		text = strings.TrimSpace(text[strings.LastIndex(text, stepSeparator)+1:])
	}
	var answer domains.Answer
	if text != "" {
		answer = domains.Some(text)
	}
	grading := func(v domains.Verdict, reason string) domains.Grading {
		return domains.Grading{Verdict: v, Answer: answer, Reason: reason}
	}
	switch {
	case !t.Oracle.Known:
		return grading(domains.Undecided, "no oracle answer")
	case !answer.Known:
		return grading(domains.Wrong, "no answer")
	case text == t.Oracle.Text:
		return grading(domains.Right, "")
	case strings.EqualFold(text, Invalid):
		return grading(domains.Wrong, "said invalid")
	case !isCanonical(text):
		return grading(domains.Wrong, "not a canonical integer")
	}
	return grading(domains.Wrong, "another integer")
}

// isCanonical tells whether a text is an integer as strconv writes it, of any length.
func isCanonical(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || digits[0] == '0' && text != "0" {
		return false
	}
	for i := range len(digits) {
		if !isDigit(digits[i]) {
			return false
		}
	}
	return true
}
