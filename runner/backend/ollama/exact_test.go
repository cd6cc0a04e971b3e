package ollama

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ollama/ollama/api"

	"verge/domains/prompt"
	"verge/runner/backend"
	"verge/runner/backend/ollama/hostile"
)

// letters is a vocabulary of the letters a to z, of which a prompt may not hold an x.
type letters struct{}

func (letters) Spell(p prompt.Prompt) (string, error) {
	if text := p.String(); !strings.Contains(text, "x") {
		return "<begin>" + text, nil
	}
	return "", errors.New("an x")
}

func (letters) Written(text string) (int32, bool) {
	return int32(text[0] - 'a'), len(text) == 1 && text >= "a" && text <= "z"
}

func (letters) End() int32 { return 26 }

func logprobs(tokens ...string) []api.Logprob {
	var all []api.Logprob
	for i, token := range tokens {
		all = append(all, api.Logprob{TokenLogprob: api.TokenLogprob{Token: token, Logprob: -float64(i + 1)}})
	}
	return all
}

// likely is one token with a log-probability.
func likely(logprob float64) []api.Logprob {
	return []api.Logprob{{TokenLogprob: api.TokenLogprob{Token: "b", Logprob: logprob}}}
}

// A policy learns from a reply's tokens, so that they are all told or none is.
func TestExactRepliesTellTheirTokens(t *testing.T) {
	for _, c := range []struct {
		name     string
		reply    hostile.Reply
		tokens   []int32
		logprobs []float32
	}{
		{"ended", hostile.Reply{Text: []string{"ba"}, Logprobs: logprobs("b", "a"), Metrics: api.Metrics{EvalCount: 3}}, []int32{1, 0, 26}, []float32{-1, -2}},
		{"cut at the limit", hostile.Reply{Text: []string{"ba"}, Logprobs: logprobs("b", "a"), Reason: "length", Metrics: api.Metrics{EvalCount: 2}}, []int32{1, 0}, []float32{-1, -2}},
		{"blanks to the limit", hostile.Reply{Text: []string{" "}, Logprobs: logprobs("b", "a"), Reason: "length", Metrics: api.Metrics{EvalCount: 2}}, []int32{1, 0}, []float32{-1, -2}},
		{"a piece of a character", hostile.Reply{Text: []string{"bé"}, Logprobs: logprobs("b", "\uFFFD", "\uFFFD"), Metrics: api.Metrics{EvalCount: 4}}, nil, nil},
		{"pieces that are left out", hostile.Reply{Text: []string{"ba"}, Logprobs: logprobs("b", "a"), Metrics: api.Metrics{EvalCount: 5}}, nil, nil},
		{"more than are counted", hostile.Reply{Text: []string{"ba"}, Logprobs: logprobs("b", "a", "b", "a"), Metrics: api.Metrics{EvalCount: 3}}, nil, nil},
		{"more than certain", hostile.Reply{Text: []string{"b"}, Logprobs: likely(1), Metrics: api.Metrics{EvalCount: 2}}, nil, nil},
		{"less than any number", hostile.Reply{Text: []string{"b"}, Logprobs: likely(-1e300), Metrics: api.Metrics{EvalCount: 2}}, nil, nil},
		{"more than was asked for", hostile.Reply{Text: []string{"ba"}, Logprobs: logprobs(strings.Split(strings.Repeat("b", 64), "")...), Metrics: api.Metrics{EvalCount: 65}}, nil, nil},
		{"a server that tells none", hostile.Reply{Text: []string{"ba"}, Metrics: api.Metrics{EvalCount: 3}}, nil, nil},
	} {
		inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
			b.server.Always(hostile.Stream(c.reply))
			request := backend.Request{Prompt: prompt.Prompt{prompt.Text("q")}, Params: params, Seeds: []uint64{1}}
			replies, err := b.model.Exactly("generator", letters{}).Sample(b.t.Context(), []backend.Request{request}, nil)
			if err != nil {
				b.t.Fatal(err)
			}
			r := replies[0][0]
			if r.Err != nil || r.Count != c.reply.Metrics.EvalCount || r.Text != c.reply.Text[0] {
				b.t.Errorf("%s: reply %+v", c.name, r)
			}
			if d := cmp.Diff(c.tokens, r.Tokens); d != "" {
				b.t.Errorf("%s: tokens (-want +got):\n%s", c.name, d)
			}
			if d := cmp.Diff(c.logprobs, r.Logprobs); d != "" {
				b.t.Errorf("%s: log-probabilities (-want +got):\n%s", c.name, d)
			}
			if q := b.server.Asked()[0]; !q.Raw || q.Prompt != "<begin>q" || !q.Logprobs {
				b.t.Errorf("%s: asked %+v", c.name, q)
			}
		})
	}
}

// A prompt that the server would read otherwise than the engine is not sent.
func TestExactPromptsThatCannotBeSpelledAreErrors(t *testing.T) {
	inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
		request := backend.Request{Prompt: prompt.Prompt{prompt.Text("x")}, Params: params, Seeds: []uint64{1}}
		replies, err := b.model.Exactly("generator", letters{}).Sample(b.t.Context(), []backend.Request{request}, nil)
		if err != nil {
			b.t.Fatal(err)
		}
		if r := replies[0][0]; outcomeOf(r.Err) != NotAsked || len(b.server.Asked()) > 0 {
			b.t.Errorf("reply %+v after %d questions", r, len(b.server.Asked()))
		}
	})
}
