package math

import (
	"math/rand/v2"
	"slices"
	"strings"

	"verge/domains"
)

// What the corpus is made of; the weights of types and reasons stand in kinds.go and spoil.go.
const (
	// invalidProposals is the share of invalid statements among proposals. A trained model adds its own slips to it.
	invalidProposals = 0.27
	// invalidSolved is the share of invalid statements, answered by Invalid, in solving text.
	invalidSolved = 0.04
)

// The levels' weights, for proposing and for solving: solving text is easier, so that it can be learnt.
var (
	proposeLevels = []float64{38, 24, 22, 16}
	solveLevels   = []float64{58, 28, 10, 4}
)

// maxWorked bounds a worked solution in bytes, so that it fits a small context with its statement.
const maxWorked = 110

// roles holds what kinds of text there are, and their weights.
var roles = []struct {
	weight float64
	draw   func(r *rand.Rand) domains.Example
}{
	{25, proposeExample},
	{45, directExample},
	{12, stepsExample},
	{6, validExample},
	{5, sameExample},
	{4, hintExample},
	{3, hintedExample},
}

// Example draws one text of pre-training. What it says of a statement is computed from the statement, so it is always true.
func (Domain) Example(r *rand.Rand) domains.Example {
	weights := make([]float64, len(roles))
	for i, role := range roles {
		weights[i] = role.weight
	}
	return roles[weighted(r, weights)].draw(r)
}

// validStatement draws a type by weight, a level, and a valid statement of that type.
func validStatement(r *rand.Rand, weight func(kindOf) float64, levelWeights []float64) (string, parsed) {
	weights := make([]float64, len(kinds))
	for i, k := range kinds {
		weights[i] = weight(k)
	}
	return statementOf(r, kinds[weighted(r, weights)], 1+weighted(r, levelWeights))
}

// statementOf draws until a statement is valid and of the type: a sequence, for one, can happen to fit two rules.
func statementOf(r *rand.Rand, k kindOf, level int) (string, parsed) {
	for {
		s := k.draw(r, level)
		if p, f := parse(s); f == nil && p.question.kind() == k.name {
			return s, p
		}
	}
}

func proposable(r *rand.Rand) (string, parsed) {
	return validStatement(r, func(k kindOf) float64 { return k.propose }, proposeLevels)
}

func solvable(r *rand.Rand) (string, parsed) {
	return validStatement(r, func(k kindOf) float64 { return k.solve }, solveLevels)
}

// invalidStatement draws a reason by weight, and a statement that is invalid for it.
func invalidStatement(r *rand.Rand) string {
	weights := make([]float64, len(reasons))
	for i, reason := range reasons {
		weights[i] = reason.weight
	}
	return invalidFor(r, reasons[weighted(r, weights)])
}

// invalidFor draws until a statement is invalid for the reason: a near-miss can happen to be valid.
func invalidFor(r *rand.Rand, reason reasonOf) string {
	for {
		s := choose(r, reason.spoilers...)(r, 1+weighted(r, proposeLevels))
		if _, f := parse(s); f != nil && f.reason == reason.name {
			return s
		}
	}
}

func proposeExample(r *rand.Rand) domains.Example {
	var s string
	if chance(r, invalidProposals) {
		s = invalidStatement(r)
	} else {
		s, _ = proposable(r)
	}
	return domains.Example{Prompt: proposePrompt(), Completion: s}
}

func directExample(r *rand.Rand) domains.Example {
	if chance(r, invalidSolved) {
		return domains.Example{Prompt: solvePrompt(domains.Direct, invalidStatement(r), ""), Completion: Invalid}
	}
	s, p := solvable(r)
	return domains.Example{Prompt: solvePrompt(domains.Direct, s, ""), Completion: decimal(p.answer)}
}

func stepsExample(r *rand.Rand) domains.Example {
	if chance(r, invalidSolved) {
		return domains.Example{Prompt: solvePrompt(domains.Steps, invalidStatement(r), ""), Completion: Invalid}
	}
	s, p := workable(r)
	return domains.Example{Prompt: solvePrompt(domains.Steps, s, ""), Completion: p.worked()}
}

// workable draws a statement whose worked solution is not too long.
func workable(r *rand.Rand) (string, parsed) {
	for {
		if s, p := solvable(r); len(p.worked()) <= maxWorked {
			return s, p
		}
	}
}

// worked is the worked solution, the answer last.
func (p parsed) worked() string {
	return strings.Join(append(p.question.work(), decimal(p.answer)), stepSeparator)
}

func validExample(r *rand.Rand) domains.Example {
	s, verdict := "", Yes
	if chance(r, 0.5) {
		s, _ = proposable(r)
	} else {
		s, verdict = invalidStatement(r), No
	}
	return domains.Example{Prompt: Domain{}.ValidTurn(domains.Compact, domains.Task{Statement: s}), Completion: verdict}
}

// sameExample pairs statements of one type, or of two types of which half are easily confused.
func sameExample(r *rand.Rand) domains.Example {
	a, first := proposable(r)
	second, verdict := kindNamed(first.question.kind()), Yes
	if chance(r, 0.5) {
		verdict = No
		second = differentKind(r, second)
	}
	b, _ := statementOf(r, second, 1+weighted(r, proposeLevels))
	return domains.Example{
		Prompt:     Domain{}.SameTurn(domains.Compact, domains.Task{Statement: a}, domains.Task{Statement: b}),
		Completion: verdict,
	}
}

// differentKind draws another type than k: one of its neighbours half of the time, so that yes and no need a close look.
func differentKind(r *rand.Rand, k kindOf) kindOf {
	if chance(r, 0.5) {
		return kindNamed(choose(r, k.neighbours...))
	}
	for {
		if other := choose(r, kinds...); other.name != k.name {
			return other
		}
	}
}

func kindNamed(name string) kindOf {
	return kinds[slices.IndexFunc(kinds, func(k kindOf) bool { return k.name == name })]
}

func hintExample(r *rand.Rand) domains.Example {
	s, p := solvable(r)
	return domains.Example{Prompt: Domain{}.HintTurn(domains.Compact, domains.Task{Statement: s}), Completion: p.hint()}
}

func hintedExample(r *rand.Rand) domains.Example {
	if chance(r, 0.7) {
		s, p := solvable(r)
		return domains.Example{Prompt: solvePrompt(domains.Direct, s, p.hint()), Completion: decimal(p.answer)}
	}
	s, p := workable(r)
	return domains.Example{Prompt: solvePrompt(domains.Steps, s, p.hint()), Completion: p.worked()}
}
