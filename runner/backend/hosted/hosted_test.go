package hosted

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"verge/domains/prompt"
	"verge/runner/backend"
	"verge/runner/backend/local"
	"verge/runner/backend/ollama"
	"verge/runner/backend/ollama/push"
	"verge/runner/engine"
)

const tag = "verge-test:generator"

// server has one model at the most, and answers with the first letters of its adapter's digest.
type server struct {
	adapter string // digest; "" for none
	made    bool
	loaded  bool
	breaks  bool // an error comes after a model was made
	freed   bool // it was told to free the model's memory while it had both
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Prompt   string
		Adapters map[string]string
	}
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &q) // files are no JSON
	answer := map[string]any{}
	switch {
	case r.URL.Path == "/api/version":
		answer["version"] = "0.17.4"
	case r.URL.Path == "/api/tags" && s.made:
		answer["models"] = []any{map[string]any{"name": tag, "digest": strings.Repeat("ab", 32)}}
	case r.URL.Path == "/api/ps" && s.loaded:
		answer["models"] = []any{map[string]any{"name": tag}}
	case strings.HasPrefix(r.URL.Path, "/api/blobs/") && r.Method == http.MethodPost:
		w.WriteHeader(http.StatusCreated)
		return
	case strings.HasPrefix(r.URL.Path, "/api/blobs/"), strings.HasPrefix(r.URL.Path, "/api/") && r.Method != http.MethodGet && r.URL.Path != "/api/create" && !s.made:
		w.WriteHeader(http.StatusNotFound)
		return
	case r.URL.Path == "/api/show":
		modelfile := "FROM /blobs/sha256-" + engineDigest + "\n"
		if s.adapter != "" {
			modelfile += "ADAPTER /blobs/sha256-" + s.adapter + "\n"
		}
		answer["modelfile"], answer["capabilities"] = modelfile, []string{"completion"}
		answer["model_info"] = map[string]any{"general.architecture": "llama", "llama.context_length": 256, "llama.embedding_length": 128}
	case r.URL.Path == "/api/create":
		s.made, s.adapter = true, strings.TrimPrefix(q.Adapters["adapter.gguf"], "sha256:")
		answer["status"] = "success"
		if s.breaks {
			answer["error"] = "the disk is full"
		}
	case r.URL.Path == "/api/delete":
		s.made = false
	case r.URL.Path == "/api/generate" && q.Prompt == "":
		s.freed = s.loaded && strings.Contains(string(body), `"keep_alive":"0s"`)
		s.loaded = !s.freed
		answer["done"], answer["done_reason"] = true, "load"
	case r.URL.Path == "/api/generate":
		s.loaded = true
		answer["response"], answer["done"], answer["done_reason"] = s.adapter[:min(8, len(s.adapter))]+".", true, "stop"
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// engineDigest is that of the base.
var engineDigest = push.BytesBase("", engine.MicroFile()).Digest

type setup struct {
	t      *testing.T
	server *server
	host   *Host
	model  *local.Model
}

func newSetup(t *testing.T) *setup {
	base, err := engine.Micro()
	if err != nil {
		t.Fatal(err)
	}
	m, err := local.New(base, "micro")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{}
	at := httptest.NewServer(s)
	t.Cleanup(at.Close)
	c, err := ollama.New(ollama.Options{Host: at.URL})
	if err != nil {
		t.Fatal(err)
	}
	return &setup{t, s, New(c, m, push.BytesBase("micro", engine.MicroFile()), Options{Tag: tag, Role: "generator"}), m}
}

// with is the model with an adapter of its own.
func (s *setup) with(seed uint64) *local.Model {
	s.t.Helper()
	a, err := engine.NewAdapter(s.model.Base(), 2, 4, []string{"attn_q"}, seed)
	if err != nil {
		s.t.Fatal(err)
	}
	m, err := s.model.With(a)
	if err != nil {
		s.t.Fatal(err)
	}
	return m
}

// sample is what the server answers for a model.
func (s *setup) sample(m *local.Model) (string, error) {
	request := backend.Request{Prompt: prompt.Prompt{prompt.Text("1")}, Params: backend.Params{Temperature: 1, TopP: 1, MaxTokens: 8}, Seeds: []uint64{1}}
	replies, err := s.host.Through(m).Sample(s.t.Context(), []backend.Request{request}, nil)
	if err != nil {
		return "", err
	}
	return replies[0][0].Text, replies[0][0].Err
}

// What was sent last is not known to be there after an error.
func TestAnAdapterThatMayHaveBeenReplacedIsSentAgain(t *testing.T) {
	s := newSetup(t)
	first, second := s.with(1), s.with(2)
	want, err := s.sample(first)
	if err != nil {
		t.Fatal(err)
	}
	s.server.breaks = true
	if text, err := s.sample(second); err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("answered %q, error %v", text, err)
	}
	s.server.breaks = false
	if text, err := s.sample(first); text != want || err != nil {
		t.Errorf("answered %q, not %q, error %v", text, want, err)
	}
	if text, err := s.sample(second); text == want || err != nil {
		t.Errorf("the other adapter: answered %q, error %v", text, err)
	}
}

func TestNothingIsLeftOnTheServer(t *testing.T) {
	s := newSetup(t)
	for range 2 { // also where nothing is there
		if err := s.host.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := s.sample(s.model); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.host.Close(t.Context()); err != nil || s.server.made || !s.server.freed {
		t.Errorf("the model is there: %t, its memory was freed: %t, error %v", s.server.made, s.server.freed, err)
	}
}

// Nobody can fetch such a model from elsewhere.
func TestAModelThatSomebodyRemovedIsMadeAgainByARunThatGoesOn(t *testing.T) {
	s := newSetup(t)
	if _, err := s.sample(s.model); err != nil {
		t.Fatal(err)
	}
	s.server.made = false
	if _, err := s.sample(s.model); err == nil || strings.Contains(err.Error(), "pull") || !strings.Contains(err.Error(), "makes it again") {
		t.Errorf("error %v", err)
	}
}
