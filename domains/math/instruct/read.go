package instruct

import (
	"regexp"
	"strings"

	"verge/domains"
	"verge/domains/math"
	"verge/domains/math/grade"
)

var (
	thinking    = regexp.MustCompile(`(?s)<(think|thinking|reasoning)>.*?</(?:think|thinking|reasoning)>`)
	unfinished  = regexp.MustCompile(`(?s)<(?:think|thinking|reasoning)>.*`)
	fence       = regexp.MustCompile("(?m)^```[a-zA-Z]*[ \t]*$\n?")
	tagged      = regexp.MustCompile(`(?is)<problem>(.*?)(?:</problem>|<problem>|$)`)
	heading     = regexp.MustCompile(`(?im)^[ \t#>*_]*(?:here(?: is|'s)[^\n:]*:|(?:problem|question|task)(?:[ \t]*\d+)?[ \t*_]*[:.][ \t*_]*|sure[^\n]*[:!.][ \t]*$)`)
	solution    = regexp.MustCompile(`(?im)^[ \t#>*_]*(?:solution|answer|explanation|step 1|step-by-step|final answer|let's|we can|to solve|to find|first,)\b`)
	inlineReply = regexp.MustCompile(`(?i)\b(?:the )?answer(?: is|:)`)
	space       = regexp.MustCompile(`[ \t\r\f\v]+`)
	blankLines  = regexp.MustCompile(`\n{3,}`)
)

// spoken is a reply without what a model thought before it, and without code fences. A thought that does not end leaves nothing.
func spoken(reply string) string {
	s := thinking.ReplaceAllString(reply, "")
	s = unfinished.ReplaceAllString(s, "")
	return strings.TrimSpace(fence.ReplaceAllString(s, ""))
}

// ReadProposal finds the problem in a reply: the first that is tagged, else what stands after a heading and before a solution. An answer
// that the generator gives besides is its claim. Of a reply that was cut off within its problem there is none.
func (Domain) ReadProposal(_ domains.Dialect, e domains.Episode) domains.Task {
	s := spoken(e.Last())
	body, rest := s, ""
	if at := tagged.FindStringSubmatchIndex(s); at != nil {
		body, rest = s[at[2]:at[3]], s[at[1]:]
	} else if at := heading.FindStringIndex(s); at != nil {
		body = s[at[1]:]
		// A second heading begins another problem.
		if next := heading.FindStringIndex(body); next != nil && strings.TrimSpace(body[:next[0]]) != "" {
			body = body[:next[0]]
		}
	}
	if at := solution.FindStringIndex(body); at != nil && strings.TrimSpace(body[:at[0]]) != "" {
		body, rest = body[:at[0]], body[at[0]:]
	}
	if e.Cut() && rest == "" && strings.HasSuffix(s, body) {
		body = ""
	}
	statement := tidy(body)
	t := domains.Task{ID: domains.TaskID(math.Name, statement), Statement: statement}
	if rest != "" {
		t.Claimed = answer(rest, e.Cut())
	}
	return t
}

// tidy is a text with its spaces in order and without quotes or marks around it.
func tidy(s string) string {
	s = strings.NewReplacer("</problem>", "", "<problem>", "").Replace(s)
	s = blankLines.ReplaceAllString(space.ReplaceAllString(s, " "), "\n\n")
	s = strings.Trim(strings.TrimSpace(s), "*_ \n")
	if n := len(s); n > 1 && s[0] == '"' && s[n-1] == '"' {
		s = s[1 : n-1]
	}
	return strings.TrimSpace(s)
}

var (
	saidAnswer = regexp.MustCompile(`(?i)(?:final answer|answer|result|solution|therefore|total)[^\n:=]{0,40}?(?: is| are| equals|:|=)[ \t*$]*([^\n]*)`)
	number     = regexp.MustCompile(`-?\$?\d[\d,]*(?:\.\d+)?(?:[ \t]*/[ \t]*\d+)?%?`)
)

// answer finds what a reply answers: the last complete box, else what it says to be the answer last, else its last number. Of a reply that was
// cut off neither its last line nor its last number is what it would have answered.
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
	if said := saidAnswer.FindAllStringSubmatch(s, -1); len(said) > 0 {
		if a := lastNumber(said[len(said)-1][1]); a.Known {
			return a
		}
	}
	if cut {
		return domains.Answer{}
	}
	return lastNumber(s)
}

// lastNumber is the last number in a text, without the marks of money and thousands: of 2 1/2 all of it, of 12-5 the 5.
func lastNumber(s string) domains.Answer {
	all := number.FindAllStringIndex(s, -1)
	if len(all) == 0 {
		return domains.Answer{}
	}
	at := all[len(all)-1]
	n := plain(s[at[0]:at[1]])
	if before := s[:at[0]]; n[0] == '-' && before != "" && strings.ContainsRune("0123456789)", rune(before[len(before)-1])) {
		n = n[1:]
	}
	if len(all) > 1 && strings.Contains(n, "/") {
		if p := all[len(all)-2]; strings.TrimLeft(s[p[1]:at[0]], " \t") == "" && !strings.ContainsAny(s[p[0]:p[1]], "./%") {
			n = plain(s[p[0]:p[1]]) + " " + n
		}
	}
	return domains.Some(n)
}

func plain(s string) string {
	return strings.NewReplacer("$", "", ",", "", " ", "", "\t", "").Replace(s)
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
