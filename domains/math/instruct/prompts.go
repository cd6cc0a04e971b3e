package instruct

import (
	"strings"

	"verge/domains"
	"verge/domains/prompt"
)

// The tags in which a problem is asked for.
const openTag, closeTag = "<problem>", "</problem>"

// factors are what a cue can say. Each option is a piece of the instruction; the first says nothing.
var factors = []domains.Factor{
	{Name: "topic", Options: []string{"", "shopping and prices", "travel, speed and time", "cooking and mixtures", "sport and scores", "work and wages", "the ages of people",
		"areas and lengths", "counting and arranging", "whole numbers and their digits"}},
	{Name: "operation", Options: []string{"", "addition and subtraction", "multiplication", "division with a remainder", "fractions", "percentages", "an equation with one unknown",
		"two unknowns", "powers"}},
	{Name: "difficulty", Options: []string{"", "very easy, with one step", "easy, with two steps", "of medium difficulty, with three steps", "hard, with four or more steps"}},
	{Name: "style", Options: []string{"", "a short story of two or three sentences", "one plain sentence", "symbols only, without a story"}},
}

// Factors implements domains.Steered.
func (Domain) Factors() []domains.Factor { return factors }

const proposeSystem = "You write mathematics problems. Each has exactly one answer, which is a number. You write a problem between " + openTag + " and " + closeTag +
	", without its solution and nothing else."

// demonstrations show a generator the form before it is asked. A model of a hundred million weights copies a form and follows no description of
// one: told alone, it put one problem in eighteen between the tags. They come first and are always the same, so that a server reads them once.
var demonstrations = []struct {
	cue     domains.Cue
	problem string
}{
	{domains.Cue{Options: []int{4, 1, 2, 1}}, "A team scored 8 points in its first game. In the second it scored 5 more than in the first. How many points did it score in all?"},
	{domains.Cue{Options: []int{1, 2, 1, 2}}, "What do 3 books at 5 dollars each cost?"},
	{domains.Cue{Options: []int{0, 1, 1, 3}}, "12 + 7 = ?"},
}

// demonstrated says that a statement is a demonstration's.
func demonstrated(statement string) bool {
	for _, d := range demonstrations {
		if domains.SameStatement(d.problem, statement) {
			return true
		}
	}
	return false
}

// ProposeCued asks for one problem. A proposal is an episode of one turn.
func (Domain) ProposeCued(_ domains.Dialect, c domains.Cue, e domains.Episode) (prompt.Prompt, bool) {
	if len(e.Turns) > 0 {
		return nil, false
	}
	p := prompt.Prompt{prompt.Say(prompt.System, proposeSystem)}
	for _, d := range demonstrations {
		p = append(p, prompt.Say(prompt.User, request(d.cue)), prompt.Say(prompt.Assistant, openTag+d.problem+closeTag))
	}
	return append(p, prompt.Say(prompt.User, request(c))), true
}

// request is a cue in words.
func request(c domains.Cue) string {
	var b strings.Builder
	if len(c.Exemplars) > 0 {
		b.WriteString("These problems are of the right difficulty:\n")
		for _, x := range c.Exemplars {
			b.WriteString(openTag + x + closeTag + "\n")
		}
		b.WriteString("Write another one, on something else.")
	} else {
		b.WriteString("Write one mathematics problem.")
	}
	for i, f := range factors {
		if i < len(c.Options) && c.Options[i] > 0 && c.Options[i] < len(f.Options) {
			b.WriteString(" " + strings.ToUpper(f.Name[:1]) + f.Name[1:] + ": " + f.Options[c.Options[i]] + ".")
		}
	}
	return b.String()
}

const (
	solveSteps  = "You solve mathematics problems step by step. You write each calculation as an equation, and at the end the answer, a number, as \\boxed{answer}."
	solveDirect = "You answer mathematics problems. You write the answer alone, a number, as \\boxed{answer}."
)

// solved are problems with solutions, which show a solver the form as demonstrations do a generator. Most take one step: a small model takes as
// many as it was shown.
var solved = []struct{ problem, steps, answer string }{
	{"A shop has 4 boxes with 6 pens each and sells 5 pens. How many pens are left?", "4 * 6 = 24\n24 - 5 = 19\n", "19"},
	{"Ann has 8 apples and gives 3 away. How many has she left?", "8 - 3 = 5\n", "5"},
	{"12 + 7 = ?", "12 + 7 = 19\n", "19"},
}

func solvePrompt(s domains.Style, statement string) prompt.Prompt {
	system := solveDirect
	if s == domains.Steps {
		system = solveSteps
	}
	p := prompt.Prompt{prompt.Say(prompt.System, system)}
	for _, x := range solved {
		reply := `\boxed{` + x.answer + `}`
		if s == domains.Steps {
			reply = x.steps + reply
		}
		p = append(p, prompt.Say(prompt.User, x.problem), prompt.Say(prompt.Assistant, reply))
	}
	return append(p, prompt.Say(prompt.User, statement))
}
