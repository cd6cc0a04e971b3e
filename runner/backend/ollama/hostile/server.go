// Package hostile is an Ollama server for tests that misbehaves as it is told, request by request.
//
// Without a script it behaves: it has one model, and answers each question with the seed that it was asked with, so that a test sees
// whether every sample got its own answer, once.
package hostile

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/ollama/ollama/api"
)

// Model is the model that the server has, unless Models is set.
const Model = "test:latest"

// Digest is Model's.
const Digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// Action answers one question.
type Action func(w http.ResponseWriter, r *http.Request, q Question)

// Question is what a generation, a chat or an embedding call asked.
type Question struct {
	Path        string
	Model       string          `json:"model"`
	Prompt      string          `json:"prompt"`
	Messages    []api.Message   `json:"messages"`
	Input       []string        `json:"input"`
	Raw         bool            `json:"raw"`
	Stream      *bool           `json:"stream"`
	Truncate    *bool           `json:"truncate"`
	Shift       *bool           `json:"shift"`
	Think       json.RawMessage `json:"think"`
	KeepAlive   json.RawMessage `json:"keep_alive"`
	Format      json.RawMessage `json:"format"`
	Logprobs    bool            `json:"logprobs"`
	TopLogprobs int             `json:"top_logprobs"`
	Options     map[string]any  `json:"options"`
}

// Seed is the seed that the question names, or -1.
func (q Question) Seed() int64 {
	seed, ok := q.Options["seed"].(float64)
	if !ok {
		return -1
	}
	return int64(seed)
}

// Load says that the question only loads or unloads the model.
func (q Question) Load() bool {
	return q.Path == "/api/generate" && q.Prompt == "" || q.Path == "/api/embed" && len(q.Input) == 0
}

// Server is the server. Its fields are set before it is used.
type Server struct {
	Version string                      // told by /api/version
	Models  []api.ListModelResponse     // told by /api/tags
	Show    map[string]api.ShowResponse // told by /api/show, by name
	Running []api.ProcessModelResponse  // told by /api/ps
	Loading Action                      // answers calls that only load or unload a model; nil: at once
	Pulled  func(name string)           // has the server have a model that it was told to pull; nil: the script answers

	listen func() (net.Listener, error)
	host   string

	mu     sync.Mutex
	script []Action
	always Action
	asked  []Question
	pulls  []string
	memory *listener    // nil of a server on a port, and while it is down
	http   *http.Server // nil while it is down
	served sync.WaitGroup
}

// New makes a server that runs in memory: no port is opened, so that a test can run it in a bubble of synctest, where time costs nothing.
// It is reached through Dial, under any address.
func New() *Server {
	s := behaved()
	s.host = "127.0.0.1:11434"
	s.listen = func() (net.Listener, error) {
		s.memory = newListener()
		return s.memory, nil
	}
	_ = s.Up() // cannot fail in memory
	return s
}

// Listen makes a server on a free port of the loopback interface, for a client in another process.
func Listen() (*Server, error) {
	s := behaved()
	s.host = "127.0.0.1:0"
	s.listen = func() (net.Listener, error) {
		l, err := net.Listen("tcp", s.host)
		if err == nil {
			s.host = l.Addr().String() // it comes back where it was
		}
		return l, err
	}
	return s, s.Up()
}

func behaved() *Server {
	return &Server{
		Version: "0.17.4",
		Models:  []api.ListModelResponse{{Name: Model, Model: Model, Digest: Digest}},
		Show:    map[string]api.ShowResponse{Model: Shown("completion")},
		Running: []api.ProcessModelResponse{{Name: Model, Model: Model, Digest: Digest, Size: 1000, SizeVRAM: 1000, ContextLength: 4096}},
		always:  Echo(),
	}
}

// Shown is what /api/show tells of a small model with these capabilities.
func Shown(capabilities ...string) api.ShowResponse {
	shown := api.ShowResponse{
		Modelfile: "FROM /models/blobs/sha256-" + Digest + "\n",
		Template:  "{{ .Prompt }}",
		Details:   api.ModelDetails{Family: "llama", ParameterSize: "1M", QuantizationLevel: "F16"},
		ModelInfo: map[string]any{"general.architecture": "llama", "llama.context_length": 4096, "llama.embedding_length": 4},
	}
	raw, _ := json.Marshal(map[string]any{"capabilities": capabilities})
	_ = json.Unmarshal(raw, &shown)
	return shown
}

// URL is the server's address.
func (s *Server) URL() string { return "http://" + s.host }

// Up starts the server, or starts it again.
func (s *Server) Up() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, err := s.listen()
	if err != nil {
		return err
	}
	server := &http.Server{Handler: s}
	s.http = server
	s.served.Go(func() { _ = server.Serve(l) }) // its error is that Down ended it
	return nil
}

// Down kills the server: connections break, further ones are refused.
func (s *Server) Down() {
	s.mu.Lock()
	server := s.http
	s.http, s.memory = nil, nil
	s.mu.Unlock()
	if server != nil {
		_ = server.Close()
	}
	s.served.Wait()
}

// Dial connects to a server in memory, whatever the address, or is refused while it is down.
func (s *Server) Dial(ctx context.Context, network, _ string) (net.Conn, error) {
	s.mu.Lock()
	l := s.memory
	s.mu.Unlock()
	if l == nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
	}
	return l.dial(ctx)
}

// Script lists the answers to the questions that come next, in their order. Afterwards the server behaves again.
func (s *Server) Script(actions ...Action) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, actions...)
}

// Always sets how questions are answered that the script does not cover.
func (s *Server) Always(a Action) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.always = a
}

// Asked lists the questions so far, in the order they came, without those that load a model.
func (s *Server) Asked() []Question {
	s.mu.Lock()
	defer s.mu.Unlock()
	var questions []Question
	for _, q := range s.asked {
		if !q.Load() {
			questions = append(questions, q)
		}
	}
	return questions
}

// Loads lists the calls that only loaded or unloaded a model.
func (s *Server) Loads() []Question {
	s.mu.Lock()
	defer s.mu.Unlock()
	var loads []Question
	for _, q := range s.asked {
		if q.Load() {
			loads = append(loads, q)
		}
	}
	return loads
}

// ServeHTTP answers as the script says.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	down := s.http == nil
	s.mu.Unlock()
	if down {
		panic(http.ErrAbortHandler) // over a connection that Down has not come to yet
	}
	switch path := r.URL.Path; {
	case path == "/api/version":
		write(w, map[string]string{"version": s.Version})
	case path == "/api/tags":
		write(w, api.ListResponse{Models: s.Models})
	case path == "/api/ps":
		write(w, api.ProcessResponse{Models: s.Running})
	case path == "/api/show":
		var q api.ShowRequest
		_ = json.NewDecoder(r.Body).Decode(&q)
		shown, ok := s.Show[full(q.Model)]
		if !ok {
			missing(w, q.Model)
			return
		}
		write(w, shown)
	case path == "/api/pull" && s.Pulled != nil:
		s.pull(w, r)
	default:
		s.answer(w, r)
	}
}

// Pulls lists the models that the server was told to pull.
func (s *Server) Pulls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.pulls)
}

func (s *Server) pull(w http.ResponseWriter, r *http.Request) {
	var q api.PullRequest
	_ = json.NewDecoder(r.Body).Decode(&q)
	s.mu.Lock()
	s.pulls = append(s.pulls, q.Model)
	s.mu.Unlock()
	write(w, api.ProgressResponse{Status: "pulling", Digest: "sha256:1", Total: 4e6, Completed: 2e6})
	s.Pulled(q.Model)
	write(w, api.ProgressResponse{Status: "success"})
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	q := Question{Path: r.URL.Path}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		write(w, map[string]string{"error": err.Error()})
		return
	}
	s.mu.Lock()
	s.asked = append(s.asked, q)
	act := s.always
	switch {
	case q.Load() && s.Loading != nil:
		act = s.Loading
	case q.Load():
		act = Loaded()
	case len(s.script) > 0:
		act, s.script = s.script[0], s.script[1:]
	}
	s.mu.Unlock()
	if _, ok := s.Show[full(q.Model)]; !ok {
		missing(w, q.Model)
		return
	}
	act(w, r, q)
}

func full(name string) string {
	if !strings.Contains(name, ":") {
		name += ":latest"
	}
	return name
}

func missing(w http.ResponseWriter, name string) {
	w.WriteHeader(http.StatusNotFound)
	write(w, map[string]string{"error": "model '" + name + "' not found"})
}

func write(w http.ResponseWriter, v any) {
	_ = json.NewEncoder(w).Encode(v) // the client may be gone
}
