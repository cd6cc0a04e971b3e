package instruct

import (
	"regexp"
	"strings"

	"verge/domains"
	"verge/domains/math"
)

var (
	thinking    = regexp.MustCompile(`(?is)<(?:think|thinking|reasoning)>.*?</(?:think|thinking|reasoning)>`)
	begunAhead  = regexp.MustCompile(`(?is)^.*</(?:think|thinking|reasoning)>`) // by a template, in the prompt
	unfinished  = regexp.MustCompile(`(?is)<(?:think|thinking|reasoning)>.*`)
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
	s = begunAhead.ReplaceAllString(s, "")
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
