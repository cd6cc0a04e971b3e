package lab

import (
	"context"
	"fmt"
	"slices"

	"verge/domains"
	"verge/domains/prompt"
	"verge/runner/event"
)

// Copied is the reason why a proposal is invalid that repeats an exemplar which its prompt showed: it is no new task.
const Copied = "copied"

// Propose samples n proposals from g and validates them. step is the number of updates that g's policy has had.
func (l *Lab) Propose(ctx context.Context, g Generator, arm string, stage event.Stage, step, n int) ([]*Proposal, error) {
	steered, ok := l.Domain.(domains.Steered)
	if g.Cues != nil && !ok {
		return nil, fmt.Errorf("the generator of domain %s cannot be told what to propose", l.Domain.Name())
	}
	proposals, open := make([]*Proposal, n), make([]*dialogue, n)
	for i := range proposals {
		p := &Proposal{Key: event.Key{Arm: arm, Stage: stage, Step: step, Proposal: i}}
		d := &dialogue{
			next: func(e domains.Episode) (prompt.Prompt, bool) { return l.Domain.ProposeTurn(g.Dialect, e) },
			seed: func(turn int) uint64 { return l.seed(p.Key, notAnAttempt, turn) },
		}
		if known, ok := l.Known.proposal(p.Key); ok {
			p.Cue = known.Cue
			d.recall(known)
		} else if g.Cues != nil {
			p.Cue = g.Cues.Draw(l.seed(p.Key, notAnAttempt, drawOfCue))
			d.next = func(e domains.Episode) (prompt.Prompt, bool) { return steered.ProposeCued(g.Dialect, p.Cue, e) }
		}
		proposals[i], open[i] = p, d
	}
	model := g.Model
	if g.Elsewhere != nil {
		model = g.Elsewhere(model)
	}
	c := conversation{lab: l, model: model, params: g.Params, what: Proposals, open: open, result: func(i int) ([]event.Event, error) {
		p, d := proposals[i], open[i]
		p.Episode, p.Turns, p.Err = d.episode, d.turns, d.err
		if p.Err == nil {
			p.Task = l.Domain.ReadProposal(g.Dialect, p.Episode)
			p.Validity = l.validate(p)
		}
		return p.events(), p.Err
	}}
	return proposals, c.lead(ctx)
}

func (l *Lab) validate(p *Proposal) domains.Validity {
	v := l.Domain.Validate(&p.Task)
	if v.Valid && slices.ContainsFunc(p.Cue.Exemplars, func(shown string) bool { return domains.SameStatement(shown, p.Task.Statement) }) {
		return domains.Validity{Reason: Copied, Detail: "it is one of the tasks that the prompt showed"}
	}
	return v
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
	e := event.TaskProposed{Key: p.Key, Cue: p.Cue, Episode: p.Episode, Tokens: generated(p.Turns)}
	for _, t := range p.Turns {
		r := t.Reply
		e.Sampled = append(e.Sampled, event.Sampled{Tokens: r.Tokens, Logprobs: r.Logprobs, Count: r.Count, Stop: string(r.Stop)})
	}
	if p.Err != nil {
		e.Error = p.Err.Error()
		return []event.Event{e}
	}
	return []event.Event{e, event.TaskValidated{Key: p.Key, Task: p.Task, Validity: p.Validity}}
}
