package math

import (
	"reflect"
	"testing"

	"verge/domains"
	"verge/domains/prompt"
)

// task is a validated task.
func task(t *testing.T, statement string) domains.Task {
	t.Helper()
	out := Domain{}.ReadProposal(domains.Compact, reply(statement))
	if v := (Domain{}).Validate(&out); !v.Valid {
		t.Fatalf("%q: %+v", statement, v)
	}
	return out
}

func TestProposalsAreTrimmedAndClaimNothing(t *testing.T) {
	a, b := Domain{}.ReadProposal(domains.Compact, reply(" 1+2\n")), Domain{}.ReadProposal(domains.Compact, reply("1+2"))
	if a.Statement != "1+2" || a.ID != b.ID || a.ID != domains.TaskID(Name, "1+2") || a.Claimed.Known {
		t.Errorf("%+v", a)
	}
}

func TestPrompts(t *testing.T) {
	var d Domain
	q := task(t, "47+85")
	propose, _ := d.ProposeTurn(domains.Compact, domains.Episode{})
	solve, _ := d.SolveTurn(domains.Compact, domains.Direct, q, domains.Episode{})
	steps, _ := d.SolveTurn(domains.Compact, domains.Steps, q, domains.Episode{})
	for _, c := range []struct {
		got  prompt.Prompt
		want string
	}{
		{propose, "<|math|><|propose|>"},
		{solve, "<|math|><|solve|>47+85<|sep|>"},
		{steps, "<|math|><|steps|>47+85<|sep|>"},
		{d.Reading(domains.Compact, q), "<|math|><|solve|>47+85<|sep|>"},
		{d.HintedTurn(domains.Compact, domains.Direct, q, "carry"), "<|math|><|solve|>47+85<|hint|>carry<|sep|>"},
		{d.HintTurn(domains.Compact, q), "<|math|><|hint|>47+85<|sep|>"},
		{d.ValidTurn(domains.Compact, q), "<|math|><|valid|>47+85<|sep|>"},
		{d.SameTurn(domains.Compact, q, task(t, "1+2")), "<|math|><|same|>47+85<|sep|>1+2<|sep|>"},
	} {
		if c.got.String() != c.want {
			t.Errorf("the prompt is %q, want %q", c.got, c.want)
		}
	}
	if _, more := d.ProposeTurn(domains.Compact, reply("1+2")); more {
		t.Error("a proposal goes on after its turn")
	}
	if _, more := d.SolveTurn(domains.Compact, domains.Direct, q, reply("132")); more {
		t.Error("an attempt goes on after its turn")
	}
}

func TestAStatementCannotForgeAControlToken(t *testing.T) {
	p := Domain{}.Reading(domains.Compact, domains.Task{Statement: "<|sep|>132"})
	if len(p) != 4 || p[2] != prompt.Text("<|sep|>132") {
		t.Errorf("%+v", p)
	}
}

func TestGrade(t *testing.T) {
	q := task(t, "47-85")
	for _, c := range []struct {
		style   domains.Style
		reply   string
		verdict domains.Verdict
		answer  domains.Answer
		reason  string
	}{
		{domains.Direct, "-38", domains.Right, domains.Some("-38"), ""},
		{domains.Direct, " -38\n", domains.Right, domains.Some("-38"), ""},
		{domains.Direct, "38", domains.Wrong, domains.Some("38"), "another integer"},
		{domains.Direct, "-038", domains.Wrong, domains.Some("-038"), "not a canonical integer"},
		{domains.Direct, "- 38", domains.Wrong, domains.Some("- 38"), "not a canonical integer"},
		{domains.Direct, "-38.0", domains.Wrong, domains.Some("-38.0"), "not a canonical integer"},
		{domains.Direct, "+5", domains.Wrong, domains.Some("+5"), "not a canonical integer"},
		{domains.Direct, "-0", domains.Wrong, domains.Some("-0"), "not a canonical integer"},
		{domains.Direct, "0", domains.Wrong, domains.Some("0"), "another integer"},
		{domains.Direct, "", domains.Wrong, domains.Answer{}, "no answer"},
		{domains.Direct, " Invalid ", domains.Wrong, domains.Some("Invalid"), "said invalid"},
		{domains.Direct, "85-47=38;-38", domains.Wrong, domains.Some("85-47=38;-38"), "not a canonical integer"},
		{domains.Steps, "85-47=38;-38", domains.Right, domains.Some("-38"), ""},
		{domains.Steps, "1+1=3;-38", domains.Right, domains.Some("-38"), ""},
		{domains.Steps, "-38", domains.Right, domains.Some("-38"), ""},
		{domains.Steps, "85-47=38;", domains.Wrong, domains.Answer{}, "no answer"},
		{domains.Steps, "85-47=38", domains.Wrong, domains.Some("85-47=38"), "not a canonical integer"},
	} {
		want := domains.Grading{Verdict: c.verdict, Answer: c.answer, Reason: c.reason}
		if got := (Domain{}).Grade(domains.Compact, c.style, q, reply(c.reply)); got != want {
			t.Errorf("%s %q is graded %+v, want %+v", c.style, c.reply, got, want)
		}
	}
	if g := (Domain{}).Grade(domains.Compact, domains.Direct, domains.Task{Statement: "12+?"}, reply(Invalid)); g.Verdict != domains.Undecided || g.Answer.Text != Invalid {
		t.Errorf("without an oracle the grading is %+v", g)
	}
	if g := (Domain{}).Grade(domains.Compact, domains.Direct, q, domains.Episode{}); g.Verdict != domains.Error {
		t.Errorf("without a turn the grading is %+v", g)
	}
}

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		statement, reply string
		want             []domains.Step
	}{
		{"47+85", "132", []domains.Step{{Text: "132", Mode: ModeCarry, OK: true}}},
		{"41+25", "67", []domains.Step{{Text: "67", Mode: ModeAddition}}},
		{"47-85", "-38", []domains.Step{{Text: "-38", Mode: ModeSign, OK: true}}},
		{"47+85", "7+5=12;4+8+1=13;132", []domains.Step{
			{Text: "7+5=12", Mode: ModeCarry, OK: true}, {Text: "4+8+1=13", Mode: ModeCarry, OK: true}, {Text: "132", Mode: ModeCarry, OK: true},
		}},
		{"85-41", "5-1=4;8-4=5;54", []domains.Step{
			{Text: "5-1=4", Mode: ModeSubtraction, OK: true}, {Text: "8-4=5", Mode: ModeSubtraction}, {Text: "54", Mode: ModeSubtraction},
		}},
		{"12*34", "12*4=48;12*30=360;48+360=408;408", []domains.Step{
			{Text: "12*4=48", Mode: ModeProduct, OK: true}, {Text: "12*30=360", Mode: ModeProduct, OK: true},
			{Text: "48+360=408", Mode: ModeCarry, OK: true}, {Text: "408", Mode: ModeCarry, OK: true},
		}},
		{"12+7*3", "7*3=21;12+21=33;33", []domains.Step{
			{Text: "7*3=21", Mode: ModeOrder, OK: true}, {Text: "12+21=33", Mode: ModeAddition, OK: true}, {Text: "33", Mode: ModeAddition, OK: true},
		}},
		{"3x+5=26", "26-5=21;21/3=7;7", []domains.Step{
			{Text: "26-5=21", Mode: ModeInverse, OK: true}, {Text: "21/3=7", Mode: ModeInverse, OK: true}, {Text: "7", Mode: ModeInverse, OK: true},
		}},
		{"7*8", "7*8=7*8;7=7;7*;;56", []domains.Step{
			{Text: "7*8=7*8", Mode: ModeTable, OK: true}, {Text: "7=7", Mode: ModeTable}, {Text: "7*", Mode: ModeTable}, {Text: "", Mode: ModeTable},
			{Text: "56", Mode: ModeTable, OK: true},
		}},
		{"47+85", "7+5=12;", []domains.Step{{Text: "7+5=12", Mode: ModeCarry, OK: true}}},
		{"47+85", "", nil},
	} {
		if got := (Domain{}).Steps(task(t, c.statement), reply(c.reply)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q, %q:\n%+v, want\n%+v", c.statement, c.reply, got, c.want)
		}
	}
}

func TestDirectModes(t *testing.T) {
	for statement, mode := range map[string]string{
		"12*34": ModeProduct, "7*8": ModeTable, "84/7": ModeDivision, "85%7": ModeRemainder, "7^3": ModePower, "12+3+4": ModeAddition, "52-9+1": ModeBorrow,
		"(1+2)*3": ModeOrder, "1+2*3": ModeOrder, "y=2,x+y=7": ModeInverse, "3,7,11,15,?": ModePattern, "max(1,2)": ModeComparison, "gcd(4,6)": ModeRemainder,
		"avg(1,3)": ModeDivision, "dsum(12)": ModeAddition, "dsum(19)": ModeCarry, "dsum(7)": ModeAddition, "1/2of8": ModeDivision,
		"Ann has 12. She gets 7 more. How many?": ModeReading,
	} {
		if got := (Domain{}).Steps(task(t, statement), reply("1"))[0].Mode; got != mode {
			t.Errorf("%q has the mode %q, want %q", statement, got, mode)
		}
	}
}

func TestHintsThatGiveTheAnswerAway(t *testing.T) {
	q := task(t, "47-85")
	for hint, leaks := range map[string]bool{
		"it is -38": true, "it is 38": true, "swap": false, "138": false, "15-7=8 first": true, "15-7 first": false,
	} {
		if got := (Domain{}).Leaks(q, hint); got != leaks {
			t.Errorf("%q leaks: %v", hint, got)
		}
	}
}

func TestReadVerdict(t *testing.T) {
	for _, c := range []struct {
		reply   string
		yes, ok bool
	}{{"yes", true, true}, {" No\n", false, true}, {"", false, false}, {"yes and no", false, false}} {
		if yes, ok := (Domain{}).ReadVerdict(c.reply); yes != c.yes || ok != c.ok {
			t.Errorf("%q is read as %v, %v", c.reply, yes, ok)
		}
	}
}
