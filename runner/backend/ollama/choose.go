package ollama

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/ollama/ollama/api"

	"verge/domains/prompt"
	"verge/runner/backend"
)

// topTokens is the most that a server lists of a token's alternatives.
const topTokens = 20

// rounding is by how much probabilities that a server computed in single precision may add up to more than 1.
const rounding = 1e-3

// Choice is how a model's next token is spread over labels.
type Choice struct {
	Probabilities []float64 // of the labels, in their order; they sum to 1, or are all 0 where Mass is
	Mass          float64   // the probability that all labels together had before: what the figures rest on
}

// Choose reads, without sampling, which label the model would begin its reply with. A token counts for a label that it begins, whatever
// the case, and only for one that no other label shares with it.
func (m *Model) Choose(ctx context.Context, p prompt.Prompt, labels []string) (Choice, error) {
	if m.think != ThinkOff {
		return Choice{}, &ModelError{m.name, "thinks before it answers, so that its first token is no label", `set think = "off"`}
	}
	answer, err := m.Ask(ctx, Query{Prompt: p, Params: backend.Params{TopP: 1, MaxTokens: 1}, Top: topTokens})
	if err != nil {
		return Choice{}, err
	}
	if len(answer.Logprobs) == 0 {
		return Choice{}, &ModelError{m.name, fmt.Sprintf("came without log-probabilities from version %s of the server", m.info.Server), "use Ollama 0.12.11 or later"}
	}
	tokens, total := answer.Logprobs[0].TopLogprobs, 0.0
	for _, t := range tokens {
		total += math.Exp(t.Logprob)
	}
	// With speculative decoding a server tells 0 of every token.
	if !(total <= 1+rounding) {
		return Choice{}, &CallError{Outcome: ServerError, Text: fmt.Sprintf("the log-probabilities of %d tokens make %.2f together, and are those of no distribution", len(tokens), total)}
	}
	return choice(tokens, labels), nil
}

func choice(tokens []api.TokenLogprob, labels []string) Choice {
	c := Choice{Probabilities: make([]float64, len(labels))}
	for _, t := range tokens {
		if i := begins(t.Token, labels); i >= 0 {
			p := math.Exp(t.Logprob)
			c.Probabilities[i] += p
			c.Mass += p
		}
	}
	for i := range c.Probabilities {
		if c.Mass > 0 {
			c.Probabilities[i] /= c.Mass
		}
	}
	return c
}

// begins is the one label that a token begins, or -1.
func begins(token string, labels []string) int {
	token = strings.ToLower(strings.TrimSpace(token))
	found := -1
	for i, label := range labels {
		if token == "" || !strings.HasPrefix(strings.ToLower(label), token) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}
