// Package lab is where a recipe's experiments are done: it asks models for proposals and attempts, has them validated and graded by
// the domain, and emits what happened. It knows no recipe.
package lab

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"verge/domains"
	"verge/runner/backend"
	"verge/runner/event"
)

// Lab holds what is the same for all of a run's proposals and attempts.
type Lab struct {
	Domain   domains.Domain
	Seed     uint64
	Solver   Solver
	Attempts int // K
	// Oracles have to agree on the answer of a task that has no exact one, each with Answers answers.
	Oracles []Oracle
	Answers int
	// MaxErrors is the share of a batch's calls that may come to nothing.
	MaxErrors float64
	// Emit appends events to the run. It never drops one; its error ends the run.
	Emit  func(...event.Event) error
	Meter *Meter
	Known *Known // of a resumed run; nil: nothing
}

// Generator is a model that proposes tasks and how it is asked.
type Generator struct {
	Model   backend.Model
	Params  backend.Params // of a proposal's turns
	Dialect domains.Dialect
	Cues    Cues // nil: the prompt says nothing
	// Elsewhere is what samples the model in its stead, with the same weights; nil: it is sampled itself.
	Elsewhere func(backend.Model) backend.Model
}

// Cues draws what the prompt of a proposal says; the seed fixes it.
type Cues interface {
	Draw(seed uint64) domains.Cue
}

// Solver is the model that attempts tasks and how it is asked.
type Solver struct {
	Model   backend.Model
	Params  backend.Params
	Dialect domains.Dialect
	Style   domains.Style
}

// Proposal is a proposal and all that has become known of it.
type Proposal struct {
	Key      event.Key
	Cue      domains.Cue // what its prompt said
	Episode  domains.Episode
	Turns    []backend.Turn // as sampled, for a policy to learn from
	Err      error          // the generator's reply could not be had
	Task     domains.Task
	Validity domains.Validity
	Gradings []domains.Grading // of its attempts, if any were made
	Steps    [][]domains.Step  // of the same attempts

	consulted bool // the oracles were asked
}

// Valid says that the proposal is a valid task.
func (p *Proposal) Valid() bool { return p.Err == nil && p.Validity.Valid }

// Outcome counts the attempts: right ones and graded ones, which are those judged right or wrong.
func (p *Proposal) Outcome() (right, graded int) {
	for _, g := range p.Gradings {
		switch g.Verdict {
		case domains.Right:
			right++
			graded++
		case domains.Wrong:
			graded++
		}
	}
	return right, graded
}

// seed fixes one sample's random numbers by the run's seed and the sample's key.
func (l *Lab) seed(k event.Key, attempt, turn int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d/%s/%s/%d/%d/%d/%d", l.Seed, k.Arm, k.Stage, k.Step, k.Proposal, attempt, turn))
	return binary.LittleEndian.Uint64(sum[:])
}

// seedOfOracle is likewise of an oracle's answer, by its number.
func (l *Lab) seedOfOracle(k event.Key, oracle, answer, turn int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d/%s/%s/%d/%d/oracle/%d/%d/%d", l.Seed, k.Arm, k.Stage, k.Step, k.Proposal, oracle, answer, turn))
	return binary.LittleEndian.Uint64(sum[:])
}

const (
	notAnAttempt = -1 // the attempt number in a proposal's own seed
	drawOfCue    = -1 // the turn in that of its cue, which comes before the first
)
