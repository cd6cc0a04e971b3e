// Package domains says what a task is: the contract that every domain (mathematics, code, bug injection) fulfils.
//
// A domain writes prompts and reads replies; it never talks to a model. It imports nothing above it.
package domains

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"

	"verge/domains/prompt"
)

// Dialect is the way a domain speaks to a kind of model.
type Dialect string

// Compact is the dialect of models trained by verge pretrain: control tokens and bare text.
const Compact Dialect = "compact"

// Answer is one answer to a task, or its absence. An empty string is an answer; a missing one is not.
type Answer struct {
	Text  string `json:"text"`
	Known bool   `json:"known"`
}

// Some makes a known answer.
func Some(text string) Answer { return Answer{Text: text, Known: true} }

// Task is what a generator proposes. The three answers are kept apart because they are wrong in different ways.
type Task struct {
	ID        string             `json:"id"`        // digest of domain and statement: equal statements are one task
	Statement string             `json:"statement"` // as proposed, trimmed
	Type      string             `json:"type"`      // one of Domain.Types, or "" where it has none
	Features  map[string]float64 `json:"features,omitempty"`
	Claimed   Answer             `json:"claimed"`      // by the generator
	Oracle    Answer             `json:"oracle"`       // by exact evaluation, or by oracle models
	Pseudo    Answer             `json:"pseudo_label"` // by majority of a solver's attempts
}

// TaskID is the identity of a statement within a domain: 16 hexadecimal digits.
func TaskID(domain, statement string) string {
	sum := sha256.Sum256([]byte(domain + "\x00" + statement))
	return hex.EncodeToString(sum[:8])
}

// Validity is the verdict of the cheap predicate W of PROPEL (arXiv 2606.18284) on a task.
type Validity struct {
	Valid  bool   `json:"valid"`
	Reason string `json:"reason,omitempty"` // one of Domain.Reasons when not valid
	Detail string `json:"detail,omitempty"` // a sentence for a person
}

// Verdict is how an attempt was graded.
type Verdict string

// The four verdicts. Undecided and Error are in no solve rate, and are counted.
const (
	Right     Verdict = "right"
	Wrong     Verdict = "wrong"
	Undecided Verdict = "undecided"
	Error     Verdict = "error"
)

// Grading is a graded attempt.
type Grading struct {
	Verdict Verdict `json:"verdict"`
	Answer  Answer  `json:"answer"`           // what the attempt answered
	Reason  string  `json:"reason,omitempty"` // for any verdict but right
}

// Step is one step of a worked solution.
type Step struct {
	Text string `json:"text"`
	Mode string `json:"mode"` // one of Domain.Modes: what the step exercises
	OK   bool   `json:"ok"`   // whether the step holds
}

// Turn is one exchange of an episode.
type Turn struct {
	Prompt prompt.Prompt `json:"prompt"`
	Reply  string        `json:"reply"`
	Cut    bool          `json:"cut,omitempty"` // the reply reached its limit of tokens before the model ended it
}

// Episode is how a proposal or an attempt came about. A single-shot answer is an episode of one turn.
type Episode struct {
	Turns []Turn `json:"turns"`
}

// Last is the reply of the last turn, or "" of an empty episode.
func (e Episode) Last() string {
	if len(e.Turns) == 0 {
		return ""
	}
	return e.Turns[len(e.Turns)-1].Reply
}

// Style is how a solver is asked to answer.
type Style string

// Direct asks for the answer alone; Steps asks for a worked solution that ends in the answer.
const (
	Direct Style = "direct"
	Steps  Style = "steps"
)

// Cut says that the reply of the last turn was cut off: what stands at its end is not what the model would have ended with.
func (e Episode) Cut() bool { return len(e.Turns) > 0 && e.Turns[len(e.Turns)-1].Cut }

// Domain is a kind of task. Implementations are safe for concurrent use.
type Domain interface {
	// Name is the domain's name in profiles and in the store.
	Name() string
	// Types lists the task types, Modes what a step can exercise, Reasons why a task can be invalid.
	Types() []string
	Modes() []string
	Reasons() []string

	// ProposeTurn is the next prompt of a proposal's episode; false when the episode is complete.
	ProposeTurn(d Dialect, e Episode) (prompt.Prompt, bool)
	// ReadProposal makes a task of a finished episode. It never fails: text that is no task becomes a task that Validate refuses.
	ReadProposal(d Dialect, e Episode) Task
	// Validate is the predicate W. For a valid task it also fills Task.Type, Task.Features and, where it can compute it, Task.Oracle.
	Validate(t *Task) Validity

	// SolveTurn is the next prompt of an attempt at t; false when the episode is complete.
	SolveTurn(d Dialect, s Style, t Task, e Episode) (prompt.Prompt, bool)
	// Grade judges a finished attempt against the task's oracle answer.
	Grade(d Dialect, s Style, t Task, e Episode) Grading
	// Steps splits an attempt into steps with their modes, each checked where it can be.
	Steps(t Task, e Episode) []Step

	// Reading is the rendered task as a probe's reference model reads it.
	Reading(d Dialect, t Task) prompt.Prompt
	// Skeleton maps near-duplicate statements to one string: the statement without its constants. Tasks that share it stay in one fold.
	Skeleton(t Task) string
}

// Example is one text for pre-training: the model reads the prompt and learns the completion, then to stop.
type Example struct {
	Prompt     prompt.Prompt
	Completion string
}

// Corpus is a domain that can make text for verge pretrain.
type Corpus interface {
	// Example draws one text; the same random state gives the same text.
	Example(r *rand.Rand) Example
	// Controls lists the control tokens that the domain's prompts use, the domain's own name among them.
	Controls() []string
}
