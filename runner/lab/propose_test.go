package lab

import (
	"testing"

	"verge/domains"
	"verge/domains/math/instruct"
)

func TestATaskThatThePromptShowedIsNoNewOne(t *testing.T) {
	l := &Lab{Domain: instruct.Domain{}}
	cue := domains.Cue{Exemplars: []string{"Tom has 3 apples, and buys 4 more. How many apples has he?"}}
	for statement, reason := range map[string]string{
		cue.Exemplars[0]: Copied,
		"tom has 3 apples and buys 4 more.  How many apples has he":  Copied,
		"Tom has 3 apples, and buys 5 more. How many apples has he?": "",
	} {
		if v := l.validate(&Proposal{Cue: cue, Task: domains.Task{Statement: statement}}); v.Reason != reason {
			t.Errorf("%q: %+v, want reason %q", statement, v, reason)
		}
	}
}
