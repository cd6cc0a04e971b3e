package lab

import (
	"context"
	"errors"
	"fmt"

	"verge/domains"
	"verge/domains/prompt"
	"verge/runner/backend"
	"verge/runner/event"
)

// Oracle is a model that answers tasks whose answer cannot be computed, and how it is asked.
type Oracle struct {
	Model   backend.Model
	Params  backend.Params
	Dialect domains.Dialect
}

// unanswered says that there is nothing to grade attempts at a task by, in a domain where models have to agree on an answer.
func (l *Lab) unanswered(p *Proposal) bool {
	_, ok := l.Domain.(domains.Oracled)
	return ok && !p.Task.Oracle.Known
}

// consult has the oracles answer the valid proposals that have no exact answer: PROPEL's strict policy (arXiv 2606.18284), by which every
// answer of every oracle has to agree with every other. An oracle is asked of the tasks that those before it agree on.
func (l *Lab) consult(ctx context.Context, proposals []*Proposal) error {
	domain, ok := l.Domain.(domains.Oracled)
	if !ok {
		return nil
	}
	var open []*Proposal
	for _, p := range proposals {
		if p.Valid() && p.Gradings == nil && !p.consulted && l.unanswered(p) {
			p.consulted = true
			open = append(open, p)
		}
	}
	said := map[*Proposal][]string{} // the answers so far, all in agreement
	for o := range l.Oracles {
		if err := l.ask(ctx, domain, o, open, said); err != nil {
			return fmt.Errorf("oracle %d: %w", o+1, err)
		}
		var agreed []*Proposal
		for _, p := range open {
			if said[p] != nil {
				agreed = append(agreed, p)
			}
		}
		open = agreed
	}
	return nil
}

// ask has oracle o answer the proposals. It adds its answers to what was said, or takes away all that was said where they do not agree.
func (l *Lab) ask(ctx context.Context, domain domains.Oracled, o int, proposals []*Proposal, said map[*Proposal][]string) error {
	oracle, n := l.Oracles[o], l.Answers
	if len(proposals) > 0 {
		l.Meter.turnTo(Answers, n*len(proposals))
	}
	var open []*dialogue
	for _, p := range proposals {
		_, known := l.Known.oracle(p.Key, o)
		for a := range n {
			open = append(open, &dialogue{
				next:  func(e domains.Episode) (prompt.Prompt, bool) { return domain.OracleTurn(oracle.Dialect, p.Task, e) },
				seed:  func(turn int) uint64 { return l.seedOfOracle(p.Key, o, a, turn) },
				ended: known,
			})
		}
	}
	c := conversation{lab: l, model: oracle.Model, params: oracle.Params, what: Answers, open: open, result: func(i int) ([]event.Event, error) {
		p, a := proposals[i/n], i%n
		e, known := l.Known.oracle(p.Key, o)
		if known {
			return l.answered(p, e, a, said)
		}
		if a < n-1 {
			return nil, open[i].err
		}
		e = event.OracleAnswered{Key: p.Key, Oracle: o}
		for _, d := range open[i+1-n : i+1] {
			e.Answers = append(e.Answers, answerOf(domain, oracle.Dialect, d))
			e.Tokens += d.tokens()
		}
		judge(domain, &e, said[p], o == len(l.Oracles)-1)
		return l.answered(p, e, a, said)
	}}
	return c.lead(ctx)
}

// answerOf is what one episode answers.
func answerOf(domain domains.Oracled, dialect domains.Dialect, d *dialogue) event.OracleAnswer {
	if d.err != nil {
		return event.OracleAnswer{Episode: d.episode, Error: d.err.Error()}
	}
	return event.OracleAnswer{Episode: d.episode, Answer: domain.ReadAnswer(dialect, d.episode)}
}

// judge says whether an oracle's answers agree with each other and with those before. Where one could not be had nothing is agreed on.
func judge(domain domains.Oracled, e *event.OracleAnswered, before []string, last bool) {
	all := append([]string(nil), before...)
	for _, a := range e.Answers {
		if a.Error != "" || !a.Answer.Known {
			return
		}
		for _, b := range all {
			if !domain.Agree(a.Answer.Text, b) {
				return
			}
		}
		all = append(all, a.Answer.Text)
	}
	e.Agreed = true
	if last {
		e.Answer = domains.Some(all[0])
	}
}

// answered takes what an oracle has said, once with its last answer, and gives the event with it. The error is that of answer a.
func (l *Lab) answered(p *Proposal, e event.OracleAnswered, a int, said map[*Proposal][]string) ([]event.Event, error) {
	var err error
	if e.Answers[a].Error != "" {
		err = errors.New(e.Answers[a].Error)
	}
	if a < len(e.Answers)-1 {
		return nil, err
	}
	if !e.Agreed {
		delete(said, p)
		return []event.Event{e}, err
	}
	for _, x := range e.Answers {
		said[p] = append(said[p], x.Answer.Text)
	}
	p.Task.Oracle = e.Answer
	return []event.Event{e}, err
}
