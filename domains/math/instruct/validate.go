package instruct

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"verge/domains"
	"verge/domains/math"
)

// The reasons why a problem is invalid.
const (
	Empty       = "empty"        // there is no problem in the reply
	TooLong     = "too_long"     // longer than MaxRunes
	NoQuestion  = "no_question"  // nothing is asked for
	NoNumbers   = "no_numbers"   // nothing to calculate with
	Several     = "several"      // more than one question
	GivesAnswer = "gives_answer" // the solution is in the statement
	Unseen      = "unseen"       // it speaks of a picture or a table that is not there
	Repeats     = "repeats"      // the same words over and over
	Proof       = "proof"        // it asks for words, not for a number
	Placeholder = "placeholder"  // the prompt was copied instead of followed
)

// Reasons lists why a problem can be invalid.
func (Domain) Reasons() []string {
	return []string{Empty, TooLong, NoQuestion, NoNumbers, Several, GivesAnswer, Unseen, Repeats, Proof, Placeholder}
}

// MaxRunes is the length of the longest problem.
const MaxRunes = 800

var (
	asking      = regexp.MustCompile(`(?i)\?|\b(find|calculate|compute|determine|evaluate|solve|simplify|how many|how much|what is|what are)\b`)
	aNumber     = regexp.MustCompile(`(?i)\d|\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|half|twice|double|dozen)\b`)
	picture     = regexp.MustCompile(`(?i)\b(figure|diagram|picture|graph|image|chart|table)s?\b (below|above|shows|shown)|\b(shown|see) (below|above|in the (figure|diagram|picture|graph|table))`)
	words       = regexp.MustCompile(`(?i)\b(prove|show that|explain|describe|discuss|why)\b`)
	instruction = regexp.MustCompile(`(?i)write (one|a|the) (new )?(mathematics )?problem|your problem here|problem statement|\[[^\]\d]{2,}\]|_{3,}`)
	part        = regexp.MustCompile(`(?m)^[ \t]*(?:\(?[a-d]\)|[a-d]\.|\d+[.)])[ \t]+\S`)
)

// Validate is the cheap predicate W of PROPEL (arXiv 2606.18284), which asks no model: a valid problem is short, asks one question about
// numbers, and says neither its answer nor what cannot be seen. It fills the task's type and features, and the oracle's answer of a
// problem that is an expression.
func (Domain) Validate(t *domains.Task) domains.Validity {
	s := t.Statement
	questions := strings.Count(s, "?")
	switch runes := len([]rune(s)); {
	case strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0:
		return invalid(Empty, "the reply holds no problem")
	case runes > MaxRunes:
		return invalid(TooLong, "the problem has %d characters; at most %d are allowed", runes, MaxRunes)
	case instruction.MatchString(s):
		return invalid(Placeholder, "%q is the instruction, not a problem", instruction.FindString(s))
	case demonstrated(s):
		return invalid(Placeholder, "it is one of the problems that the prompt shows")
	case repeats(s):
		return invalid(Repeats, "the same words come over and over")
	case !aNumber.MatchString(s):
		return invalid(NoNumbers, "there is no number in it")
	case picture.MatchString(s):
		return invalid(Unseen, "it speaks of what is not there: %q", picture.FindString(s))
	case words.MatchString(s):
		return invalid(Proof, "%q asks for words, not for a number", words.FindString(s))
	case inlineReply.MatchString(s) || strings.Contains(s, `\boxed`):
		return invalid(GivesAnswer, "the statement says its answer")
	case questions > 1 || len(part.FindAllString(s, -1)) > 1:
		return invalid(Several, "it asks more than one question")
	}
	expression := expressionOf(s)
	if expression == "" && !asking.MatchString(s) {
		return invalid(NoQuestion, "nothing is asked for")
	}
	t.Type, t.Features = typeOf(s), features(s)
	if exact := (domains.Task{Statement: expression}); expression != "" && (math.Domain{}).Validate(&exact).Valid {
		t.Oracle = exact.Oracle
	}
	return domains.Validity{Valid: true}
}

func invalid(reason, format string, args ...any) domains.Validity {
	return domains.Validity{Reason: reason, Detail: fmt.Sprintf(format, args...)}
}

// window is the number of words that may not come more than most times.
const window, most = 4, 3

// repeats says that some words in a row come too often for a problem: what a small model falls into.
func repeats(s string) bool {
	fields := strings.Fields(strings.ToLower(s))
	seen := map[string]int{}
	for i := 0; i+window <= len(fields); i++ {
		key := strings.Join(fields[i:i+window], " ")
		if seen[key]++; seen[key] > most {
			return true
		}
	}
	return false
}

var (
	// bare is a question about one expression, its first group.
	bare = regexp.MustCompile(`(?i)^(?:what is|calculate|compute|evaluate|find|solve|simplify)?[ \t:]*([-(\d][-+*/×÷·^()\d \t]*\d\)*)[ \t]*(?:=[ \t]*\??)?[ \t.?]*$`)
	// mixed are numbers side by side, as in 1 2/4, which package math would read as one.
	mixed    = regexp.MustCompile(`\d[ \t]+\d`)
	operator = strings.NewReplacer("×", "*", "·", "*", "÷", "/", " ", "", "\t", "", "\\times", "*", "\\div", "/", "\\cdot", "*", "$", "")
)

// expressionOf is the expression that a problem asks the value of, as package math writes it, where it asks for no more; else "".
func expressionOf(s string) string {
	m := bare.FindStringSubmatch(strings.TrimSpace(strings.NewReplacer("$", "", "\\times", "×", "\\div", "÷", "\\cdot", "·").Replace(s)))
	if m == nil || mixed.MatchString(m[1]) {
		return ""
	}
	return operator.Replace(m[1])
}
