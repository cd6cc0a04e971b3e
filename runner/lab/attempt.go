package lab

import (
	"context"
	"errors"
	"slices"

	"verge/domains"
	"verge/domains/prompt"
	"verge/runner/event"
)

// attemptedAtOnce is how many proposals are attempted before their attempts are emitted, unless the solver is a backend.Streamer: what a
// killed run may have to ask again.
const attemptedAtOnce = 256

// Attempt lets the solver attempt every valid proposal K times and grades the attempts. What was attempted before is not attempted again.
// Tasks without an exact answer are answered by the oracles first, all of them before the first attempt, so that models which share a
// machine do not push each other out of its memory; where the oracles do not agree, a task is not attempted.
func (l *Lab) Attempt(ctx context.Context, proposals []*Proposal) error {
	if err := l.consult(ctx, proposals); err != nil {
		return err
	}
	var tried []*Proposal
	for _, p := range proposals {
		if p.Valid() && p.Gradings == nil && !l.unanswered(p) {
			tried = append(tried, p)
		}
	}
	l.Meter.turnTo(Attempts, len(tried)*l.Attempts)
	for some := range slices.Chunk(tried, attemptedAtOnce) {
		if err := l.attempt(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

func (l *Lab) attempt(ctx context.Context, tried []*Proposal) error {
	var open []*dialogue
	for _, p := range tried {
		p.Gradings, p.Steps = make([]domains.Grading, l.Attempts), make([][]domains.Step, l.Attempts)
		for k := range l.Attempts {
			d := &dialogue{
				next: func(e domains.Episode) (prompt.Prompt, bool) {
					return l.Domain.SolveTurn(l.Solver.Dialect, l.Solver.Style, p.Task, e)
				},
				seed: func(turn int) uint64 { return l.seed(p.Key, k, turn) },
			}
			_, d.ended = l.Known.attempt(p.Key, k)
			open = append(open, d)
		}
	}
	c := conversation{lab: l, model: l.Solver.Model, params: l.Solver.Params, what: Attempts, open: open, result: func(i int) ([]event.Event, error) {
		p, k := tried[i/l.Attempts], i%l.Attempts
		graded := l.grade(p, k, open[i])
		p.Gradings[k], p.Steps[k] = graded.Grading, graded.Steps
		var err error
		if graded.Grading.Verdict == domains.Error {
			err = errors.New(graded.Grading.Reason)
		}
		return []event.Event{graded}, err
	}}
	return c.lead(ctx)
}

// grade is an attempt that has ended, or the one that a resumed run has already.
func (l *Lab) grade(p *Proposal, k int, d *dialogue) event.AttemptGraded {
	if known, ok := l.Known.attempt(p.Key, k); ok {
		return known
	}
	graded := event.AttemptGraded{Key: p.Key, Attempt: k, Episode: d.episode, Tokens: d.tokens()}
	if d.err != nil {
		graded.Grading = domains.Grading{Verdict: domains.Error, Reason: d.err.Error()}
		return graded
	}
	graded.Grading = l.Domain.Grade(l.Solver.Dialect, l.Solver.Style, p.Task, d.episode)
	graded.Steps = l.Domain.Steps(p.Task, d.episode)
	return graded
}
