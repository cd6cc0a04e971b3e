package math

import (
	"verge/domains"
	"verge/domains/prompt"
)

// The control tokens of the compact dialect, beside the domain's own name.
const (
	controlPropose = "propose"
	controlSolve   = "solve"
	controlSteps   = "steps"
	controlValid   = "valid"
	controlSame    = "same"
	controlHint    = "hint"
	controlSep     = "sep"
)

// Controls lists the control tokens that the domain's prompts use.
func (Domain) Controls() []string {
	return []string{Name, controlPropose, controlSolve, controlSteps, controlValid, controlSame, controlHint, controlSep}
}

// HintedTurn asks for the answer to t with the help of a hint: the second distribution of Hint-δ in G-Zero (arXiv 2605.09959).
func (Domain) HintedTurn(_ domains.Dialect, s domains.Style, t domains.Task, hint string) prompt.Prompt {
	return solvePrompt(s, t.Statement, hint)
}

// HintTurn asks for a hint on t.
func (Domain) HintTurn(_ domains.Dialect, t domains.Task) prompt.Prompt {
	return prompt.Prompt{prompt.Control(Name), prompt.Control(controlHint), prompt.Text(t.Statement), prompt.Control(controlSep)}
}

// ValidTurn asks a judge whether t is valid; ReadVerdict reads the reply.
func (Domain) ValidTurn(_ domains.Dialect, t domains.Task) prompt.Prompt {
	return prompt.Prompt{prompt.Control(Name), prompt.Control(controlValid), prompt.Text(t.Statement), prompt.Control(controlSep)}
}

// SameTurn asks a judge whether a and b are the same type of exercise, the question of R-Quest's novelty gate (arXiv
// 2610.04299); ReadVerdict reads the reply.
func (Domain) SameTurn(_ domains.Dialect, a, b domains.Task) prompt.Prompt {
	return prompt.Prompt{
		prompt.Control(Name), prompt.Control(controlSame), prompt.Text(a.Statement), prompt.Control(controlSep),
		prompt.Text(b.Statement), prompt.Control(controlSep),
	}
}

func proposePrompt() prompt.Prompt {
	return prompt.Prompt{prompt.Control(Name), prompt.Control(controlPropose)}
}

func solvePrompt(s domains.Style, statement, hint string) prompt.Prompt {
	role := controlSolve
	if s == domains.Steps {
		role = controlSteps
	}
	p := prompt.Prompt{prompt.Control(Name), prompt.Control(role), prompt.Text(statement)}
	if hint != "" {
		p = append(p, prompt.Control(controlHint), prompt.Text(hint))
	}
	return append(p, prompt.Control(controlSep))
}
