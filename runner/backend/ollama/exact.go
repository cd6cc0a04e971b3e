package ollama

import (
	"context"
	"math"

	"verge/domains/prompt"
	"verge/runner/backend"
)

// Vocabulary is what is known in this process of the vocabulary of a model behind a server.
type Vocabulary interface {
	// Spell writes a prompt as text that the server reads as the model's own tokeniser reads the prompt.
	Spell(p prompt.Prompt) (string, error)
	// Written is the token that reads as a text, where the text tells it.
	Written(text string) (int32, bool)
	// End is the token that ends a reply.
	End() int32
}

// Exact is a model in a role whose replies tell their tokens and the tokens' log-probabilities, so that a policy can learn from them. A
// server tells tokens as texts, leaves out pieces of characters that never became whole, and says nothing of the token that ends a reply. That
// one is taken to be the vocabulary's own: Logprobs is then shorter than Tokens by one. A reply of which any other token is not told has no
// Tokens, and Count all the same.
type Exact struct {
	*Model
	as asker
}

var _ backend.Streamer = Exact{}

// Exactly is the model in a role, with replies of tokens.
func (m *Model) Exactly(role string, words Vocabulary) Exact { return Exact{m, asker{role, words}} }

// Sample implements backend.Model, as that of Model does.
func (e Exact) Sample(ctx context.Context, requests []backend.Request, progress func(replies, tokens int)) ([][]backend.Reply, error) {
	return e.sample(ctx, e.as, requests, progress)
}

// Stream implements backend.Streamer, as that of Model does.
func (e Exact) Stream(ctx context.Context, requests []backend.Request, done func(request, seed int, reply backend.Reply)) error {
	return e.stream(ctx, e.as, requests, done)
}

// told are the tokens of an answer; none where it does not tell them all, or with what is no log-probability, or where they are more than the
// model was asked for, which need not fit its context.
func told(a Answer, words Vocabulary, most int) (tokens []int32, logprobs []float32) {
	if a.Metrics.EvalCount > most {
		return nil, nil
	}
	for _, l := range a.Logprobs {
		id, ok := words.Written(l.Token)
		if !ok || l.Logprob > rounding || l.Logprob < -math.MaxFloat32 {
			return nil, nil
		}
		tokens, logprobs = append(tokens, id), append(logprobs, float32(l.Logprob))
	}
	if a.Outcome == OK {
		tokens = append(tokens, words.End())
	}
	if len(tokens) != a.Metrics.EvalCount {
		return nil, nil
	}
	return tokens, logprobs
}
