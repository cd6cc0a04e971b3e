// Package math is the domain of micro mathematics: integer questions of 3 to 64 bytes, such as `47+85`, `3x+5=26` or
// `3,7,11,15,?`, that a byte-level model of under a million parameters can propose, solve and judge.
//
// A statement is parsed, never remembered: its type, its validity, its oracle answer, a worked solution and a hint all follow
// from the same parse, so that what a model makes up is treated exactly like what the corpus generator draws.
package math

import (
	"strconv"
	"strings"

	"verge/domains"
	"verge/domains/prompt"
)

// Name is the domain's name in profiles and in the store, and its control token.
const Name = "math"

// Domain is micro mathematics. The zero value is ready to use, and safe for concurrent use.
type Domain struct{}

var (
	_ domains.Domain = Domain{}
	_ domains.Corpus = Domain{}
)

// Name is "math".
func (Domain) Name() string { return Name }

// Types lists the task types; a valid statement's type follows from its parse.
func (Domain) Types() []string {
	types := make([]string, len(kinds))
	for i, k := range kinds {
		types[i] = k.name
	}
	return types
}

// ProposeTurn asks for a statement. A proposal is an episode of one turn.
func (Domain) ProposeTurn(_ domains.Dialect, e domains.Episode) (prompt.Prompt, bool) {
	if len(e.Turns) > 0 {
		return nil, false
	}
	return proposePrompt(), true
}

// ReadProposal takes the reply, trimmed, as the statement. The compact dialect claims no answer.
func (Domain) ReadProposal(_ domains.Dialect, e domains.Episode) domains.Task {
	statement := strings.TrimSpace(e.Last())
	return domains.Task{ID: domains.TaskID(Name, statement), Statement: statement}
}

// Validate is the predicate W of PROPEL (arXiv 2606.18284): a statement is valid when it has exactly one integer answer of
// magnitude MaxValue at most. It then fills the task's type, features and oracle; of an invalid task it changes nothing.
func (Domain) Validate(t *domains.Task) domains.Validity {
	p, f := parse(t.Statement)
	if f != nil {
		return domains.Validity{Reason: f.reason, Detail: f.detail}
	}
	t.Type = p.question.kind()
	t.Features = features(t.Statement, p)
	t.Oracle = domains.Some(strconv.FormatInt(p.answer, 10))
	return domains.Validity{Valid: true}
}

// SolveTurn asks for the answer to t, alone or at the end of a worked solution. An attempt is an episode of one turn.
func (Domain) SolveTurn(_ domains.Dialect, s domains.Style, t domains.Task, e domains.Episode) (prompt.Prompt, bool) {
	if len(e.Turns) > 0 {
		return nil, false
	}
	return solvePrompt(s, t.Statement, ""), true
}

// Reading is the task as a solver sees it.
func (Domain) Reading(_ domains.Dialect, t domains.Task) prompt.Prompt {
	return solvePrompt(domains.Direct, t.Statement, "")
}
