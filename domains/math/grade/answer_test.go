package grade

import (
	"strings"
	"testing"
)

func TestAnswer(t *testing.T) {
	for _, c := range []struct {
		text, want string
		ok         bool
	}{
		{`so \boxed{5}.`, "5", true},
		{`\boxed{5} or rather \boxed{6}`, "6", true},
		{`\boxed{\frac{1}{2}}`, `\frac{1}{2}`, true},
		{`\boxed{\boxed{7}}`, "7", true},
		{`\boxed{ \boxed {7} }`, "7", true},
		{`\boxed{1 + \boxed{7}}`, `1 + \boxed{7}`, true},
		{`\boxed{\boxed{1}+\boxed{2}}`, `\boxed{1}+\boxed{2}`, true},
		{`\boxed{\{1,2\}}`, `\{1,2\}`, true},
		{`\boxed{5} but \boxed{6`, "5", true},
		{`\boxed{ then \boxed{6}`, "6", true},
		{`\boxed{}`, "", true},
		{`\boxed{5`, "", false},
		{`\boxed{5\}`, "", false},
		{`\boxed 5`, "", false},
		{`the answer is 5`, "", false},
		{``, "", false},
	} {
		got, ok := Answer(c.text)
		if got != c.want || ok != c.ok {
			t.Errorf("Answer(%q) = %q, %v; want %q, %v", c.text, got, ok, c.want, c.ok)
		}
	}
}

func TestAnswerOfManyOpenBoxes(t *testing.T) {
	if got, ok := Answer(strings.Repeat(`\boxed{`, 20000)); ok {
		t.Errorf("an answer in boxes that are never closed: %q", got)
	}
	if got, ok := Answer(strings.Repeat(`\boxed{`, 20000) + "5" + strings.Repeat("}", 20000)); !ok || got != "5" {
		t.Errorf("Answer of nested boxes = %.20q, %v; want 5", got, ok)
	}
}
