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

// answers checks what a reply answers; "" is nothing.
func answers(t *testing.T, reply, want string) {
	t.Helper()
	if got := d.ReadAnswer(domains.Instruct, replied(reply)); got.Known != (want != "") || got.Text != want {
		t.Errorf("%q answers %+v, want %q", reply, got, want)
	}
}

func TestANumberIsReadWhole(t *testing.T) {
	for reply, want := range map[string]string{
		"He has 2 1/2 cups": "2 1/2", "Answer: 3/4": "3/4", "The answer is -5": "-5", "The total is $1,234.50": "1234.50", "It is 15 cm^2": "15", "It is 12 m2.": "12",
		"The answer is −5": "-5", "It is –5.": "-5", "The answer is .5": ".5", "It is -.5 m": "-.5", "It is 15 cm²": "15",
		"The answer is √2": "", "The answer is π/2": "", "It is 3π": "", "The answer is 2½": "", "It is 5²": "", "It is 1/2/3": "",
	} {
		answers(t, reply, want)
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

// Without a box a reply answers what it says that it does, in the forms that small models use; "" where that is a guess.
func TestAnAnswerIsReadOnlyWhereItIsTold(t *testing.T) {
	for reply, want := range map[string]string{
		"12 because 3 of 4":                                 "12",
		"The answer is 12 because 3 of 4":                   "12",
		"The answer is 12. Each of the 4 gets 3.":           "12",
		"The answer is 12 (3 * 4)":                          "12",
		"The answer is 3 + 4 = 7 apples":                    "7",
		"The answer is the sum of 3 and 4, which is 7.":     "7",
		"The answer is 5. No, the answer is 6.":             "6",
		"The answer is 5.\nNo, the answer is 6.":            "6",
		"The answer is 12.\nThe result is in apples.":       "12",
		"The answer is:\n12":                                "12",
		"Tom has 3 apples + 4 apples = 7 apples\n#### 7":    "7",
		"<answer>12</answer> of 3 and 4":                    "12",
		"15 + 27 = 42, which is the sum of 15 and 27.":      "42",
		"Tom has 3 apples and buys 4 more, so he has 7.":    "7",
		"The sum of 3 and 4 is 7.":                          "7",
		"If there are 3 boxes of 4 pens, there are 12 pens": "12",
		"3 * 4 = 12\nHe has 12 apples. I hope this helps!":  "12",
		"24 / 4 = 6\nEach gets 6 sweets.":                   "6",
		"x = 3, y = 4":                                      "",
		"3 * 4 = 12, 12 + 5 = 17":                           "",
		"Ann has 24 sweets and gives each of 4 friends 6":   "",
		"3 of 4":                               "",
		"It takes 3 days and 1/2":              "",
		"so it is 12-5":                        "",
		"The answer is 2 hours and 30 minutes": "",
		"It is 3 or 4":                         "",
		"It climbs 3 feet, but at night slips back 2": "",
	} {
		answers(t, reply, want)
	}
	task := domains.Task{Statement: "?", Oracle: domains.Some("4")}
	if got := d.Grade(domains.Instruct, domains.Steps, task, replied("3 of 4")); got.Verdict != domains.Wrong || got.Reason == "no answer" {
		t.Errorf("an answer that is not told from other numbers: %+v", got)
	}
}

// A template may begin the thought itself, so that a reply only ends it.
func TestAThoughtThatBeganBeforeTheReplyIsNoPartOfIt(t *testing.T) {
	for reply, want := range map[string]string{
		"It could be \\boxed{13}, or not.</think>The answer is 12": "12",
		"</think>\n\\boxed{12}":                   "12",
		"13</think>12 apples<think>or 14</think>": "12",
		"The answer is 12</think>":                "",
	} {
		answers(t, reply, want)
	}
	const problem = "Tom has 3 apples and buys 4. How many apples has he?"
	if got := d.ReadProposal(domains.Instruct, replied("A <problem>draft with 1?</problem>\n</think><problem>"+problem+"</problem>")); got.Statement != problem {
		t.Errorf("the problem is %q", got.Statement)
	}
}
