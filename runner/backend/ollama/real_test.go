//go:build ollama

package ollama

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"verge/domains/prompt"
	"verge/runner/backend"
	"verge/runner/backend/ollama/push"
)

// real makes a small instruct model on the server that VERGE_OLLAMA names, and opens it. What is promised and missing fails.
func real(t testing.TB, o Options, mo ModelOptions) *Model {
	t.Helper()
	for _, name := range []string{"VERGE_OLLAMA", "VERGE_SMOLLM2"} {
		if os.Getenv(name) == "" {
			t.Fatalf("%s is not set; run these tests with: .ci/ollama with go test -tags ollama ./...", name)
		}
	}
	o.Host = os.Getenv("VERGE_OLLAMA")
	u, err := url.Parse(o.Host)
	if err != nil {
		t.Fatal(err)
	}
	base, err := push.FileBase(os.Getenv("VERGE_SMOLLM2"))
	if err != nil {
		t.Fatal(err)
	}
	tag := "verge-" + strings.NewReplacer("/", "-", "=", "-").Replace(strings.ToLower(t.Name()))
	if err := push.New(u, http.DefaultClient).Put(t.Context(), tag, base, push.None); err != nil {
		t.Fatal(err)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.api.Delete(context.Background(), &api.DeleteRequest{Model: tag}); err != nil {
			t.Error(err)
		}
	})
	m, err := c.Open(t.Context(), tag, mo)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestRealServer(t *testing.T) {
	ctx := t.Context()
	var notices []Notice
	m := real(t, Options{Concurrency: 2, Observe: func(n Notice) { notices = append(notices, n) }}, ModelOptions{Context: 512, Threads: 1})
	t.Logf("%+v", m.Info())
	if m.Info().Server != "0.17.4" || m.Info().Architecture != "llama" || m.Info().Embedding != 576 || m.Identity().Digest == "" {
		t.Errorf("info %+v", m.Info())
	}
	ask := prompt.Prompt{prompt.Say(prompt.System, "You answer in one short sentence."), prompt.Text("What is 7 + 5?")}
	short := backend.Params{Temperature: 0.8, TopP: 1, MaxTokens: 16}
	requests := []backend.Request{{Prompt: ask, Params: short, Seeds: []uint64{1, 2, 3, 4}}}
	first, err := m.Sample(ctx, requests, nil)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]bool{}
	for _, r := range first[0] {
		if r.Err != nil || r.Text == "" || r.Count == 0 {
			t.Errorf("reply %+v", r)
		}
		texts[r.Text] = true
	}
	if len(texts) < 2 {
		t.Errorf("four seeds gave one reply: %v", texts)
	}

	long := prompt.Prompt{prompt.Text(strings.Repeat("one two three four ", 400))}
	if _, err := m.Ask(ctx, Query{Prompt: long, Params: short}); outcomeOf(err) != TruncatedPrompt {
		t.Errorf("a prompt of 1600 words in a context of 512: %v", err)
	}
	if a, err := m.Ask(ctx, Query{Prompt: prompt.Prompt{prompt.Text("Count from 1 to 1000.")}, Params: backend.Params{MaxTokens: 2000, TopP: 1}}); err != nil {
		t.Errorf("a reply that fills the context: %v", err)
	} else {
		t.Logf("filled: %s after %d tokens", a.Outcome, a.Metrics.EvalCount)
	}

	c, err := m.Choose(ctx, prompt.Prompt{prompt.Text("Is 2 + 2 equal to 4? Answer Yes or No.")}, []string{"Yes", "No"})
	if err != nil || math.Abs(c.Probabilities[0]+c.Probabilities[1]-1) > 1e-9 || c.Mass <= 0 || c.Mass > 1 {
		t.Errorf("choice %+v, error %v", c, err)
	}
	t.Logf("choice %+v", c)

	s, err := m.Structured(ctx, ask, Schema{{Name: "reason", Kind: Text, Enum: []string{"sum", "other"}}, {Name: "right", Kind: Boolean}}, backend.Params{TopP: 1, MaxTokens: 64}, 1)
	if err != nil {
		t.Errorf("structured: %v", err)
	}
	t.Logf("structured %+v", s)

	vectors, err := m.Embed(ctx, []prompt.Prompt{ask, {prompt.Text("A cat.")}})
	if err != nil {
		t.Fatal(err)
	}
	var norm float64
	for _, x := range vectors[0] {
		norm += float64(x) * float64(x)
	}
	if len(vectors) != 2 || len(vectors[0]) != m.Dimension() || math.Abs(norm-1) > 1e-3 {
		t.Errorf("%d embeddings of length %d and norm² %v", len(vectors), len(vectors[0]), norm)
	}
	if err := m.Unload(ctx); err != nil {
		t.Error(err)
	}
	loads := 0
	for _, n := range notices {
		t.Logf("%s: %s", n.Kind, n.Text)
		switch n.Kind {
		case Loaded:
			loads++
		case Reloaded:
			t.Error("the model was loaded again: the calls' options differ")
		}
	}
	if loads != 1 {
		t.Errorf("%d loads were told of: the model is new, so that there was one", loads)
	}
}

// BenchmarkRealOverhead is BenchmarkOverhead on the real server.
func BenchmarkRealOverhead(b *testing.B) {
	for _, concurrency := range []int{1, 4} {
		b.Run(fmt.Sprintf("concurrency=%d", concurrency), func(b *testing.B) {
			m := real(b, Options{Concurrency: concurrency}, ModelOptions{Context: 512, Threads: 1})
			requests := batch(1, 4)
			for i := range requests {
				requests[i].Params.MaxTokens = 16
			}
			if _, err := m.Sample(b.Context(), requests, nil); err != nil { // the server loads the model
				b.Fatal(err)
			}
			overhead(b, m, requests)
		})
	}
}
