package ollama

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ollama/ollama/api"

	"verge/domains/prompt"
	"verge/runner/backend/ollama/hostile"
)

var verdict = Schema{
	{Name: "reason", Kind: Text, About: "one sentence"},
	{Name: "verdict", Kind: Text, Enum: []string{"valid", "invalid"}},
	{Name: "score", Kind: Integer},
	{Name: "sure", Kind: Boolean},
}

const wellFormed = `{"reason":"a {brace}","verdict":"valid","score":3,"sure":true}`

func TestSchemaParse(t *testing.T) {
	want := map[string]any{"reason": "a {brace}", "verdict": "valid", "score": 3.0, "sure": true}
	for _, reply := range []string{wellFormed, "```json\n" + wellFormed + "\n```", "Here {it} is: " + wellFormed + " {done}", "\n" + wellFormed} {
		got, err := verdict.Parse(reply)
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%q: error %v, (-want +got):\n%s", reply, err, d)
		}
	}
	for reply, says := range map[string]string{
		"": "no complete JSON object", "valid": "no complete JSON object", wellFormed[:40]: "no complete JSON object",
		strings.Replace(wellFormed, `"sure":true`, `"sure":"yes"`, 1):   `"sure"`,
		strings.Replace(wellFormed, `"valid"`, `"maybe"`, 1):            `"maybe"`,
		strings.Replace(wellFormed, `3`, `3.5`, 1):                      `"score"`,
		strings.Replace(wellFormed, `"reason":"a {brace}",`, ``, 1):     `"reason" is missing`,
		strings.Replace(wellFormed, `"sure"`, `"extra":null,"sure"`, 1): `"extra" is not asked for`,
		`{}`: "missing",
	} {
		if got, err := verdict.Parse(reply); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, error %v, want it to say %s", reply, got, err, says)
		}
	}
}

func TestSchemaJSONKeepsTheOrder(t *testing.T) {
	text := string(verdict.JSON())
	if !json.Valid(verdict.JSON()) {
		t.Fatalf("no JSON: %s", text)
	}
	at := 0
	for _, f := range verdict {
		i := strings.Index(text, `"`+f.Name+`":{`)
		if i < at {
			t.Errorf("field %s is not in its place in %s", f.Name, text)
		}
		at = i
	}
}

func TestStructured(t *testing.T) {
	question := prompt.Prompt{prompt.Text("Is 7+5 an exercise?")}
	for name, test := range map[string]struct {
		answers  []hostile.Action
		want     Outcome
		repaired bool
		asked    int
	}{
		"at once":           {[]hostile.Action{hostile.Answer(wellFormed)}, OK, false, 1},
		"repaired":          {[]hostile.Action{hostile.Answer("valid, I think"), hostile.Answer(wellFormed)}, OK, true, 2},
		"empty, repaired":   {[]hostile.Action{hostile.Stream(hostile.Reply{Thinking: []string{"hm"}}), hostile.Answer(wellFormed)}, OK, true, 2},
		"abstention":        {[]hostile.Action{hostile.Answer("valid"), hostile.Answer("still valid")}, SchemaFailure, false, 2},
		"an error is error": {[]hostile.Action{hostile.Status(500, "boom")}, ServerError, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
				b.server.Script(test.answers...)
				got, err := b.model.Structured(context.Background(), question, verdict, params, 1)
				b.want(Answer{Outcome: OK}, err, test.want)
				if test.want == OK && (got.Fields["verdict"] != "valid" || got.Repaired != test.repaired) {
					b.t.Errorf("%+v", got)
				}
				asked := b.server.Asked()
				if len(asked) != test.asked {
					b.t.Fatalf("asked %d times, want %d", len(asked), test.asked)
				}
				first := asked[0]
				if d := cmp.Diff(string(verdict.JSON()), string(first.Format)); d != "" || !strings.Contains(first.Messages[0].Content, `"valid" "invalid"`) {
					b.t.Errorf("format %s, prompt %q", first.Format, first.Messages[0].Content)
				}
				if len(asked) == 2 && (asked[1].Seed() == first.Seed() || !strings.Contains(asked[1].Messages[len(asked[1].Messages)-1].Content, "not what was asked for")) {
					b.t.Errorf("the repair was asked as %+v", asked[1])
				}
			})
		})
	}
}

func TestChoose(t *testing.T) {
	top := func(tokens map[string]float64) []api.Logprob {
		var l api.Logprob
		for token, p := range tokens {
			l.TopLogprobs = append(l.TopLogprobs, api.TokenLogprob{Token: token, Logprob: math.Log(p)})
		}
		return []api.Logprob{l}
	}
	labels := []string{"Yes", "No", "Unsure"}
	inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
		b.server.Script(hostile.Stream(hostile.Reply{Text: []string{"Yes"}, Reason: "length",
			Logprobs: top(map[string]float64{"Yes": 0.4, " yes": 0.1, "No": 0.2, "Un": 0.1, "The": 0.1, "Yesterday": 0.05})}))
		got, err := b.model.Choose(context.Background(), query(1).Prompt, labels)
		if err != nil {
			b.t.Fatal(err)
		}
		for i, want := range []float64{0.5 / 0.8, 0.2 / 0.8, 0.1 / 0.8} {
			if math.Abs(got.Probabilities[i]-want) > 1e-9 {
				b.t.Errorf("%s has probability %v, want %v", labels[i], got.Probabilities[i], want)
			}
		}
		if math.Abs(got.Mass-0.8) > 1e-9 {
			b.t.Errorf("mass %v", got.Mass)
		}
		if q := b.server.Asked()[0]; !q.Logprobs || q.TopLogprobs != 20 || q.Options["num_predict"] != 1.0 {
			b.t.Errorf("asked %+v", q)
		}
		b.server.Script(hostile.Stream(hostile.Reply{Text: []string{"Yes"}, Logprobs: top(map[string]float64{"Yes": 1, "No": 1})}))
		if _, err := b.model.Choose(context.Background(), query(1).Prompt, labels); outcomeOf(err) != ServerError {
			b.t.Errorf("log-probabilities that are all 0: %v", err)
		}
		b.server.Script(hostile.Stream(hostile.Reply{Text: []string{"Yes"}}))
		if _, err := b.model.Choose(context.Background(), query(1).Prompt, labels); err == nil || !strings.Contains(err.Error(), "0.12.11") {
			b.t.Errorf("a server that gives no log-probabilities: %v", err)
		}
	})
	if c := choice(top(map[string]float64{"The": 1})[0].TopLogprobs, labels); c.Mass != 0 || c.Probabilities[0] != 0 {
		t.Errorf("no label among the tokens: %+v", c)
	}
	if i := begins("un", []string{"unsure", "unknown"}); i != -1 {
		t.Errorf("a token that begins two labels counts for number %d", i)
	}
}

func TestEmbed(t *testing.T) {
	prompts := make([]prompt.Prompt, 40)
	for i := range prompts {
		prompts[i] = prompt.Prompt{prompt.Text("task")}
	}
	vectors := make([][]float32, embedAtOnce)
	for i := range vectors {
		vectors[i] = []float32{float32(i), 0, 0, 1}
	}
	inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
		b.server.Script(hostile.Busy(), hostile.Embeddings(vectors...), hostile.Embeddings(vectors[:8]...))
		got, err := b.model.Embed(context.Background(), prompts)
		if err != nil {
			b.t.Fatal(err)
		}
		if len(got) != 40 || got[31][0] != 31 || got[32][0] != 0 || b.model.Dimension() != 4 {
			b.t.Errorf("%d embeddings of dimension %d", len(got), b.model.Dimension())
		}
		if placed := b.told(Placed); len(placed) != 1 || placed[0].Placement.Context != 4096 {
			b.t.Errorf("placed %+v", placed)
		}
		q := b.server.Asked()[1]
		if len(q.Input) != embedAtOnce || q.Truncate == nil || *q.Truncate || q.Options["num_ctx"] != 4096.0 || string(q.KeepAlive) == "" {
			b.t.Errorf("asked %+v", q)
		}
		for name, test := range map[string]struct {
			answer hostile.Action
			want   Outcome
		}{
			"too few":      {hostile.Embeddings(vectors[:1]...), ServerError},
			"wrong length": {hostile.Embeddings([]float32{1, 2}, []float32{1, 2}), ServerError},
			"none":         {hostile.Embeddings([]float32{}, []float32{}), ServerError},
			"too long":     {hostile.Status(400, `{"error":"the input length exceeds the context length"}`), TruncatedPrompt},
			"cut":          {hostile.Drop(hostile.Say("x"), 100), StreamCut},
			"slow":         {hostile.Slow(time.Hour, hostile.Embeddings(vectors[:2]...)), TimeLimit},
			"wrong JSON":   {hostile.Lines("{"), ServerError},
		} {
			b.server.Script(test.answer)
			_, err := b.model.Embed(context.Background(), prompts[:2])
			if got := outcomeOf(err); err == nil || got != test.want {
				b.t.Errorf("%s: error %v, want %s", name, err, test.want)
			}
		}
	})
	server := hostile.New()
	server.Down()
	server.Version = "0.31.0"
	inBubble(t, server, Options{}, ModelOptions{}, func(b *bench) {
		if _, err := b.model.Embed(context.Background(), prompts); err == nil || !strings.Contains(err.Error(), "embedding model") {
			b.t.Errorf("a server that gives no embeddings of this model: %v", err)
		}
	})
}
