package math

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"verge/domains"
)

var (
	digitRun   = regexp.MustCompile(`[0-9]+`)
	personWord = regexp.MustCompile(`\b(Ann|Kim|Ben|Sam|She|He)\b`)
)

// Skeleton is the type, then the statement with the length of each number in its place; people are alike, and so are the orders
// of operands that commute. `47+85` and `46+8` are `sum #2+#2` and `sum #1+#2`. A statement that is not valid has no type.
func (Domain) Skeleton(t domains.Task) string {
	kind := ""
	if p, f := parse(t.Statement); f == nil {
		kind = p.question.kind()
	}
	s := digitRun.ReplaceAllStringFunc(t.Statement, func(run string) string { return "#" + strconv.Itoa(len(run)) })
	switch kind {
	case Sum:
		s = sorted(s, "+")
	case Product:
		s = sorted(s, "*")
	case Comparison, GCD, Average:
		open := strings.IndexByte(s, '(') + 1
		s = s[:open] + sorted(s[open:len(s)-1], ",") + ")"
	case StorySum, StoryDifference, StoryProduct, StoryQuotient:
		s = personWord.ReplaceAllString(s, "P")
	}
	return kind + " " + s
}

// sorted puts the operands of a commutative operation in order.
func sorted(s, separator string) string {
	operands := strings.Split(s, separator)
	slices.Sort(operands)
	return strings.Join(operands, separator)
}
