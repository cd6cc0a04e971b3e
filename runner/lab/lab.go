// Package lab is where a recipe's experiments are done: it asks models for proposals and attempts, has them validated and graded by
// the domain, and emits what happened. It knows no recipe.
package lab

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"verge/domains"
	"verge/domains/prompt"
	"verge/runner/backend"
	"verge/runner/event"
)

// Lab holds what is the same for all of a run's proposals and attempts.
type Lab struct {
	Domain   domains.Domain
	Seed     uint64
	Solver   Solver
	Attempts int // K
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
}

// As asks another model in the same way: a policy's, of the generator that it started as.
func (g Generator) As(m backend.Model) Generator {
	g.Model = m
	return g
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
	Episode  domains.Episode
	Turns    []backend.Turn // as sampled, for a policy to learn from
	Err      error          // the generator's reply could not be had
	Task     domains.Task
	Validity domains.Validity
	Gradings []domains.Grading // of its attempts, if any were made
	Steps    [][]domains.Step  // of the same attempts
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

// notAnAttempt is the attempt number in a proposal's own seed.
const notAnAttempt = -1

// Propose samples n proposals from g and validates them. step is the number of updates that g's policy has had.
func (l *Lab) Propose(ctx context.Context, g Generator, arm string, stage event.Stage, step, n int) ([]*Proposal, error) {
	proposals := make([]*Proposal, n)
	open := make([]*dialogue, n)
	for i := range proposals {
		p := &Proposal{Key: event.Key{Arm: arm, Stage: stage, Step: step, Proposal: i}}
		proposals[i] = p
		open[i] = &dialogue{
			next: func(e domains.Episode) (prompt.Prompt, bool) { return l.Domain.ProposeTurn(g.Dialect, e) },
			seed: func(turn int) uint64 { return l.seed(p.Key, notAnAttempt, turn) },
		}
		open[i].recall(l.Known.proposal(p.Key))
	}
	if err := l.converse(ctx, g.Model, g.Params, open); err != nil {
		return nil, err
	}
	events := make([]event.Event, 0, 2*n)
	for i, p := range proposals {
		d := open[i]
		p.Episode, p.Turns, p.Err = d.episode, d.turns, d.err
		if p.Err == nil {
			p.Task = l.Domain.ReadProposal(g.Dialect, p.Episode)
			p.Validity = l.Domain.Validate(&p.Task)
		}
		events = append(events, p.events()...)
	}
	return proposals, l.Emit(events...)
}

// Enter enters proposals again under keys of another stage: as those that were chosen from the stage they were made in.
func (l *Lab) Enter(chosen []*Proposal, stage event.Stage, step int) ([]*Proposal, error) {
	entered := make([]*Proposal, len(chosen))
	events := make([]event.Event, 0, 2*len(chosen))
	for i, c := range chosen {
		p := *c
		p.Key = event.Key{Arm: c.Key.Arm, Stage: stage, Step: step, Proposal: i}
		entered[i] = &p
		events = append(events, p.events()...)
	}
	return entered, l.Emit(events...)
}

// events are those of a proposal and its validation.
func (p *Proposal) events() []event.Event {
	e := event.TaskProposed{Key: p.Key, Episode: p.Episode}
	for _, t := range p.Turns {
		e.Tokens += len(t.Reply.Tokens)
		e.Sampled = append(e.Sampled, event.Sampled{Tokens: t.Reply.Tokens, Logprobs: t.Reply.Logprobs, Stop: string(t.Reply.Stop)})
	}
	if p.Err != nil {
		e.Error = p.Err.Error()
		return []event.Event{e}
	}
	return []event.Event{e, event.TaskValidated{Key: p.Key, Task: p.Task, Validity: p.Validity}}
}

// attemptedAtOnce is how many proposals are attempted before their attempts are emitted: what a killed run may have to ask again.
const attemptedAtOnce = 256

// Attempt lets the solver attempt every valid proposal K times and grades the attempts. What was attempted before is not attempted again.
func (l *Lab) Attempt(ctx context.Context, proposals []*Proposal) error {
	for some := range slices.Chunk(proposals, attemptedAtOnce) {
		if err := l.attempt(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

func (l *Lab) attempt(ctx context.Context, proposals []*Proposal) error {
	var open []*dialogue
	var tried []*Proposal
	for _, p := range proposals {
		if !p.Valid() || p.Gradings != nil {
			continue
		}
		tried = append(tried, p)
		for k := range l.Attempts {
			d := &dialogue{
				next: func(e domains.Episode) (prompt.Prompt, bool) {
					return l.Domain.SolveTurn(l.Solver.Dialect, l.Solver.Style, p.Task, e)
				},
				seed: func(turn int) uint64 { return l.seed(p.Key, k, turn) },
			}
			if graded, ok := l.Known.attempt(p.Key, k); ok {
				d.known = &graded
			}
			open = append(open, d)
		}
	}
	if err := l.converse(ctx, l.Solver.Model, l.Solver.Params, open); err != nil {
		return err
	}
	events := make([]event.Event, 0, len(open))
	for i, p := range tried {
		p.Gradings, p.Steps = make([]domains.Grading, l.Attempts), make([][]domains.Step, l.Attempts)
		for k, d := range open[i*l.Attempts : (i+1)*l.Attempts] {
			graded := event.AttemptGraded{Key: p.Key, Attempt: k, Episode: d.episode, Tokens: d.tokens()}
			switch {
			case d.known != nil:
				graded = *d.known
			case d.err != nil:
				graded.Grading = domains.Grading{Verdict: domains.Error, Reason: d.err.Error()}
			default:
				graded.Grading = l.Domain.Grade(l.Solver.Dialect, l.Solver.Style, p.Task, d.episode)
				graded.Steps = l.Domain.Steps(p.Task, d.episode)
			}
			p.Gradings[k], p.Steps[k] = graded.Grading, graded.Steps
			events = append(events, graded)
		}
	}
	return l.Emit(events...)
}

// dialogue is an episode under way.
type dialogue struct {
	next    func(domains.Episode) (prompt.Prompt, bool)
	seed    func(turn int) uint64
	episode domains.Episode
	turns   []backend.Turn
	err     error
	over    bool                 // recalled whole: nothing is sampled
	known   *event.AttemptGraded // likewise, with its grading
}

// recall takes over a proposal that a resumed run has already.
func (d *dialogue) recall(p event.TaskProposed, ok bool) {
	if !ok {
		return
	}
	d.over, d.episode = true, p.Episode
	for i, s := range p.Sampled {
		t := p.Episode.Turns[i]
		d.turns = append(d.turns, backend.Turn{Prompt: t.Prompt, Reply: backend.Reply{Text: t.Reply, Tokens: s.Tokens, Logprobs: s.Logprobs, Stop: backend.Stop(s.Stop)}})
	}
	if p.Error != "" {
		d.err = errors.New(p.Error)
	}
}

func (d *dialogue) tokens() int {
	n := 0
	for _, t := range d.turns {
		n += len(t.Reply.Tokens)
	}
	return n
}

// converse brings all dialogues to their ends, each round's turns in one call. Neighbours with the same prompt share one request,
// so that a task's prompt is read once for all its attempts.
func (l *Lab) converse(ctx context.Context, m backend.Model, params backend.Params, open []*dialogue) error {
	for turn := 0; ; turn++ {
		var requests []backend.Request
		var members [][]*dialogue
		last := ""
		for _, d := range open {
			if d.err != nil || d.over || d.known != nil {
				continue
			}
			p, more := d.next(d.episode)
			if !more {
				continue
			}
			text := p.String()
			if len(requests) == 0 || text != last {
				requests = append(requests, backend.Request{Prompt: p, Params: params})
				members = append(members, nil)
				last = text
			}
			at := len(requests) - 1
			requests[at].Seeds = append(requests[at].Seeds, d.seed(turn))
			members[at] = append(members[at], d)
		}
		if len(requests) == 0 {
			return nil
		}
		replies, err := m.Sample(ctx, requests, l.Meter.add)
		if err != nil {
			return err
		}
		for i, row := range replies {
			for j, reply := range row {
				d := members[i][j]
				d.turns = append(d.turns, backend.Turn{Prompt: requests[i].Prompt, Reply: reply})
				d.episode.Turns = append(d.episode.Turns, domains.Turn{Prompt: requests[i].Prompt, Reply: reply.Text})
				d.err = reply.Err
			}
		}
	}
}
