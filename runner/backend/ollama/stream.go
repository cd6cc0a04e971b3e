package ollama

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// maxLine bounds one line of a stream, which the server writes without bound.
const maxLine = 64 << 20

// maxErrorText bounds what is read of an answer that is an error.
const maxErrorText = 64 << 10

// errWhole is how a caller of stream says that the line it was handed ends the answer: whatever comes after it, and whatever becomes of the
// connection, the answer is there.
var errWhole = errors.New("the answer is whole")

// farewell is how long the end of a whole answer's stream is waited for, by which the connection can be used again. Servers send it with the
// last line.
const farewell = 100 * time.Millisecond

// afterwards bounds what is read after the last line of an answer.
const afterwards = 4 << 10

// stream sends a request and hands on every line of its answer, without its end, until one is errWhole. It neither retries nor waits for the
// server. An answer that ends where a line ends is complete for it; whether it should have ended there is for the caller to say.
func (c *Client) stream(ctx context.Context, path string, request any, line func([]byte) error) error {
	return c.streamWithin(ctx, c.limits, path, request, line)
}

func (c *Client) streamWithin(parent context.Context, limits Limits, path string, request any, line func([]byte) error) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	ctx, w := limits.watch(parent)
	defer w.stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url.JoinPath(path).String(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/x-ndjson")
	answer, err := c.http.Do(r)
	if err != nil {
		return broken(ctx, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= http.StatusBadRequest {
		text, err := io.ReadAll(io.LimitReader(answer.Body, maxErrorText))
		if err != nil && len(text) == 0 {
			return broken(ctx, err)
		}
		return refusal(answer.StatusCode, text)
	}
	err = lines(ctx, watched{answer.Body, w}, line)
	if errors.Is(err, errWhole) {
		w.silence.Reset(farewell)
		_, _ = io.CopyN(io.Discard, answer.Body, afterwards)
		return nil
	}
	return err
}

// watched tells a watch of every piece that is read.
type watched struct {
	r io.Reader
	w *watch
}

func (r watched) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if n > 0 {
		r.w.alive()
	}
	return n, err
}

// lines splits a stream into lines of JSON. A line that tells an error ends it with that error.
func lines(ctx context.Context, r io.Reader, line func([]byte) error) error {
	in := bufio.NewReaderSize(r, 32<<10)
	var long []byte // a line that is longer than the reader's buffer
	for {
		piece, err := in.ReadSlice('\n')
		text := piece
		if len(long) > 0 || errors.Is(err, bufio.ErrBufferFull) {
			if len(long)+len(piece) > maxLine {
				return &CallError{Outcome: ServerError, Text: fmt.Sprintf("a line of the answer is longer than %d MB", maxLine>>20)}
			}
			long = append(long, piece...)
			text = long
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && err != io.EOF:
			return broken(ctx, err)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			if e := line(text); e != nil {
				return e
			}
		}
		if err == io.EOF {
			return nil
		}
		long = long[:0]
	}
}

// broken says what ended an exchange that the server did not end: the caller, a limit, or the connection.
func broken(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	limit, over := cause.(*passed) // its own: the cause of a cancelled call may have a limit of another within it
	switch {
	case over:
		return &CallError{Outcome: TimeLimit, Text: limit.Error(), Err: limit}
	case cause != nil:
		return cancelled(ctx)
	case dialling(err):
		return &CallError{Outcome: Refused, Text: err.Error(), Err: err}
	}
	return &CallError{Outcome: StreamCut, Text: err.Error(), Err: err}
}

// dialling says that an error came before a connection was made, so that nothing was asked.
func dialling(err error) bool {
	var op *net.OpError
	var dns *net.DNSError
	var limit *passed
	return errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect") || errors.As(err, &dns) || errors.As(err, &limit)
}

// refusal makes an error of an answer with an error status. Its body is a JSON object with the text, or plain text.
func refusal(status int, body []byte) error {
	text := errorText(body)
	if text == "" {
		text = http.StatusText(status)
	}
	e := &CallError{Outcome: ServerError, Status: status, Text: text}
	switch {
	case overlong(text):
		e.Outcome, e.Fix = TruncatedPrompt, fixContext
	case strings.Contains(text, "loras are not yet implemented"):
		e.Fix = "its own engine applies no adapters, llama.cpp's does: start it without OLLAMA_NEW_ENGINE"
	case status == http.StatusServiceUnavailable:
		e.Outcome, e.Fix = QueueFull, "ask it for fewer calls at a time, or raise its OLLAMA_MAX_QUEUE"
	case status == http.StatusBadGateway || status == http.StatusGatewayTimeout:
		e.Outcome = Refused // by a proxy before a server that is away
	case status == http.StatusNotFound:
		e.Outcome = Missing
	}
	return e
}

// fixContext is what to do about a prompt that does not fit.
const fixContext = "give the role a larger context, or shorter prompts"

// overlong recognises the servers' ways to say that a prompt does not fit.
func overlong(text string) bool {
	t := strings.ToLower(text)
	return strings.Contains(t, "context") && (strings.Contains(t, "exceed") || strings.Contains(t, "too long"))
}

// errorText reads the text of an error: {"error": "text"}, {"error": {"message": "text"}}, or text.
func errorText(body []byte) string {
	var flat struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &flat) != nil || len(flat.Error) == 0 {
		return strings.TrimSpace(string(body))
	}
	return errorValue(flat.Error)
}

// errorValue reads the value of "error".
func errorValue(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return strings.TrimSpace(text)
	}
	var nested struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(raw, &nested) == nil && nested.Message != "" {
		return nested.Message
	}
	return string(raw)
}
