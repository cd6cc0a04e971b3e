package ollama

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"verge/domains/prompt"
	"verge/runner/backend/ollama/hostile"
)

// memory keeps embeddings.
type memory map[string][]float32

func (m memory) Embedding(text string) ([]float32, bool) {
	v, ok := m[text]
	return v, ok
}

func (m memory) Keep(texts []string, vectors [][]float32) error {
	for i, text := range texts {
		m[text] = vectors[i]
	}
	return nil
}

// One text that the server cannot read takes no other with it: the others are had and kept, and are not asked for again.
func TestABadEmbedding(t *testing.T) {
	over := `{"error":"the input length exceeds the context length"}`
	for name, test := range map[string]struct {
		bad   hostile.Action
		times int // that it comes; 0: always
		asked int // alone
		want  Outcome
	}{
		"an error":           {hostile.Status(500, `{"error":"failed to encode response: json: unsupported value: NaN"}`), 0, maxAsked, ServerError},
		"too long":           {hostile.Status(400, over), 0, 1, TruncatedPrompt},
		"cut":                {hostile.Drop(hostile.Say("x"), 100), 0, maxAsked, StreamCut},
		"silence":            {hostile.Slow(time.Hour, hostile.Echo()), 0, maxAsked, TimeLimit},
		"an error, once":     {hostile.Status(500, "no slots"), 1, 1, OK},
		"an error, at first": {hostile.Status(500, "no slots"), 3, maxAsked, OK},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
				came, alone, others := 0, 0, map[string]int{}
				b.server.Always(func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
					for _, text := range q.Input {
						others[text]++
					}
					if slices.Contains(q.Input, "bad") {
						if len(q.Input) == 1 {
							alone++
						}
						if came++; test.times == 0 || came <= test.times {
							test.bad(w, r, q)
							return
						}
					}
					vectors := make([][]float32, len(q.Input))
					for i, text := range q.Input {
						vectors[i] = []float32{float32(len(text)), 0, 0, 1}
					}
					hostile.Embeddings(vectors...)(w, r, q)
				})
				r, err := b.model.NewReader()
				if err != nil {
					b.t.Fatal(err)
				}
				if n := len(b.server.Asked()); n != 0 {
					b.t.Errorf("a reader that reads nothing yet asked %d times", n)
				}
				kept := memory{}
				prompts := []prompt.Prompt{{prompt.Text("a")}, {prompt.Text("bad")}, {prompt.Text("cc")}}
				seen := map[int]float32{}
				read := func() error {
					return r.Keeping(kept).Read(context.Background(), prompts, []int{0}, func(i, _ int, v []float32) { seen[i] = v[0] })
				}
				err = read()
				if test.want == OK {
					if err != nil || seen[0] != 1 || seen[1] != 3 || seen[2] != 2 {
						b.t.Errorf("error %v, read %v", err, seen)
					}
				} else {
					var call *CallError
					if !errors.As(err, &call) || call.Outcome != test.want || !strings.Contains(err.Error(), `"bad"`) || !strings.Contains(err.Error(), hostile.Model) {
						b.t.Errorf("error %v, want %s of this text", err, test.want)
					}
					if len(kept) != 2 {
						b.t.Errorf("kept %v", kept)
					}
				}
				if alone != test.asked {
					b.t.Errorf("asked for it alone %d times, want %d", alone, test.asked)
				}
				test.times = 1
				if err := read(); err != nil || others["a"] != 2 || others["cc"] != 2 {
					b.t.Errorf("read again: error %v, asked for %v", err, others)
				}
			})
		})
	}
}

// A server that is away, or has lost the model, is no matter of one text.
func TestReadingEndsWithTheServer(t *testing.T) {
	inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
		r, err := b.model.NewReader()
		if err != nil {
			b.t.Fatal(err)
		}
		b.server.Down()
		var away *UnreachableError
		if err := r.Read(context.Background(), []prompt.Prompt{{prompt.Text("a")}, {prompt.Text("b")}}, []int{0}, nil); !errors.As(err, &away) {
			b.t.Errorf("error %v", err)
		}
	})
}
