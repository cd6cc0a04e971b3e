package ollama

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"verge/runner/backend"
	"verge/runner/backend/ollama/hostile"
)

func TestCapabilities(t *testing.T) {
	const sample, logprobs, embeddings = backend.Sampling, backend.Logprobs, backend.Embeddings
	for _, test := range []struct {
		version   string
		abilities string
		want      []backend.Capability
	}{
		{"0.12.10", "completion", []backend.Capability{sample, embeddings}},
		{"0.12.11", "completion", []backend.Capability{sample, logprobs, embeddings}},
		{"0.17.4", "completion tools thinking", []backend.Capability{sample, logprobs, embeddings}},
		{"0.29.3-rc1", "completion", []backend.Capability{sample, logprobs, embeddings}},
		{"0.30.0", "completion", []backend.Capability{sample, logprobs}},
		{"0.30.0", "completion embedding", []backend.Capability{sample, logprobs, embeddings}},
		{"0.17.4", "embedding", []backend.Capability{embeddings}},
		{"0.0.0", "completion", []backend.Capability{sample, logprobs}}, // built from source: of no known version
		{"1.2.3", "completion", []backend.Capability{sample, logprobs}},
		{"0.17.4", "image", nil},
	} {
		i := Info{Server: test.version, Abilities: strings.Fields(test.abilities)}
		if got := i.Can(); !slices.Equal(got, test.want) {
			t.Errorf("version %s, %s: %v, want %v", test.version, test.abilities, got, test.want)
		}
	}
}

func TestInfo(t *testing.T) {
	inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
		i := b.model.Info()
		if i.Server != "0.17.4" || i.Name != hostile.Model || i.Digest != hostile.Digest || i.Weights != "sha256:"+hostile.Digest ||
			i.Architecture != "llama" || i.Context != 4096 || i.Embedding != 4 || i.Quantization != "F16" || i.Thinks() {
			b.t.Errorf("info %+v", i)
		}
		want := backend.Identity{Backend: "ollama", Name: hostile.Model, Digest: hostile.Digest}
		if got := b.model.Identity(); got != want {
			b.t.Errorf("identity %+v", got)
		}
	})
}

func TestModelsThatAreRefused(t *testing.T) {
	server := hostile.New()
	server.Down()
	server.Models = append(server.Models,
		api.ListModelResponse{Name: "big:cloud", Digest: "c", RemoteHost: "https://ollama.com"},
		api.ListModelResponse{Name: "tuned:latest", Digest: "d"})
	server.Show["big:cloud"] = hostile.Shown("completion")
	server.Show["tuned:latest"] = hostile.Shown("completion")
	inBubble(t, server, Options{}, ModelOptions{Context: 2048}, func(b *bench) {
		for name, test := range map[string]struct {
			o    ModelOptions
			want string // in the error
		}{
			"absent":      {ModelOptions{}, "ollama pull absent"},
			"big:cloud":   {ModelOptions{}, "https://ollama.com"},
			"test":        {ModelOptions{Context: 1024}, "same context"},
			"test:latest": {ModelOptions{Context: 8192}, "1 … 4096"},
		} {
			if _, err := b.client.Open(context.Background(), name, test.o); err == nil || !strings.Contains(err.Error(), test.want) {
				b.t.Errorf("%s: error %v, want it to say %q", name, err, test.want)
			}
		}
		if _, err := b.client.Open(context.Background(), "test", ModelOptions{Context: 2048}); err != nil {
			b.t.Errorf("one model in two roles with one context: %v", err)
		}
		if _, err := b.client.Open(context.Background(), "tuned", ModelOptions{Context: 2048}); err != nil {
			b.t.Error(err)
		}
		if shared := b.told(SharedWeights); len(shared) == 0 || shared[0].Model != "tuned:latest" {
			b.t.Errorf("two models on one file: told %+v", shared)
		}
		b.client.allowCloud = true
		if _, err := b.client.Open(context.Background(), "big:cloud", ModelOptions{}); err != nil {
			b.t.Errorf("a cloud model that is allowed: %v", err)
		}
		b.server.Down()
		var away *UnreachableError
		if _, err := b.client.Open(context.Background(), "test", ModelOptions{}); !errors.As(err, &away) {
			b.t.Errorf("error %v, want an unreachable server", err)
		}
	})
}

func TestUnload(t *testing.T) {
	inBubble(t, nil, Options{}, ModelOptions{Context: 2048}, func(b *bench) {
		if err := b.model.Unload(context.Background()); err != nil {
			b.t.Fatal(err)
		}
		if calls := b.server.Loads(); len(calls) != 1 || calls[0].Options["num_ctx"] != 2048.0 || string(calls[0].KeepAlive) != `"0s"` {
			b.t.Errorf("calls %+v", calls)
		}
	})
}

// A model that is not loaded is not freed: the server would free what it has loaded of the same file.
func TestFree(t *testing.T) {
	server := hostile.New()
	server.Down()
	server.Show["other:latest"] = hostile.Shown("completion")
	inBubble(t, server, Options{Outage: time.Minute}, ModelOptions{}, func(b *bench) {
		for name, want := range map[string]int{"other": 0, "test": 1} {
			before := len(b.server.Loads())
			if err := b.client.Free(context.Background(), name); err != nil {
				b.t.Fatal(err)
			}
			calls := b.server.Loads()[before:]
			if len(calls) != want || want > 0 && (calls[0].Model != name || string(calls[0].KeepAlive) != `"0s"`) {
				b.t.Errorf("%s: calls %+v", name, calls)
			}
		}
		b.server.Down()
		if err := b.client.Free(context.Background(), "test"); outcomeOf(err) != Refused || len(b.told(Paused)) > 0 {
			b.t.Errorf("a server that is away: error %v, told %+v", err, b.told(Paused))
		}
	})
}

// A model that the server loaded with less context than it was asked for, and partly beside the GPU, is told of.
func TestAPlaceThatIsTooSmallIsNoticed(t *testing.T) {
	server := hostile.New()
	server.Down()
	server.Running[0].SizeVRAM, server.Running[0].ContextLength = 250, 1024
	inBubble(t, server, Options{}, ModelOptions{Context: 2048}, func(b *bench) {
		b.server.Always(hostile.Stream(hostile.Reply{Text: []string{"1"}, Metrics: api.Metrics{LoadDuration: 3 * time.Second, EvalCount: 1}}))
		if _, err := b.ask(); err != nil {
			b.t.Fatal(err)
		}
		if placed := b.told(Placed); len(placed) != 1 || placed[0].Share != 0.25 {
			b.t.Errorf("placed %+v", placed)
		}
		if short := b.told(ShortContext); len(short) != 1 || short[0].Placement.Context != 1024 {
			b.t.Errorf("short context %+v", short)
		}
	})
}

func TestPull(t *testing.T) {
	pulled := []string{`{"status":"pulling manifest"}`, `{"status":"pulling ab","digest":"sha256:ab","total":10,"completed":5}`, `{"status":"success"}`}
	for name, test := range map[string]struct {
		answer hostile.Action
		want   string // in the error; "": none
	}{
		"done":      {hostile.Lines(pulled...), ""},
		"not found": {hostile.Lines(pulled[0], `{"error":"pull model manifest: file does not exist"}`), "file does not exist"},
		"cut":       {hostile.Lines(pulled[:2]...), "goes on where it stopped"},
		"refused":   {hostile.Status(500, `{"error":"disk full"}`), "disk full"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
				b.server.Always(test.answer)
				var done, total int64
				err := b.client.Pull(context.Background(), hostile.Model, func(p api.ProgressResponse) { done, total = max(done, p.Completed), max(total, p.Total) })
				switch {
				case test.want == "" && (err != nil || done != 5 || total != 10):
					b.t.Errorf("error %v, %d of %d bytes", err, done, total)
				case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
					b.t.Errorf("error %v, want it to say %q", err, test.want)
				}
			})
		})
	}
}

// A path behind the address, as other clients are given it, leads to a page that is not there.
func TestAnAddressWithAPathThatIsNotThere(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	c, err := New(Options{Host: server.URL + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Version(t.Context()); outcomeOf(err) != ServerError || !strings.Contains(err.Error(), "/v1 is the address of no Ollama server") {
		t.Errorf("error %v", err)
	}
}
