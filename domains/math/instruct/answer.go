package instruct

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"verge/domains"
	"verge/domains/math/grade"
)

var (
	number = regexp.MustCompile(`[-−–]?\$?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:[ \t]*/[ \t]*\d+)?%?`)
	// saidAnswer is where a reply says that its answer follows, in words, or as solutions in data sets do.
	saidAnswer = regexp.MustCompile(`(?i)(?:(?:final answer|answer|result|solution|therefore|total)[^\n:=]{0,40}?(?: is| are| equals|:|=)|####|<answer>)`)
	sentenceIn = regexp.MustCompile(`[.!?](?:\s|$)|\n`)
	// reason begins why something is so, which has numbers of its own; clause anything that follows a statement.
	reason = regexp.MustCompile(`(?i)\b(?:because|since|as)\b|[;(]`)
	clause = regexp.MustCompile(`,\s`)
	// conclusion begins what a sentence comes to; verb stands before what something is.
	conclusion = regexp.MustCompile(`(?i)\b(?:so|thus|therefore|hence)\b`)
	verb       = regexp.MustCompile(`(?i)\b(?:is|are|equals|gives|makes|leaves|leaving|get|gets|has|have|comes to)\b`)
)

// answer finds what a reply answers: the last complete box, else what it says to be its answer last, else what its last sentence with a number
// comes to. A number that is only one of several is no answer: which of them is meant is not for a reader to guess. Of a reply that was cut off
// neither its last line nor its last number is what it would have answered.
func answer(reply string, cut bool) domains.Answer {
	s := spoken(reply)
	if boxed, ok := grade.Answer(s); ok {
		if boxed = strings.TrimSpace(boxed); boxed != "" && !strings.EqualFold(boxed, "answer") {
			return domains.Some(boxed)
		}
	}
	if cut {
		s = s[:strings.LastIndexByte(s, '\n')+1]
	}
	said := saidAnswer.FindAllStringIndex(s, -1)
	for i := len(said) - 1; i >= 0; i-- {
		rest := s[said[i][1]:]
		if end := strings.IndexAny(rest, "\n<"); end >= 0 {
			rest = rest[:end]
		}
		if number.MatchString(rest) {
			return stated(rest)
		}
	}
	if cut {
		return domains.Answer{}
	}
	return concluded(lastSentence(s))
}

// stated reads what follows "the answer is": one number, or what an equation comes to, before any reason or further clause.
func stated(s string) domains.Answer {
	head := before(sentenceIn, before(reason, s))
	if a := value(before(clause, head)); a.Known {
		return a
	}
	return value(after(verb, head)) // the sum of 3 and 4, which is 7
}

// concluded reads a sentence: what it says after "so", before any reason. Of several clauses with numbers it is the first if that alone is
// an equation, since what follows only explains it, else the last if that says what something is.
func concluded(s string) domains.Answer {
	s = before(reason, after(conclusion, s))
	head := before(clause, s)
	if rest := s[len(head):]; !number.MatchString(rest) || strings.Contains(head, "=") && !strings.Contains(rest, "=") {
		if a := value(head); a.Known || strings.Contains(head, "=") {
			return a
		}
	}
	if len(head) == len(s) {
		return value(after(verb, s))
	}
	last := after(clause, s)
	if told := after(verb, last); told != last {
		return value(told)
	}
	return domains.Answer{}
}

// before is a text up to the first match that a number stands before.
func before(mark *regexp.Regexp, s string) string {
	for _, at := range mark.FindAllStringIndex(s, -1) {
		if number.MatchString(s[:at[0]]) {
			return s[:at[0]]
		}
	}
	return s
}

// after is a text from the last match on that a number stands after.
func after(mark *regexp.Regexp, s string) string {
	all := mark.FindAllStringIndex(s, -1)
	for i := len(all) - 1; i >= 0; i-- {
		if rest := s[all[i][1]:]; number.MatchString(rest) {
			return rest
		}
	}
	return s
}

// lastSentence is the last with a number; "" where there is none.
func lastSentence(s string) string {
	last := ""
	for _, sentence := range sentenceIn.Split(s, -1) {
		if number.MatchString(sentence) {
			last = sentence
		}
	}
	return last
}

// value is the one number of a text, or of what stands after its last equals sign, without the marks of money and thousands: of 2 1/2 all of it. A
// number that belongs to a unit or a name, as in cm^2, is none; one that is a part of another, as in √2, π/2 or 2½, is no answer.
func value(s string) domains.Answer {
	s = s[strings.LastIndexByte(s, '=')+1:]
	var all []string
	end := 0
	for _, at := range number.FindAllStringIndex(s, -1) {
		n := plain(s[at[0]:at[1]])
		if r, _ := utf8.DecodeRuneInString(s[at[1]:]); r == 'π' || unicode.Is(unicode.No, r) {
			return domains.Answer{}
		}
		switch r, _ := utf8.DecodeLastRuneInString(strings.TrimSuffix(s[:at[0]], "^")); {
		case r == '√' || r == '/':
			return domains.Answer{}
		case unicode.IsLetter(r):
			continue
		}
		if k := len(all) - 1; k >= 0 && strings.Contains(n, "/") && strings.Trim(s[end:at[0]], " \t") == "" && !strings.ContainsAny(all[k], "./%") {
			all[k] += " " + n
		} else {
			all = append(all, n)
		}
		end = at[1]
	}
	if len(all) != 1 {
		return domains.Answer{}
	}
	return domains.Some(all[0])
}

func plain(s string) string {
	return strings.NewReplacer("$", "", ",", "", " ", "", "\t", "", "−", "-", "–", "-").Replace(s)
}

// ReadAnswer implements domains.Oracled.
func (Domain) ReadAnswer(_ domains.Dialect, e domains.Episode) domains.Answer {
	if len(e.Turns) == 0 {
		return domains.Answer{}
	}
	return answer(e.Last(), e.Cut())
}

// Agree implements domains.Oracled, by the grader of package grade.
func (Domain) Agree(a, b string) bool { return grade.Judge(a, b).Verdict == grade.Equal }
