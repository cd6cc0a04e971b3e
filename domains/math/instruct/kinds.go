package instruct

import (
	"regexp"
	"strings"

	"verge/domains"
)

// kinds are the types of problems, by words that tell them; the first that fits is a problem's.
var kinds = []struct {
	name string
	told *regexp.Regexp
}{
	{"probability", regexp.MustCompile(`(?i)\b(probabilit|chance|likely|dice|die\b|coin)`)},
	{"counting", regexp.MustCompile(`(?i)\b(how many (different )?(ways|arrangements|combinations|subsets)|permutation|combination)`)},
	{"geometry", regexp.MustCompile(`(?i)\b(area|perimeter|volume|radius|diameter|triangle|rectangle|square (?:has|with|of|garden|field)|circle|angle|cube|length of)`)},
	{"percentage", regexp.MustCompile(`(?i)%|\bpercent|discount|interest|tax\b`)},
	{"rate", regexp.MustCompile(`(?i)\b(speed|km/h|mph|per hour|miles per|kilomet(er|re)s per|average speed|how long (does|will|did))`)},
	{"ratio", regexp.MustCompile(`(?i)\bratio|proportion|:\s*\d+ ratio`)},
	{"fraction", regexp.MustCompile(`(?i)\d\s*/\s*\d|\b(half|third|quarter|fifth|fraction)s?\b`)},
	{"equation", regexp.MustCompile(`(?i)\b[xyn]\b\s*[-+*/^=]|[-+*/=]\s*\d*[xyn]\b|\bequation\b|\b\d+[xyn]\b`)},
	{"age", regexp.MustCompile(`(?i)\byears? (old|older|younger|ago)\b|\bage\b`)},
	{"number", regexp.MustCompile(`(?i)\b(digit|prime|divisible|remainder|multiple of|factor|gcd|lcm|sum of the|consecutive)`)},
	{"money", regexp.MustCompile(`(?i)[$€£]|\b(dollar|cent|euro|price|cost|pay|buy|bought|sold|spend|spent|wage|earn)`)},
	{"arithmetic", regexp.MustCompile(`^[^a-zA-Z]*$|(?i)^(what is|calculate|compute|evaluate)\b[^a-z]*$`)},
}

// story is the type of what nothing else tells.
const story = "story"

// Types lists the types of problems.
func (Domain) Types() []string {
	out := make([]string, 0, len(kinds)+1)
	for _, k := range kinds {
		out = append(out, k.name)
	}
	return append(out, story)
}

func typeOf(s string) string {
	for _, k := range kinds {
		if k.told.MatchString(s) {
			return k.name
		}
	}
	return story
}

func features(s string) map[string]float64 {
	numbers := number.FindAllString(s, -1)
	digits, longest := 0, 0
	for _, n := range numbers {
		d := 0
		for i := range len(n) {
			if n[i] >= '0' && n[i] <= '9' {
				d++
			}
		}
		digits, longest = digits+d, max(longest, d)
	}
	return map[string]float64{
		"characters": float64(len([]rune(s))), "words": float64(len(strings.Fields(s))), "numbers": float64(len(numbers)), "digits": float64(digits), "longest_number": float64(longest),
	}
}

var (
	name   = regexp.MustCompile(`\b[A-Z][a-z]+\b`)
	spaces = regexp.MustCompile(`\s+`)
)

// Skeleton is the problem in small letters with a mark for each number and each word that begins with a capital: the same story with other
// names and numbers is one skeleton.
func (Domain) Skeleton(t domains.Task) string {
	s := number.ReplaceAllString(t.Statement, "#")
	s = name.ReplaceAllString(s, "@")
	return spaces.ReplaceAllString(strings.ToLower(s), " ")
}
