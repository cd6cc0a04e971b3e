package math

import (
	"strings"

	"verge/domains"
)

// What a judge replies.
const (
	Yes = "yes"
	No  = "no"
)

// ReadVerdict reads a judge's reply. Anything but yes or no, spaces and case aside, is an abstention: ok is false.
func (Domain) ReadVerdict(reply string) (yes, ok bool) {
	switch strings.ToLower(strings.TrimSpace(reply)) {
	case Yes:
		return true, true
	case No:
		return false, true
	}
	return false, false
}

// hint is the most telling hint that does not give the answer away.
func (p parsed) hint() string {
	hints := p.question.hints()
	for _, h := range hints {
		if !p.leakedBy(h) {
			return h
		}
	}
	return hints[len(hints)-1]
}

// leakedBy tells whether a text says the answer, with or without its sign, or a line of the worked solution.
func (p parsed) leakedBy(text string) bool {
	digits := decimal(magnitude(p.answer))
	for _, run := range digitRun.FindAllString(text, -1) {
		if run == digits {
			return true
		}
	}
	for _, line := range p.question.work() {
		if strings.Contains(text, line) {
			return true
		}
	}
	return false
}

// Leaks tells whether a hint on t gives its answer or a line of its worked solution away: DIAG-POP refuses such a hint. A task
// that is not valid has no answer to give away.
func (Domain) Leaks(t domains.Task, hint string) bool {
	p, f := parse(t.Statement)
	return f == nil && p.leakedBy(hint)
}
