package hostile

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/ollama/ollama/api"
)

// Reply is an answer in pieces.
type Reply struct {
	Thinking []string
	Text     []string
	Reason   string // why it is done; "": "stop"
	Metrics  api.Metrics
	Logprobs []api.Logprob // of the last piece of text
	Gap      time.Duration // before each piece
	NotDone  bool          // the last line, which says that the answer is done, is left out
}

// Say is a reply of these pieces.
func Say(pieces ...string) Reply { return Reply{Text: pieces} }

// lines are the reply's lines for a chat or a generation.
func (a Reply) lines(path string) [][]byte {
	line := func(text, thinking string, logprobs []api.Logprob, done bool) []byte {
		l := map[string]any{"model": Model, "created_at": time.Unix(0, 0).UTC(), "done": done}
		if path == "/api/chat" {
			l["message"] = api.Message{Role: "assistant", Content: text, Thinking: thinking}
		} else {
			l["response"] = text
			if thinking != "" {
				l["thinking"] = thinking
			}
		}
		if len(logprobs) > 0 {
			l["logprobs"] = logprobs
		}
		if done {
			l["done_reason"] = a.Reason
			if a.Reason == "" {
				l["done_reason"] = "stop"
			}
			metrics, _ := json.Marshal(a.Metrics)
			_ = json.Unmarshal(metrics, &l)
		}
		b, _ := json.Marshal(l)
		return append(b, '\n')
	}
	var all [][]byte
	for _, t := range a.Thinking {
		all = append(all, line("", t, nil, false))
	}
	for i, t := range a.Text {
		var logprobs []api.Logprob
		if i == len(a.Text)-1 {
			logprobs = a.Logprobs
		}
		all = append(all, line(t, "", logprobs, false))
	}
	if !a.NotDone {
		all = append(all, line("", "", nil, true))
	}
	return all
}

// Stream answers with a reply.
func Stream(a Reply) Action {
	return func(w http.ResponseWriter, r *http.Request, q Question) {
		if a.Metrics.EvalCount == 0 {
			a.Metrics.EvalCount = len(a.Text) + len(a.Thinking)
		}
		w.Header().Set("Content-Type", "application/x-ndjson")
		for _, line := range a.lines(q.Path) {
			if !wait(r, a.Gap) {
				return
			}
			if _, err := w.Write(line); err != nil {
				return
			}
			w.(http.Flusher).Flush()
		}
	}
}

// Answer answers with a text in one piece.
func Answer(text string) Action { return Stream(Say(text)) }

// Echo answers with EchoOf the question.
func Echo() Action {
	return func(w http.ResponseWriter, r *http.Request, q Question) { Answer(EchoOf(q))(w, r, q) }
}

// EchoOf names the seed of the question.
func EchoOf(q Question) string { return "seed " + strconv.FormatInt(q.Seed(), 10) }

// Loaded answers that the model was loaded, and nothing else.
func Loaded() Action { return Stream(Reply{Reason: "load"}) }

// Status answers with an error status and a body as it stands: JSON or plain text.
func Status(status int, body string) Action {
	return func(w http.ResponseWriter, _ *http.Request, _ Question) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// Busy answers that the queue is full.
func Busy() Action {
	return Status(http.StatusServiceUnavailable, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`)
}

// Lines answers with status 200 and lines as they stand, JSON or not.
func Lines(lines ...string) Action {
	return func(w http.ResponseWriter, _ *http.Request, _ Question) {
		_, _ = w.Write([]byte(strings.Join(lines, "\n") + "\n"))
	}
}

// ErrorWithin begins a reply and ends it with an error, all under status 200.
func ErrorWithin(text string) Action {
	return func(w http.ResponseWriter, r *http.Request, q Question) {
		Stream(Reply{Text: []string{"half an ans"}, NotDone: true})(w, r, q)
		write(w, map[string]string{"error": text})
	}
}

// Endless goes on answering, one piece a second, until the client leaves.
func Endless() Action {
	return func(w http.ResponseWriter, r *http.Request, q Question) {
		for i := 0; wait(r, time.Second); i++ {
			Stream(Reply{Text: []string{fmt.Sprint(i)}, NotDone: true})(w, r, q)
		}
	}
}

// Stall begins a reply and then says nothing until the client leaves.
func Stall() Action {
	return func(w http.ResponseWriter, r *http.Request, q Question) {
		Stream(Reply{Text: []string{"half an ans"}, NotDone: true})(w, r, q)
		<-r.Context().Done()
	}
}

// Linger gives a whole answer and then keeps the connection open until the client leaves.
func Linger(text string) Action {
	return func(w http.ResponseWriter, r *http.Request, q Question) {
		Answer(text)(w, r, q)
		<-r.Context().Done()
	}
}

// Slow waits before it answers at all.
func Slow(d time.Duration, then Action) Action {
	return func(w http.ResponseWriter, r *http.Request, q Question) {
		if wait(r, d) {
			then(w, r, q)
		}
	}
}

// Wire is a whole answer as it goes over the connection: status, headers, and the reply's lines as chunks.
func Wire(a Reply, path string) []byte {
	var b strings.Builder
	b.WriteString("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")
	for _, line := range a.lines(path) {
		fmt.Fprintf(&b, "%x\r\n%s\r\n", len(line), line)
	}
	b.WriteString("0\r\n\r\n")
	return []byte(b.String())
}

// Drop answers with the first bytes of a reply, headers included, and breaks the connection.
func Drop(a Reply, bytes int) Action {
	return func(w http.ResponseWriter, _ *http.Request, q Question) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		_, _ = conn.Write(Wire(a, q.Path)[:bytes])
		_ = conn.Close()
	}
}

// Embeddings answers an embedding call with one vector for each text.
func Embeddings(vectors ...[]float32) Action {
	return func(w http.ResponseWriter, _ *http.Request, q Question) {
		write(w, api.EmbedResponse{Model: q.Model, Embeddings: vectors})
	}
}

// wait is false when the client left before the time was over.
func wait(r *http.Request, d time.Duration) bool {
	if d == 0 {
		return r.Context().Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
		return false
	}
}
