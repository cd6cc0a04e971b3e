package runner

import (
	"context"
	"net"
	"strings"
	"sync"
	"time"

	"verge/profiles"
	"verge/runner/backend/ollama"
	"verge/runner/event"
)

// servers are the Ollama servers of a run and the models that are opened on them, each once.
type servers struct {
	options profiles.Ollama
	notices notices
	clients map[string]*ollama.Client // by address
	models  map[servedKey]*ollama.Model
}

// servedKey is what makes two roles' models one.
type servedKey struct {
	address, tag string
	profiles.Served
	think profiles.Think
}

func newServers(o profiles.Ollama) *servers {
	return &servers{options: o, clients: map[string]*ollama.Client{}, models: map[servedKey]*ollama.Model{}}
}

// client is the way to a server; "" is the environment's.
func (s *servers) client(host string) (*ollama.Client, error) {
	o := s.options
	c, err := ollama.New(ollama.Options{
		Host: host, Concurrency: o.Concurrency, Outage: time.Duration(o.Outage), AllowCloud: o.AllowCloud, Observe: s.notices.take,
		Limits: ollama.Limits{Connect: time.Duration(o.Connect), Load: time.Duration(o.Load), Idle: time.Duration(o.Idle), Total: time.Duration(o.Total)},
	})
	if err != nil {
		return nil, err
	}
	at := address(c)
	if s.clients[at] == nil {
		s.clients[at] = c
	}
	return s.clients[at], nil
}

// address is what a server is known by. The names of this machine to itself are alike: by two of them one server would get twice the calls at
// a time that it may have.
func address(c *ollama.Client) string {
	u := *c.URL()
	host := strings.ToLower(u.Hostname())
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		host = "localhost"
	}
	u.Host = net.JoinHostPort(host, u.Port())
	return u.String()
}

// open opens a model, or finds it opened.
func (s *servers) open(ctx context.Context, tag string, as profiles.Served, think profiles.Think) (*ollama.Model, error) {
	c, err := s.client(as.Host)
	if err != nil {
		return nil, err
	}
	key := servedKey{address(c), tag, as, think}
	key.Host = ""
	if m := s.models[key]; m != nil {
		return m, nil
	}
	o := ollama.ModelOptions{Context: as.Context, KeepAlive: time.Duration(as.KeepAlive), Threads: as.Threads, GiveUp: s.options.GiveUp, Think: ollama.Think(think)}
	m, err := c.Open(ctx, tag, o)
	if err == nil {
		s.models[key] = m
	}
	return m, err
}

// unload has the servers free the memory of a run's models, where its profile says so. That one does not is no reason for a run to fail: it
// does so by itself after a while.
func (s *servers) unload() {
	if !s.options.Unload {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(s.options.Connect))
	defer cancel()
	for _, m := range s.models {
		_ = m.Unload(ctx)
	}
}

// close ends what is left of the connections.
func (s *servers) close() {
	for _, c := range s.clients {
		c.Close()
	}
}

// notices hands what servers tell to a run, and keeps it until there is one.
type notices struct {
	mu    sync.Mutex
	early []event.BackendNoticed
	to    func(event.BackendNoticed)
}

// deliver hands all that came and all that comes to a run.
func (n *notices) deliver(to func(event.BackendNoticed)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.to = to
	for _, e := range n.early {
		to(e)
	}
	n.early = nil
}

func (n *notices) take(from ollama.Notice) {
	e := noticed(from)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.to == nil {
		n.early = append(n.early, e)
		return
	}
	n.to(e)
}

// noticed is a notice as an event.
func noticed(n ollama.Notice) event.BackendNoticed {
	e := event.BackendNoticed{Kind: string(n.Kind), Model: n.Model, Role: n.Role, Text: n.Text, Seconds: n.Took.Seconds()}
	switch n.Kind {
	case ollama.Loaded, ollama.Reloaded, ollama.Renewed:
		e.Loads = 1
	case ollama.Paused:
		e.Away = 1
	case ollama.Resumed:
		e.Away = -1
	case ollama.ShortContext, ollama.HeavyLoading, ollama.SharedWeights, ollama.SuspectPrompt, ollama.FullContext:
		e.Warns = true
	}
	if n.Placement != (ollama.Placement{}) {
		e.Placement = &event.Placement{Context: n.Placement.Context, Size: n.Placement.Size, VRAM: n.Placement.VRAM}
	}
	for outcome, count := range n.Counts {
		if e.Outcomes == nil {
			e.Outcomes = map[string]int{}
		}
		e.Outcomes[string(outcome)] = count
		if outcome.Failed() {
			e.Failed += count
		}
	}
	return e
}
