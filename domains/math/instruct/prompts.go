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

const proposeSystem = "You write mathematics problems. Every problem has exactly one answer, and the answer is a number."

// ProposeCued asks for one problem. A proposal is an episode of one turn.
func (Domain) ProposeCued(_ domains.Dialect, c domains.Cue, e domains.Episode) (prompt.Prompt, bool) {
	if len(e.Turns) > 0 {
		return nil, false
	}
	option := func(factor int) string {
		if factor >= len(c.Options) || c.Options[factor] < 0 || c.Options[factor] >= len(factors[factor].Options) {
			return ""
		}
		return factors[factor].Options[c.Options[factor]]
	}
	var b strings.Builder
	if len(c.Exemplars) > 0 {
		b.WriteString("Here are problems of the right difficulty.\n\n")
		for _, x := range c.Exemplars {
			b.WriteString(openTag + x + closeTag + "\n")
		}
		b.WriteString("\nWrite a new one that is like them but not the same.")
	} else {
		b.WriteString("Write one mathematics problem.")
	}
	for _, ask := range []struct {
		factor int
		before string
	}{{0, " It is about "}, {1, " It uses "}, {2, " It is "}, {3, " It is written as "}} {
		if o := option(ask.factor); o != "" {
			b.WriteString(ask.before + o + ".")
		}
	}
	b.WriteString(" Do not solve it. Write the problem between " + openTag + " and " + closeTag + ", and nothing else.")
	return prompt.Prompt{prompt.Say(prompt.System, proposeSystem), prompt.Say(prompt.User, b.String())}, true
}

const (
	solveSystem = "You solve mathematics problems."
	askSteps    = "Solve this problem step by step. Write each calculation as an equation. At the end write the answer, a number, as \\boxed{answer}.\n\n"
	askDirect   = "Answer this problem. Write the answer alone, a number, as \\boxed{answer}.\n\n"
)

func solvePrompt(s domains.Style, statement string) prompt.Prompt {
	ask := askDirect
	if s == domains.Steps {
		ask = askSteps
	}
	return prompt.Prompt{prompt.Say(prompt.System, solveSystem), prompt.Say(prompt.User, ask+statement)}
}
