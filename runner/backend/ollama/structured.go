package ollama

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"verge/domains/prompt"
	"verge/runner/backend"
)

// Structured is a reply that follows a schema.
type Structured struct {
	Fields   map[string]any
	Repaired bool // the first reply did not follow it, the second did
}

// Structured asks for a reply that follows a schema. One that does not is shown to the model with what is wrong with it, once; after that
// the error is a *CallError with outcome SchemaFailure, which a judge takes for an abstention.
//
// The schema stands in the prompt and goes with the request too; the reply is checked whatever the server made of that: versions before
// 0.21.1 ignore the format of a thinking model that is kept from thinking.
func (m *Model) Structured(ctx context.Context, p prompt.Prompt, s Schema, params backend.Params, seed uint64) (Structured, error) {
	asked := append(slices.Clone(p), prompt.Say(prompt.User, "\n\n"+s.Instruction()))
	q := Query{Prompt: asked, Params: params, Seed: seed, Format: s.JSON()}
	wrong, reply, err := m.follow(ctx, q, s)
	if err != nil || wrong == nil {
		return Structured{Fields: reply.fields}, err
	}
	q.Prompt = append(slices.Clone(asked), prompt.Say(prompt.Assistant, reply.text),
		prompt.Say(prompt.User, fmt.Sprintf("\n\nThat is not what was asked for: %v. %s", wrong, s.Instruction())))
	q.Seed++
	if wrong, reply, err = m.follow(ctx, q, s); err != nil {
		return Structured{}, err
	}
	if wrong != nil {
		return Structured{}, &CallError{Outcome: SchemaFailure, Text: fmt.Sprintf("the reply does not follow the schema, and neither does its repair: %v: %.200q", wrong, reply.text), Err: wrong}
	}
	return Structured{Fields: reply.fields, Repaired: true}, nil
}

// structuredReply is a reply, and what was read of it.
type structuredReply struct {
	text   string
	fields map[string]any
}

// follow asks once. wrong says how the reply fails the schema; err is a call without an answer. A reply that stayed empty fails the
// schema like any other.
func (m *Model) follow(ctx context.Context, q Query, s Schema) (wrong error, r structuredReply, err error) {
	answer, err := m.Ask(ctx, q)
	if o := outcomeOf(err); o == Empty || o == EmptyThinking {
		return errors.New("there is no reply"), r, nil
	}
	if err != nil {
		return nil, r, err
	}
	r.text = answer.Text
	r.fields, wrong = s.Parse(answer.Text)
	return wrong, r, nil
}
