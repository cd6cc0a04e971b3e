//go:build ollama

// Package ollamatest holds the engine and a real Ollama server to the same answers. `.ci/ollama with go test -tags ollama ./...` runs it.
package ollamatest

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"testing"

	"github.com/ollama/ollama/api"

	"verge/runner/backend/ollama/push"
)

// server is the server that VERGE_OLLAMA names.
type server struct {
	*push.Server
	client *api.Client
}

func newServer(t *testing.T) server {
	t.Helper()
	u, err := url.Parse(setting(t, "VERGE_OLLAMA"))
	if err != nil {
		t.Fatal(err)
	}
	return server{push.New(u, http.DefaultClient), api.NewClient(u, http.DefaultClient)}
}

// setting is a variable that these tests were promised: without it they fail.
func setting(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set; run these tests with: .ci/ollama with go test -tags ollama ./...", name)
	}
	return value
}

// serve makes a model of the server from a GGUF file; it is removed when the test ends.
func (s server) serve(t *testing.T, tag, file string) push.Base {
	t.Helper()
	base, err := push.FileBase(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), tag, base, push.None); err != nil {
		t.Fatal(err)
	}
	s.removeAfter(t, tag)
	return base
}

func (s server) removeAfter(t *testing.T, tag string) {
	t.Cleanup(func() {
		if err := s.client.Delete(context.Background(), &api.DeleteRequest{Model: tag}); err != nil {
			t.Error(err)
		}
	})
}

// reply is what the server wrote after a prompt, with the figures of each token.
type reply struct {
	read     int // tokens of the prompt
	text     string
	logprobs []api.Logprob
	ended    bool // at the end token, which has no log-probability
	// lost counts tokens that the server drew and says nothing of: bytes that never became a character.
	lost int
}

// greedy asks for the likeliest tokens. Nothing but the prompt's own text reaches the model, and no penalty touches the choice. One thread
// does it: several wait for each other actively at every matrix, which on a busy machine makes them thirty times slower than one.
func (s server) greedy(t *testing.T, tag, prompt string, tokens int) reply {
	t.Helper()
	no := false
	request := &api.GenerateRequest{
		Model: tag, Prompt: prompt, Raw: true, Truncate: &no, Shift: &no, Logprobs: true, TopLogprobs: 20,
		Options: map[string]any{"temperature": 0, "repeat_penalty": 1, "num_predict": tokens, "num_ctx": 256, "num_thread": 1},
	}
	var r reply
	err := s.client.Generate(t.Context(), request, func(part api.GenerateResponse) error {
		r.text += part.Response
		r.logprobs = append(r.logprobs, part.Logprobs...)
		r.read, r.ended = part.PromptEvalCount, part.DoneReason == "stop"
		r.lost = part.EvalCount - len(r.logprobs)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.ended {
		r.lost--
	}
	return r
}
