package instruct_test

import (
	"testing"

	"verge/domains"
)

func cut(text string) domains.Episode {
	return domains.Episode{Turns: []domains.Turn{{Reply: text, Cut: true}}}
}

// What happens to stand where a reply was cut off is no answer, and no problem.
func TestAReplyThatWasCutOffAnswersNoMoreThanItSaid(t *testing.T) {
	task := domains.Task{Statement: "?", Oracle: domains.Some("12")}
	for reply, want := range map[string]domains.Verdict{
		`So \boxed{12}. Another problem is 7 +`:          domains.Right,
		"The answer is 12.\nAnother problem: 7 + 8 = 15": domains.Right,
		"3 * 4 = 12":          domains.Wrong,
		"The answer is 12":    domains.Wrong, // the first digits of 125, perhaps
		"First, 3 * 4 = 12\n": domains.Wrong,
	} {
		if got := d.Grade(domains.Instruct, domains.Steps, task, cut(reply)); got.Verdict != want {
			t.Errorf("%q: %+v, want %s", reply, got, want)
		}
	}
	if got := d.ReadAnswer(domains.Instruct, cut("3 * 4 = 12")); got.Known {
		t.Errorf("an oracle that was cut off answers %+v", got)
	}
	const problem = "Tom has 3 apples and buys 4. How many apples has he?"
	for reply, want := range map[string]string{
		"<problem>" + problem + "</problem>\nThe answer": problem,
		"Question: " + problem + "\nAnswer: 7":           problem,
		"<problem>" + problem:                            "",
		problem:                                          "",
	} {
		if got := d.ReadProposal(domains.Instruct, cut(reply)); got.Statement != want {
			t.Errorf("%q is read as %q, want %q", reply, got.Statement, want)
		}
	}
}

func TestTheLastNumberIsReadWhole(t *testing.T) {
	for reply, want := range map[string]string{
		"He has 2 1/2 cups": "2 1/2", "Answer: 3/4": "3/4", "It takes 3 days and 1/2": "1/2", "so it is 12-5": "5", "The answer is -5": "-5",
		"that makes (3)-4": "4", "The total is $1,234.50": "1234.50", "It is 1.5 1/2": "1/2",
	} {
		if got := d.ReadAnswer(domains.Instruct, replied(reply)); got != domains.Some(want) {
			t.Errorf("%q answers %+v, want %s", reply, got, want)
		}
	}
	if !d.Agree("2 1/2", "2.5") || d.Agree("2 1/2", "1/2") {
		t.Error("a mixed number is another than its fraction")
	}
	for _, statement := range []string{"What is 1 2/4 + 2?", "What is 12 3 + 4?"} {
		task := domains.Task{Statement: statement}
		if d.Validate(&task); task.Oracle.Known {
			t.Errorf("%q has the exact answer %s", statement, task.Oracle.Text)
		}
	}
}
