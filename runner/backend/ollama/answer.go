package ollama

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ollama/ollama/api"
)

// Answer is a reply with all that the server told of it.
type Answer struct {
	Text     string
	Thinking string // kept apart: it is no part of the reply
	Outcome  Outcome
	Logprobs []api.Logprob // of the generated tokens, those of the thinking too, if they were asked for
	Metrics  api.Metrics
}

// piece is a line of the stream, of a chat or of a generation.
type piece struct {
	Error    json.RawMessage `json:"error"`
	Response string          `json:"response"`
	Thinking string          `json:"thinking"`
	Message  struct {
		Content  string `json:"content"`
		Thinking string `json:"thinking"`
	} `json:"message"`
	Done       bool          `json:"done"`
	DoneReason string        `json:"done_reason"`
	Logprobs   []api.Logprob `json:"logprobs"`
	api.Metrics
}

// gathering collects the pieces of one answer.
type gathering struct {
	text, thinking strings.Builder
	logprobs       []api.Logprob
	metrics        api.Metrics
	bytes          int // of all lines
	pieces         int
	done           bool
	reason         string
	last           string // token, without space around it
	repeated       int    // how often it came again
}

// maxAnswer bounds the lines of one answer, which a server that heeds no num_predict goes on with for as long as Limits.Total. They are far
// fewer, the likeliest tokens at each place of a long reply included.
const maxAnswer = maxLine

// add takes one line of the stream. It returns errWhole for the last.
func (g *gathering) add(line []byte) error {
	if g.bytes += len(line); g.bytes > maxAnswer {
		return &CallError{Outcome: ServerError, Text: fmt.Sprintf("the answer is longer than %d MB", maxAnswer>>20)}
	}
	var p piece
	if err := json.Unmarshal(line, &p); err != nil {
		return &CallError{Outcome: ServerError, Text: fmt.Sprintf("a line of the answer is no JSON object (%v): %.200q", err, line), Err: err}
	}
	if len(p.Error) > 0 {
		text := errorValue(p.Error)
		if overlong(text) {
			return &CallError{Outcome: TruncatedPrompt, Text: text, Fix: fixContext}
		}
		return &CallError{Outcome: ServerError, Text: text}
	}
	content := p.Response + p.Message.Content
	g.text.WriteString(content)
	g.thinking.WriteString(p.Thinking + p.Message.Thinking)
	g.logprobs = append(g.logprobs, p.Logprobs...)
	if p.Done {
		g.done, g.reason, g.metrics = true, p.DoneReason, p.Metrics
		return errWhole
	}
	g.pieces++
	if token := strings.TrimSpace(content + p.Thinking + p.Message.Thinking); token == g.last {
		g.repeated++
	} else {
		g.last, g.repeated = token, 0
	}
	return nil
}

// repeatLimit is how often a server lets one token come again before it ends the stream, without a word.
const repeatLimit = 30

// answer says what the gathered pieces are. raw is a reply that went through no chat template; exact is one of which the tokens are wanted,
// so that blanks are a reply too.
func (g *gathering) answer(raw, exact bool) (Answer, error) {
	a := Answer{Text: g.text.String(), Thinking: g.thinking.String(), Logprobs: g.logprobs, Metrics: g.metrics}
	repeating := !g.done && g.repeated >= repeatLimit
	if repeating {
		a.Metrics.EvalCount = g.pieces // the server counts the tokens in the line it left out
	}
	empty := strings.TrimSpace(a.Text) == ""
	switch {
	case !g.done && !repeating:
		return a, &CallError{Outcome: StreamCut, Text: fmt.Sprintf("the answer ended after %d bytes without being done", len(a.Text))}
	case g.reason == "load" || g.reason == "unload":
		return a, &CallError{Outcome: NotAsked, Text: "the server answered that it loaded or unloaded the model, and nothing else"}
	case empty && strings.TrimSpace(a.Thinking) != "":
		return a, &CallError{Outcome: EmptyThinking, Text: fmt.Sprintf("%d tokens of thinking and no reply", a.Metrics.EvalCount),
			Fix: "raise the role's max_tokens, or turn its thinking off"}
	case empty && (repeating || g.reason == "length") && !(exact && len(a.Logprobs) > 0):
		return a, &CallError{Outcome: Empty, Text: fmt.Sprintf("no text in %d tokens after a prompt of %d", a.Metrics.EvalCount, a.Metrics.PromptEvalCount),
			Fix: "raise the role's max_tokens, or its context where prompt and reply fill it"}
	case repeating:
		a.Outcome = Repeating
		return a, nil
	case g.reason == "length":
		a.Outcome = Length
		return a, nil
	case empty && !raw:
		return a, &CallError{Outcome: Empty, Text: "the model ended its reply before it began"}
	case g.reason != "stop" && g.reason != "":
		return a, &CallError{Outcome: ServerError, Text: fmt.Sprintf("the answer ended for a reason unknown to this version: %q", g.reason)}
	}
	a.Outcome = OK
	return a, nil
}
