package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ollama/ollama/api"

	"verge/runner/backend/ollama"
	"verge/runner/backend/ollama/hostile"
)

// served is a model that can all that is asked of it: its answers depend on the question.
func served(w http.ResponseWriter, r *http.Request, q hostile.Question) {
	switch {
	case q.Path == "/api/embed":
		hostile.Embeddings([]float32{0, 0, 0, 1})(w, r, q)
	case len(q.Format) > 0:
		hostile.Answer(`{"reason":"a sum","verdict":"yes"}`)(w, r, q)
	case q.Logprobs:
		top := []api.TokenLogprob{{Token: "Yes", Logprob: math.Log(0.6)}, {Token: "No", Logprob: math.Log(0.2)}}
		hostile.Stream(hostile.Reply{Text: []string{"Yes"}, Logprobs: []api.Logprob{{TopLogprobs: top}}})(w, r, q)
	default:
		hostile.Slow(time.Second, hostile.Answer("Yes"))(w, r, q)
	}
}

// plain is a model without a template for chats.
const plain = "plain:latest"

// examine runs an examination in a bubble, where a model's seconds pass at once.
func examine(t *testing.T, prepare func(*hostile.Server), names ...string) (r Report) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := hostile.New()
		defer s.Down()
		s.Always(served)
		prepare(s)
		for name, shown := range s.Show {
			if name != plain {
				shown.Template = "{{ range .Messages }}{{ .Content }}{{ end }}"
				s.Show[name] = shown
			}
		}
		c, err := ollama.New(ollama.Options{Host: s.URL(), Dial: s.Dial})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if r, err = Examine(context.Background(), c, names); err != nil {
			t.Fatal(err)
		}
	})
	return r
}

// states are the checks' results by name.
func states(r Report) map[string]State {
	all := map[string]State{}
	for _, c := range r.Checks {
		all[c.Name] = c.State
	}
	return all
}

func find(t *testing.T, r Report, name string) Check {
	t.Helper()
	i := slices.IndexFunc(r.Checks, func(c Check) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("no check %q in %+v", name, r.Checks)
	}
	return r.Checks[i]
}

func TestAllIsWell(t *testing.T) {
	r := examine(t, func(*hostile.Server) {})
	want := map[string]State{Server: OK, Models: OK, Capabilities: OK, Reply: OK, Schema: OK, Logprobs: OK, Embedding: OK, GPU: OK, Parallel: OK}
	if d := cmp.Diff(want, states(r)); d != "" {
		t.Errorf("states (-want +got):\n%s", d)
	}
	if r.Server != "0.17.4" || len(r.Models) != 1 || r.Models[0].Digest != hostile.Digest {
		t.Errorf("report %+v", r)
	}
	if c := find(t, r, Logprobs); !strings.Contains(c.Found, "Yes 0.75, No 0.25, which together have 0.8 of all") {
		t.Errorf("log-probabilities: %s", c.Found)
	}
	if c := find(t, r, Parallel); !strings.Contains(c.Meaning, "side by side") || !strings.Contains(c.Found, "1.0 times") {
		t.Errorf("parallel: %+v", c)
	}
}

func TestFindings(t *testing.T) {
	for name, test := range map[string]struct {
		prepare func(*hostile.Server)
		models  []string
		check   string
		state   State
		says    string // somewhere in the check
	}{
		"no server":   {func(s *hostile.Server) { s.Down() }, nil, Server, Missing, "ollama.com/download"},
		"no models":   {func(s *hostile.Server) { s.Models = nil }, nil, Models, Missing, "ollama pull"},
		"model away":  {func(*hostile.Server) {}, []string{"absent"}, Capabilities, Missing, "ollama pull absent"},
		"cloud model": {func(s *hostile.Server) { s.Models[0].RemoteHost = "https://ollama.com" }, []string{"test"}, Capabilities, Failed, "https://ollama.com"},
		"only embeds": {func(s *hostile.Server) { s.Show[hostile.Model] = hostile.Shown("embedding") }, nil, Capabilities, OK, "cannot be generator"},
		"no ability":  {func(s *hostile.Server) { s.Show[hostile.Model] = hostile.Shown("image") }, []string{"test"}, Capabilities, Missing, "no role"},
		"thinks":      {func(s *hostile.Server) { s.Show[hostile.Model] = hostile.Shown("completion", "thinking") }, nil, Capabilities, OK, "max_tokens"},
		"old server":  {func(s *hostile.Server) { s.Version = "0.12.3" }, nil, Logprobs, Missing, "0.12.11"},
		"new server":  {func(s *hostile.Server) { s.Version = "0.31.0" }, nil, Embedding, Missing, "embedding model"},
		"no memory": {func(s *hostile.Server) {
			s.Always(hostile.Status(500, `{"error":"model requires more system memory"}`))
		}, nil, Reply, Failed, "system memory"},
		"no schema":   {func(s *hostile.Server) { s.Always(without(inSchema, hostile.Answer("yes"))) }, nil, Schema, Failed, "no role asks for one"},
		"no logprobs": {func(s *hostile.Server) { s.Always(without(withLogprobs, hostile.Answer("yes"))) }, nil, Logprobs, Failed, "use Ollama 0.12.11 or later"},
		"no labels": {func(s *hostile.Server) {
			top := []api.TokenLogprob{{Token: "The", Logprob: math.Log(0.9)}}
			s.Always(without(withLogprobs, hostile.Stream(hostile.Reply{Text: []string{"The"}, Logprobs: []api.Logprob{{TopLogprobs: top}}})))
		}, nil, Logprobs, Failed, "neither Yes nor No"},
		"digests": {func(*hostile.Server) {}, nil, Models, OK, "(" + hostile.Digest[:12] + ")"},
		"begins with a line break": {func(s *hostile.Server) {
			s.Always(without(oneToken, hostile.Stream(hostile.Reply{Text: []string{"\n"}, Reason: "length"})))
		}, nil, Reply, OK, "a token after"},
		"no word":     {func(s *hostile.Server) { s.Always(without(oneToken, hostile.Stream(hostile.Reply{}))) }, nil, Reply, Failed, "before it began"},
		"half on GPU": {func(s *hostile.Server) { s.Running[0].SizeVRAM = 500 }, nil, GPU, OK, "smaller model"},
		"no GPU":      {func(s *hostile.Server) { s.Running[0].SizeVRAM = 0 }, nil, GPU, OK, "processor alone"},
		"unloaded":    {func(s *hostile.Server) { s.Running = nil }, nil, GPU, Failed, "OLLAMA_MAX_LOADED_MODELS"},
		"one by one":  {oneByOne, nil, Parallel, OK, "OLLAMA_NUM_PARALLEL"},
	} {
		t.Run(name, func(t *testing.T) {
			r := examine(t, test.prepare, test.models...)
			c := find(t, r, test.check)
			if c.State != test.state || !strings.Contains(c.Found+c.Meaning+c.Fix, test.says) {
				t.Errorf("%+v, want %s and %q", c, test.state, test.says)
			}
			for _, c := range r.Checks {
				if c.State != OK && c.Fix == "" || c.Meaning == "" {
					t.Errorf("a check without meaning or fix: %+v", c)
				}
			}
		})
	}
}

// without serves all questions but those of a kind.
func without(kind func(hostile.Question) bool, other hostile.Action) hostile.Action {
	return func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
		if kind(q) {
			other(w, r, q)
			return
		}
		served(w, r, q)
	}
}

func inSchema(q hostile.Question) bool     { return len(q.Format) > 0 }
func withLogprobs(q hostile.Question) bool { return q.Logprobs }

func oneToken(q hostile.Question) bool {
	return q.Path != "/api/embed" && !q.Logprobs && len(q.Format) == 0 && q.Options["num_predict"] == 1.0
}

// oneByOne has the server serve one call at a time.
func oneByOne(s *hostile.Server) {
	turn := make(chan struct{}, 1)
	s.Always(func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
		turn <- struct{}{}
		served(w, r, q)
		<-turn
	})
}

// Without names the smallest models are examined: one that can reply, one for embeddings. The others are left alone.
func TestTheSmallestAreExamined(t *testing.T) {
	r := examine(t, func(s *hostile.Server) {
		s.Models = nil
		for name, size := range map[string]int64{"big": 9e9, "small": 1e9, "embed": 1e8, "bigembed": 2e8} {
			s.Models = append(s.Models, api.ListModelResponse{Name: name + ":latest", Size: size, Digest: name})
			ability := "completion"
			if strings.Contains(name, "embed") {
				ability = "embedding"
			}
			s.Show[name+":latest"] = hostile.Shown(ability)
		}
	})
	var names []string
	for _, m := range r.Models {
		names = append(names, m.Name)
	}
	if d := cmp.Diff([]string{"small:latest", "embed:latest"}, names); d != "" {
		t.Errorf("examined (-want +got):\n%s", d)
	}
}

// A model that reads prompts as they stand is examined by such ones, and after those that read chats.
func TestAModelWithoutChats(t *testing.T) {
	prepare := func(s *hostile.Server) {
		s.Show[plain] = hostile.Shown("completion")
		s.Models = append(s.Models, api.ListModelResponse{Name: plain, Size: 1, Digest: "1"})
		s.Running = append(s.Running, api.ProcessModelResponse{Name: plain, Size: 1000, ContextLength: 4096})
		s.Always(func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
			if q.Path == "/api/chat" || q.Path == "/api/generate" && !q.Raw && !q.Load() {
				hostile.Status(500, "it was asked in a chat")(w, r, q)
				return
			}
			served(w, r, q)
		})
	}
	r := examine(t, prepare, plain)
	if d := cmp.Diff(map[string]State{Server: OK, Models: OK, Capabilities: OK, Reply: OK, Logprobs: OK, Embedding: OK, GPU: OK}, states(r)); d != "" {
		t.Errorf("states (-want +got):\n%s", d)
	}
	if c := find(t, r, Capabilities); !strings.Contains(c.Meaning, "no template for chats") {
		t.Errorf("capabilities: %+v", c)
	}
	if r := examine(t, prepare); len(r.Models) != 1 || r.Models[0].Name == plain {
		t.Errorf("examined %+v", r.Models)
	}
}

func TestCancelEndsTheExamination(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hostile.New()
		defer s.Down()
		s.Always(hostile.Stall())
		c, err := ollama.New(ollama.Options{Host: s.URL(), Dial: s.Dial})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, err := Examine(ctx, c, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
}

func TestRendering(t *testing.T) {
	r := Report{Host: "http://h", Checks: []Check{
		{Name: Server, State: OK, Found: "version \x1b[31m1", Meaning: "well"},
		{Name: GPU, Model: "m", State: Failed, Found: "gone", Meaning: strings.Repeat("word ", 40), Fix: "do this"},
	}}
	var b bytes.Buffer
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ok       server             version \uFFFD[31m1\n", "\nm\nfailed   GPU                gone\n", strings.Repeat(" ", indent) + "fix: do this\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
	for line := range strings.Lines(b.String()) {
		if len([]rune(line)) > width+1 {
			t.Errorf("a line of more than %d columns: %q", width, line)
		}
	}
	b.Reset()
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r, back); d != "" {
		t.Error(d)
	}
}
