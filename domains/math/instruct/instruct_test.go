package instruct_test

import (
	"strings"
	"testing"

	"verge/domains"
	"verge/domains/math/instruct"
	"verge/domains/prompt"
)

var d = instruct.Domain{}

func replied(text string) domains.Episode {
	return domains.Episode{Turns: []domains.Turn{{Reply: text}}}
}

func TestAProblemIsFoundWhereASmallModelPutsIt(t *testing.T) {
	const want = "Tom has 3 apples and buys 4 more. How many apples does he have?"
	for _, reply := range []string{
		"<problem>" + want + "</problem>",
		"Sure! Here is a problem:\n<problem>\n" + want + "\n</problem>\nThe answer is 7.",
		"<problem>" + want,
		"<think>He asks for a problem. <problem>not this</problem></think><problem>" + want + "</problem>",
		"```\n<problem>" + want + "</problem>\n```",
		"**Problem:** " + want + "\n\n**Solution:** 3 + 4 = 7",
		"Problem 1: " + want + "\n\nProblem 2: Another one with 5 and 6?",
		"Question: " + want + "\nAnswer: 7",
		want,
		"\"" + want + "\"",
		want + "\n\nStep 1: add 3 and 4.",
		"<problem>" + want + "</problem>\n<problem>Another with 2 and 2?</problem>",
	} {
		if got := d.ReadProposal(domains.Instruct, replied(reply)); got.Statement != want {
			t.Errorf("%q is read as %q", reply, got.Statement)
		}
	}
	if got := d.ReadProposal(domains.Instruct, replied("Question: "+want+"\nAnswer: 7")); got.Claimed != domains.Some("7") {
		t.Errorf("the claimed answer is %+v", got.Claimed)
	}
	for _, reply := range []string{"", "<think>endless", "\x00\xff", "<problem></problem>"} {
		task := d.ReadProposal(domains.Instruct, replied(reply))
		if v := d.Validate(&task); v.Valid {
			t.Errorf("%q is a valid task: %q", reply, task.Statement)
		}
	}
}

func TestWhatIsNoProblemIsRefusedWithAReason(t *testing.T) {
	for reason, statements := range map[string][]string{
		instruct.Empty:       {"", "...", "?!"},
		instruct.TooLong:     {"What is 2 + 2? " + strings.Repeat("It is a nice day and birds sing of numbers. ", 1)[:10] + strings.Repeat("abc defg hij ", 80)},
		instruct.NoQuestion:  {"Tom has 3 apples and 4 pears."},
		instruct.NoNumbers:   {"How many apples does Tom have?"},
		instruct.Several:     {"What is 2 + 3? What is 4 + 5?", "a) Find 2 + 3\nb) Find 4 + 5"},
		instruct.GivesAnswer: {"What is 2 + 3? The answer is 5.", "What is 2+3, \\boxed{5}?"},
		instruct.Unseen:      {"What is the area of the triangle with side 3 shown in the figure?"},
		instruct.Repeats:     {strings.Repeat("Tom has 3 apples and ", 6) + "how many?"},
		instruct.Proof:       {"Prove that 2 + 2 is 4."},
		instruct.Placeholder: {"Write one mathematics problem about 3 apples.", "What is [number] + 3?", "12 + 7 = ?", "12+7 = ?", "what do 3 books at 5 dollars each cost?"},
	} {
		for _, s := range statements {
			task := domains.Task{Statement: s}
			if v := d.Validate(&task); v.Valid || v.Reason != reason || v.Detail == "" {
				t.Errorf("%.60q: %+v, want %s", s, v, reason)
			}
		}
	}
}

func TestAnExpressionHasItsExactAnswer(t *testing.T) {
	for statement, want := range map[string]string{
		"What is 12 + 7?": "19", "Calculate 3 × (4 + 5).": "27", "6*7": "42", "12 - 20 = ?": "-8", "Evaluate $2 \\times 21$.": "42",
	} {
		task := domains.Task{Statement: statement}
		if v := d.Validate(&task); !v.Valid || task.Oracle != domains.Some(want) {
			t.Errorf("%q: %+v, oracle %+v", statement, v, task.Oracle)
		}
	}
	for _, statement := range []string{"Tom has 3 apples and buys 4 more. How many does he have?", "What is 10% of 50?", "What is 1.5 + 2?"} {
		task := domains.Task{Statement: statement}
		if v := d.Validate(&task); !v.Valid || task.Oracle.Known {
			t.Errorf("%q: %+v, oracle %+v", statement, v, task.Oracle)
		}
	}
}

func TestAnAnswerIsFoundAndCompared(t *testing.T) {
	task := domains.Task{Statement: "?", Oracle: domains.Some("12")}
	for reply, want := range map[string]domains.Verdict{
		`3*4 = 12, so \boxed{12}`:                       domains.Right,
		`\boxed{5} is wrong; \boxed{12}`:                domains.Right,
		`\boxed{\frac{24}{2}}`:                          domains.Right,
		"The final answer is 12.":                       domains.Right,
		"<think>It is 13.</think>The answer is: **12**": domains.Right,
		"So there are 12 apples":                        domains.Right,
		"He pays $12.00":                                domains.Right,
		`\boxed{13}`:                                    domains.Wrong,
		"I do not know":                                 domains.Wrong,
		"":                                              domains.Wrong,
		"<think>it is 12 and then it goes on and on":    domains.Wrong,
		"write \\boxed{answer} at the end. It comes to 12": domains.Right,
	} {
		if got := d.Grade(domains.Instruct, domains.Steps, task, replied(reply)); got.Verdict != want {
			t.Errorf("%q: %+v, want %s", reply, got, want)
		}
	}
	if got := d.Grade(domains.Instruct, domains.Steps, domains.Task{}, replied(`\boxed{1}`)); got.Verdict != domains.Undecided {
		t.Errorf("without an oracle: %+v", got)
	}
	if got := d.Grade(domains.Instruct, domains.Steps, task, domains.Episode{}); got.Verdict != domains.Error {
		t.Errorf("an attempt without a turn: %+v", got)
	}
	if !d.Agree("1/2", "0.5") || d.Agree("1/2", "0.6") || d.Agree("", "") {
		t.Error("answers agree when they mean the same, and only then")
	}
}

func TestTheStepsOfASolutionAreItsEquations(t *testing.T) {
	task := domains.Task{Statement: "?", Oracle: domains.Some("29")}
	steps := d.Steps(task, replied("First 12 × 2 = 24. Then 24 + 6 = 31.\nSo \\boxed{31}"))
	if len(steps) != 3 || !steps[0].OK || steps[1].OK || steps[2].OK {
		t.Fatalf("%+v", steps)
	}
	// All equations hold, and the answer is wrong: the problem was misread.
	steps = d.Steps(task, replied("24 + 6 = 30. \\boxed{30}"))
	if len(steps) != 2 || !steps[0].OK || steps[1].OK || steps[1].Mode != "reading" {
		t.Errorf("%+v", steps)
	}
	for _, s := range steps {
		if !contains(d.Modes(), s.Mode) {
			t.Errorf("mode %q is none of the domain's", s.Mode)
		}
	}
}

func TestACueSaysWhatItStandsFor(t *testing.T) {
	factors := d.Factors()
	plain, _ := d.ProposeTurn(domains.Instruct, domains.Episode{})
	if all, _ := d.ProposeCued(domains.Instruct, domains.Cue{Options: []int{0, 0, 0, 0}}, domains.Episode{}); all.String() != plain.String() {
		t.Errorf("the first options say something: %s", all)
	}
	for f, factor := range factors {
		for o := range factor.Options {
			if o == 0 {
				continue
			}
			options := make([]int, len(factors))
			options[f] = o
			p, more := d.ProposeCued(domains.Instruct, domains.Cue{Options: options}, domains.Episode{})
			if !more || !strings.Contains(p[len(p)-1].Text, factor.Options[o]) {
				t.Errorf("%s %q is not asked for: %s", factor.Name, factor.Options[o], p)
			}
		}
	}
	p, _ := d.ProposeCued(domains.Instruct, domains.Cue{Options: []int{99, -1}, Exemplars: []string{"What is 3+4?"}}, domains.Episode{})
	if !strings.Contains(p.String(), "What is 3+4?") {
		t.Errorf("the exemplar is not shown: %s", p)
	}
	if p[0].Role != prompt.System || p[len(p)-1].Role != prompt.User {
		t.Errorf("the roles are %+v", p)
	}
	if _, more := d.ProposeTurn(domains.Instruct, replied("x")); more {
		t.Error("a proposal has a second turn")
	}
}

func TestTheTypeOfEveryProblemIsListed(t *testing.T) {
	for statement, want := range map[string]string{
		"What is 3 + 4?": "arithmetic", "What is 10% of 50?": "percentage", "Solve 3x + 5 = 26.": "equation", "A train goes 60 km/h for 2 hours. How far?": "rate",
		"Tom has 3 apples. How many has he?": "story", "What is the area of a rectangle of 3 by 4?": "geometry",
	} {
		task := domains.Task{Statement: statement}
		if d.Validate(&task); task.Type != want || !contains(d.Types(), task.Type) {
			t.Errorf("%q is of type %q, want %q", statement, task.Type, want)
		}
	}
	a, b := domains.Task{Statement: "Tom has 3 apples and Ann 14."}, domains.Task{Statement: "Kim has 12 apples and Ben 7."}
	if d.Skeleton(a) != d.Skeleton(b) {
		t.Errorf("%q and %q", d.Skeleton(a), d.Skeleton(b))
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func FuzzNothingThatAModelRepliesIsTooMuch(f *testing.F) {
	for _, s := range []string{"<problem>What is 2+2?</problem>", "<think>", "\\boxed{\\boxed{", "1/0=", "((((", strings.Repeat("<problem>", 50), "12 + 7 = 19", "\xff\xfe"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		reply = strings.ToValidUTF8(reply, "?")
		e := replied(reply)
		task := d.ReadProposal(domains.Instruct, e)
		if v := d.Validate(&task); v.Valid == (v.Reason != "") {
			t.Errorf("%+v", v)
		}
		d.Grade(domains.Instruct, domains.Steps, domains.Task{Oracle: domains.Some("12")}, e)
		d.Steps(domains.Task{Oracle: domains.Some("12")}, e)
		d.Skeleton(task)
	})
}
