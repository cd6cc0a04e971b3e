package domains

import "verge/domains/prompt"

// Instruct is the dialect of models that follow instructions in a chat.
const Instruct Dialect = "instruct"

// Factor is one thing that a prompt for a proposal can say, in one of several ways: a topic, an operation, a difficulty. The first option is
// to say nothing of it.
type Factor struct {
	Name    string
	Options []string
}

// Cue is what a prompt for a proposal says: of each of the domain's factors an option, and tasks to go by. It is the action of a context
// policy, which steers a frozen generator through what it reads.
type Cue struct {
	Options   []int    `json:"options,omitempty"`   // of each factor, by number; none: the first of each
	Exemplars []string `json:"exemplars,omitempty"` // statements of tasks that were in band
}

// Steered is a domain whose generator can be told what to propose.
type Steered interface {
	Domain
	// Factors are what a cue can say, always the same.
	Factors() []Factor
	// ProposeCued is ProposeTurn with a cue. An option that a factor does not have is the first one.
	ProposeCued(d Dialect, c Cue, e Episode) (prompt.Prompt, bool)
}

// Oracled is a domain whose tasks may come without an exact answer, so that models have to agree on one.
type Oracled interface {
	Domain
	// OracleTurn is the next prompt of an oracle's answer to t; false when the episode is complete.
	OracleTurn(d Dialect, t Task, e Episode) (prompt.Prompt, bool)
	// ReadAnswer is what a finished episode of OracleTurn answers; not known where it answers nothing, or says that the task has no answer.
	ReadAnswer(d Dialect, e Episode) Answer
	// Agree says that two answers mean the same. Where that cannot be told they do not agree.
	Agree(a, b string) bool
}
