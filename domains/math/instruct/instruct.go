// Package instruct is mathematics as models write it that follow instructions: problems in words and symbols, answers in a box at the end
// of a worked solution. Small models follow instructions loosely, so that what is read is sought where they put it.
//
// A problem's answer is exact where the problem is an expression that package math evaluates; else oracles have to agree on it.
package instruct

import (
	"verge/domains"
	"verge/domains/math"
	"verge/domains/prompt"
)

// Domain is the domain mathematics in the instruction dialect. The zero value is ready to use, and safe for concurrent use.
type Domain struct{}

var (
	_ domains.Steered = Domain{}
	_ domains.Oracled = Domain{}
)

// Name is that of package math: the domain is the same, the dialect another.
func (Domain) Name() string { return math.Name }

// Modes are those of package math: an equation in a worked solution exercises the same.
func (Domain) Modes() []string { return math.Domain{}.Modes() }

// ProposeTurn asks for a problem without saying what of.
func (d Domain) ProposeTurn(k domains.Dialect, e domains.Episode) (prompt.Prompt, bool) {
	return d.ProposeCued(k, domains.Cue{}, e)
}

// SolveTurn asks for a solution that ends in a box, or for the box alone. An attempt is an episode of one turn.
func (Domain) SolveTurn(_ domains.Dialect, s domains.Style, t domains.Task, e domains.Episode) (prompt.Prompt, bool) {
	if len(e.Turns) > 0 {
		return nil, false
	}
	return solvePrompt(s, t.Statement), true
}

// OracleTurn asks like SolveTurn for a worked solution: what an oracle knows more is its size.
func (d Domain) OracleTurn(k domains.Dialect, t domains.Task, e domains.Episode) (prompt.Prompt, bool) {
	return d.SolveTurn(k, domains.Steps, t, e)
}

// Reading is the problem as a solver is shown it.
func (Domain) Reading(_ domains.Dialect, t domains.Task) prompt.Prompt {
	return prompt.Prompt{prompt.Say(prompt.User, t.Statement)}
}
