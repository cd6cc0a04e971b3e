package ollama

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ollama/ollama/api"

	"verge/domains/prompt"
	"verge/runner/backend/ollama/hostile"
)

func TestOutcomes(t *testing.T) {
	megabytes := strings.Repeat("x", 9<<20) // more than the line that api.Client reads
	metrics := func(read, written int) api.Metrics {
		return api.Metrics{PromptEvalCount: read, EvalCount: written}
	}
	for name, test := range map[string]struct {
		answer hostile.Action
		want   Outcome
		text   string // of the answer, or in the error
	}{
		"answer":                 {hostile.Stream(hostile.Say("1", "2")), OK, "12"},
		"cut at num_predict":     {hostile.Stream(hostile.Reply{Text: []string{"12"}, Reason: "length", Metrics: metrics(9, 64)}), Length, "12"},
		"a very long line":       {hostile.Answer(megabytes), OK, megabytes},
		"thinking and answer":    {hostile.Stream(hostile.Reply{Thinking: []string{"well"}, Text: []string{"12"}}), OK, "12"},
		"thinking alone":         {hostile.Stream(hostile.Reply{Thinking: []string{"well"}, Reason: "length"}), EmptyThinking, "max_tokens"},
		"thinking, then a stop":  {hostile.Stream(hostile.Reply{Thinking: []string{"well"}}), EmptyThinking, "max_tokens"},
		"nothing":                {hostile.Stream(hostile.Reply{}), Empty, ""},
		"no room":                {hostile.Stream(hostile.Reply{Reason: "length", Metrics: metrics(4090, 1)}), Empty, "context"},
		"prompt fills context":   {hostile.Stream(hostile.Reply{Text: []string{"1"}, Metrics: metrics(4096, 1)}), TruncatedPrompt, "context"},
		"prompt refused":         {hostile.Status(400, `{"error":"the input length exceeds the context length"}`), TruncatedPrompt, "larger context"},
		"only loaded":            {hostile.Loaded(), NotAsked, ""},
		"error in the stream":    {hostile.ErrorWithin("CUDA out of memory"), ServerError, "CUDA out of memory"},
		"overlong, in stream":    {hostile.ErrorWithin("the request exceeds the available context size"), TruncatedPrompt, ""},
		"wrong JSON":             {hostile.Lines(`{"message":{"content":"1"}}`, `{"message":`), ServerError, "no JSON object"},
		"a list":                 {hostile.Lines(`[1,2]`), ServerError, "no JSON object"},
		"plain text, status 200": {hostile.Lines("upstream connect error"), ServerError, "upstream connect error"},
		"plain text, status 500": {hostile.Status(500, "panic: nil map"), ServerError, "panic: nil map"},
		"nested error":           {hostile.Status(500, `{"error":{"message":"no slots"}}`), ServerError, "no slots"},
		"no adapters":            {hostile.Status(500, `{"error":"failed to initialize model: loras are not yet implemented\n"}`), ServerError, "implemented; its own engine applies no adapters"},
		"no text at all":         {hostile.Status(500, ""), ServerError, http.StatusText(500)},
		"ends without done":      {hostile.Stream(hostile.Reply{Text: []string{"1", "2"}, NotDone: true}), StreamCut, "without being done"},
		"one token for ever":     {hostile.Stream(hostile.Reply{Text: strings.SplitAfter(strings.Repeat("ha ", 31), " ")[:31], NotDone: true}), Repeating, strings.Repeat("ha ", 31)},
		"thirty times only":      {hostile.Stream(hostile.Reply{Text: strings.SplitAfter(strings.Repeat("ha ", 30), " ")[:30], NotDone: true}), StreamCut, ""},
		"one thought for ever":   {hostile.Stream(hostile.Reply{Thinking: slices.Repeat([]string{"hm "}, 31), NotDone: true}), EmptyThinking, "31 tokens of thinking"},
		"one blank for ever":     {hostile.Stream(hostile.Reply{Text: slices.Repeat([]string{"\n"}, 31), NotDone: true}), Empty, "no text in 31 tokens"},
		"blanks":                 {hostile.Stream(hostile.Say(" ", "\n")), Empty, ""},
		"thinking and blanks":    {hostile.Stream(hostile.Reply{Thinking: []string{"well"}, Text: []string{"\n\n"}}), EmptyThinking, "max_tokens"},
		"blanks to num_predict":  {hostile.Stream(hostile.Reply{Text: []string{" ", " "}, Reason: "length", Metrics: metrics(9, 64)}), Empty, "no text in 64 tokens"},
		"slow, within limits":    {hostile.Slow(59*time.Second, hostile.Answer("12")), OK, "12"},
		"slow headers":           {hostile.Slow(61*time.Second, hostile.Answer("12")), TimeLimit, "no answer began within 1m"},
		"silence":                {hostile.Stall(), TimeLimit, "no next piece of the answer within 20s"},
		"slow pieces":            {hostile.Stream(hostile.Reply{Text: []string{"1", "2"}, Gap: 19 * time.Second}), OK, "12"},
		"stream without end":     {hostile.Endless(), TimeLimit, "no end of the answer within 5m"},
		"megabytes without end":  {flood(), ServerError, "longer than 64 MB"},
		"an unknown reason":      {hostile.Stream(hostile.Reply{Text: []string{"1"}, Reason: "tool"}), ServerError, `"tool"`},
		"busy, then not":         {busyTimes(maxRetries, hostile.Answer("12")), OK, "12"},
		"busy":                   {busyTimes(maxRetries+1, hostile.Answer("12")), QueueFull, "OLLAMA_MAX_QUEUE"},
		"model gone":             {hostile.Status(404, `{"error":"model 'test' not found"}`), "", "ollama pull test:latest"},
		"garbage after its end":  {hostile.Lines(`{"message":{"content":"12"},"done":true,"done_reason":"stop"}`, `{"message":`), OK, "12"},
		"error after its end":    {hostile.Lines(`{"message":{"content":"12"},"done":true,"done_reason":"stop"}`, `{"error":"too late"}`), OK, "12"},
		"answer after its end":   {hostile.Lines(`{"message":{"content":"12"},"done":true,"done_reason":"stop"}`, `{"message":{"content":"34"}}`), OK, "12"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
				b.server.Always(test.answer)
				a, err := b.ask()
				var gone *MissingModelError
				if test.want == "" {
					if !errors.As(err, &gone) {
						b.t.Errorf("error %v, want a missing model", err)
					}
				} else {
					b.want(a, err, test.want)
				}
				if err == nil && a.Text != test.text {
					b.t.Errorf("text %.80q, want %.80q", a.Text, test.text)
				}
				if err != nil && !strings.Contains(err.Error(), test.text) {
					b.t.Errorf("error %q does not say %q", err, test.text)
				}
			})
		})
	}
}

// flood answers with megabytes at a time until the client leaves.
func flood() hostile.Action {
	return func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
		piece := hostile.Stream(hostile.Reply{Text: []string{strings.Repeat("x", 16<<20)}, NotDone: true})
		for r.Context().Err() == nil {
			piece(w, r, q)
		}
	}
}

// busyTimes is busy n times, then answers.
func busyTimes(n int, then hostile.Action) hostile.Action {
	return func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
		if n--; n >= 0 {
			hostile.Busy()(w, r, q)
			return
		}
		then(w, r, q)
	}
}

// A connection that breaks anywhere in an answer gives no answer, unless the line that says it is done had come.
func TestConnectionDroppedAtAnyByte(t *testing.T) {
	r := hostile.Reply{Text: []string{"1", "2"}, Thinking: []string{"well"}}
	wire := hostile.Wire(r, "/api/chat")
	done := strings.Index(string(wire), `"done":true`)
	done += strings.IndexByte(string(wire[done:]), '\n') + 1
	inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
		for n := 0; n <= len(wire); n++ {
			b.server.Script(hostile.Drop(r, n))
			a, err := b.ask()
			if n < done {
				b.want(a, err, StreamCut)
			} else if b.want(a, err, OK); a.Text != "12" || a.Thinking != "well" {
				b.t.Errorf("dropped at byte %d of %d: answer %+v", n, len(wire), a)
			}
			if b.t.Failed() {
				b.t.Fatalf("dropped at byte %d of %d (done at %d)", n, len(wire), done)
			}
		}
		if asked := len(b.server.Asked()); asked != len(wire)+1 {
			b.t.Errorf("%d questions for %d calls: an answer that was cut was asked for again", asked, len(wire)+1)
		}
	})
}

// A model that is spoken to in control tokens may answer with nothing: its end token is its answer. One that is cut has not answered.
func TestEmptyRepliesToRawPrompts(t *testing.T) {
	inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
		q := query(1)
		q.Prompt = prompt.Prompt{prompt.Control("solve"), prompt.Text("7+5")}
		for reason, want := range map[string]Outcome{"stop": OK, "length": Empty} {
			b.server.Script(hostile.Stream(hostile.Reply{Reason: reason}))
			a, err := b.model.Ask(b.t.Context(), q)
			b.want(a, err, want)
		}
	})
}

// A whole answer is had at once, though the server keeps the connection open; the next call has another.
func TestAnswersAreWholeWhenTheyAreDone(t *testing.T) {
	inBubble(t, nil, Options{Concurrency: 1}, ModelOptions{}, func(b *bench) {
		b.server.Always(hostile.Linger("12"))
		began := time.Now()
		for range 3 {
			a, err := b.ask()
			if b.want(a, err, OK); a.Text != "12" {
				b.t.Errorf("answer %+v", a)
			}
		}
		if took := time.Since(began); took > 3*farewell {
			b.t.Errorf("three answers took %v", took)
		}
	})
}

func TestThinkingIsKeptApart(t *testing.T) {
	inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
		b.server.Script(hostile.Stream(hostile.Reply{Thinking: []string{"7+5 ", "is 12"}, Text: []string{"12"}}))
		a, err := b.ask()
		if err != nil || a.Text != "12" || a.Thinking != "7+5 is 12" {
			b.t.Errorf("answer %+v, error %v", a, err)
		}
	})
}

func TestCancelEndsACallAtOnce(t *testing.T) {
	inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
		b.server.Always(hostile.Stall())
		ctx, cancel := context.WithCancel(b.t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := b.model.Ask(ctx, query(1))
			ended <- err
		}()
		synctest.Wait()
		before := time.Now()
		cancel()
		b.want(Answer{}, <-ended, Cancelled)
		if took := time.Since(before); took != 0 {
			b.t.Errorf("the call ended %v after it was cancelled", took)
		}
	})
}
