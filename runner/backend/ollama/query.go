package ollama

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ollama/ollama/api"

	"verge/domains/prompt"
	"verge/runner/backend"
)

// Query asks for one reply.
type Query struct {
	Prompt prompt.Prompt
	// Spelled is what the model reads in the prompt's stead where it is not "": text in which control tokens are spelled out.
	Spelled string
	Params  backend.Params
	Seed    uint64
	// Top asks for the log-probabilities of the generated tokens and of the Top likeliest in their places, 1 … 20; 0: none.
	// They are those of temperature 1, before any grammar. The token that ends a reply has none.
	Top int
	// Format is a JSON schema that the reply has to follow, as far as the server's version enforces it; nil: none.
	Format json.RawMessage
}

// request is what a query becomes: the path and the body, and how long the prompt's text is.
type request struct {
	path  string
	body  any
	bytes int
}

// request spells out everything that would otherwise be a default of the server's version, its machine or the model's file.
func (m *Model) request(q Query) (request, error) {
	if q.Params.MaxTokens < 1 {
		return request{}, fmt.Errorf("ollama: model %s is asked for %d tokens; a call needs at least one", m.name, q.Params.MaxTokens)
	}
	stream, no := true, false
	options, keep, think := m.options(q), &api.Duration{Duration: m.keepAlive}, &api.ThinkValue{Value: m.think.value()}
	if q.Spelled != "" || compact(q.Prompt) {
		text, err := q.Spelled, error(nil)
		if text == "" {
			text, err = spell(q.Prompt)
		}
		if err != nil {
			return request{}, err
		}
		options["stop"] = []string{} // words of the model's file, which end its chats: the model ends this one by a token
		return request{path: "/api/generate", bytes: len(text), body: api.GenerateRequest{
			Model: m.name, Prompt: text, Raw: true, Stream: &stream, Format: q.Format, KeepAlive: keep, Options: options, Think: think,
			Truncate: &no, Shift: &no, Logprobs: q.Top > 0, TopLogprobs: q.Top,
		}}, nil
	}
	messages := chat(q.Prompt)
	bytes := 0
	for _, message := range messages {
		bytes += len(message.Content)
	}
	if bytes == 0 {
		return request{}, &CallError{Outcome: NotAsked, Text: "the prompt is empty; the server would only load the model"}
	}
	return request{path: "/api/chat", bytes: bytes, body: api.ChatRequest{
		Model: m.name, Messages: messages, Stream: &stream, Format: q.Format, KeepAlive: keep, Options: options, Think: think,
		Truncate: &no, Shift: &no, Logprobs: q.Top > 0, TopLogprobs: q.Top,
	}}, nil
}

// runner holds the options that a model is loaded with. Calls that differ in them make the server load the model again, so that every
// call has them all.
func (m *Model) runner() map[string]any {
	options := map[string]any{"num_ctx": m.context}
	if m.threads > 0 {
		options["num_thread"] = m.threads
	}
	return options
}

// options are those of the runner and the sampling parameters. Penalties and the cuts that backend.Params does not have are off: the
// server's defaults and those in a model's file would sample from another distribution than the profile names.
func (m *Model) options(q Query) map[string]any {
	options := m.runner()
	maps.Copy(options, map[string]any{
		"num_predict": q.Params.MaxTokens,
		"seed":        seed(q.Seed),
		"temperature": q.Params.Temperature, "top_k": q.Params.TopK, "top_p": q.Params.TopP,
		"min_p": 0.0, "typical_p": 1.0, "repeat_penalty": 1.0, "presence_penalty": 0.0, "frequency_penalty": 0.0,
	})
	return options
}

// seed makes a seed that every version of the server keeps apart from others: llama.cpp takes 32 bits, JSON numbers hold 53, and −1
// and 2³² − 1 mean a random one. It mixes the bits (the finaliser of SplitMix64), then keeps 31 that are not all zero.
func seed(s uint64) int64 {
	s ^= s >> 30
	s *= 0xbf58476d1ce4e5b9
	s ^= s >> 27
	s *= 0x94d049bb133111eb
	s ^= s >> 31
	return 1 + int64(s%(1<<31-1))
}

// compact says that a prompt is written for a model of verge pretrain, in control tokens.
func compact(p prompt.Prompt) bool {
	return slices.ContainsFunc(p, func(part prompt.Part) bool { return part.Control != "" })
}

// spell writes a compact prompt as the server's tokeniser reads it. A text that spells a control token cannot be kept from being read
// as one, and is refused.
func spell(p prompt.Prompt) (string, error) {
	for _, part := range p {
		if strings.Contains(part.Text, "<|") {
			return "", &CallError{Outcome: NotAsked, Text: fmt.Sprintf("the text %.80q holds \"<|\", which the server would read as the start of a control token", part.Text)}
		}
	}
	return p.String(), nil
}

// spelled finds what spells a control token of some family of models.
var spelled = regexp.MustCompile(`<\|[^|<>]{1,64}\|>|<｜[^｜<>]{1,64}｜>|</?s>|<(?:bos|eos|pad|unk)>|<(?:start|end)_of_turn>|\[/?INST\]`)

// harmless is a text that spells no control token. A server reads one wherever a message spells it, so that a task could end the user's turn
// and answer itself; a space after the first character keeps it a text, which still says what it said.
func harmless(text string) string {
	return spelled.ReplaceAllStringFunc(text, func(token string) string {
		_, n := utf8.DecodeRuneInString(token)
		return token[:n] + " " + token[n:]
	})
}

// chat makes messages of a prompt, one for each run of parts of one role.
func chat(p prompt.Prompt) []api.Message {
	var messages []api.Message
	for _, part := range p {
		if part.Text == "" {
			continue
		}
		role := string(part.Role)
		if role == "" {
			role = string(prompt.User)
		}
		if n := len(messages); n > 0 && messages[n-1].Role == role {
			messages[n-1].Content += part.Text
			continue
		}
		messages = append(messages, api.Message{Role: role, Content: part.Text})
	}
	for i := range messages {
		messages[i].Content = harmless(messages[i].Content)
	}
	return messages
}

// Think is whether a model thinks before it answers.
type Think string

// The ways to think. Unset is off: servers from 0.12.4 on would turn it on, and thinking uses up MaxTokens.
const (
	ThinkOff    Think = "off"
	ThinkOn     Think = "on"
	ThinkLow    Think = "low" // levels are for models that have them, such as gpt-oss
	ThinkMedium Think = "medium"
	ThinkHigh   Think = "high"
)

func (t Think) value() any {
	switch t {
	case ThinkLow, ThinkMedium, ThinkHigh:
		return string(t)
	}
	return t == ThinkOn
}

func (t Think) check() error {
	switch t {
	case "", ThinkOff, ThinkOn, ThinkLow, ThinkMedium, ThinkHigh:
		return nil
	}
	return fmt.Errorf("think = %q: allowed are off, on, low, medium, high", t)
}

// defaultKeepAlive outlasts the pauses between a role's batches.
const defaultKeepAlive = 30 * time.Minute
