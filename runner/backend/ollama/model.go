package ollama

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"verge/runner/backend"
)

// ModelOptions say how a model is used.
type ModelOptions struct {
	Context   int           // tokens of prompt and reply together: num_ctx of every call. 0: the model's own, at most 4096
	KeepAlive time.Duration // how long the server keeps the model loaded after a call: 0 means 30 min, less than 0 for ever
	Think     Think         // "": off
	Threads   int           // of the server's processor: num_thread of every call. 0: the server's choice, all its cores
	// GiveUp is after how many calls in a row without an answer Sample gives up: 0 means never, so that a server that answers nothing
	// but errors is asked to the end.
	GiveUp int
}

// defaultContext holds a task with a worked solution.
const defaultContext = 4096

// Model is a model behind a server, bound to a role. It is safe for concurrent use.
type Model struct {
	client    *Client
	info      Info
	name      string
	context   int
	keepAlive time.Duration
	think     Think
	threads   int
	giveUp    int

	estimate  estimate
	loads     loads
	prepared  atomic.Bool // the server was seen to have it loaded, or was told to load it
	remade    atomic.Bool // what the server was seen to have loaded is no more the model
	preparing *semaphore.Weighted
	failures  atomic.Int64 // calls in a row that gave no answer
	warned    sync.Map     // NoticeKinds that are told once
}

var _ backend.Streamer = (*Model)(nil)

// opened are the models of a client, by their digest and by the file of their weights.
type opened struct {
	mu     sync.Mutex
	models []*Model
}

// Open binds a model. It loads nothing, and refuses what the server or the model cannot do: a MissingModelError, a CloudModelError, a
// ModelError, an UnreachableError.
func (c *Client) Open(ctx context.Context, name string, o ModelOptions) (*Model, error) {
	info, err := c.Info(ctx, name)
	if err != nil {
		return nil, err
	}
	return c.open(info, o)
}

func (c *Client) open(info Info, o ModelOptions) (*Model, error) {
	if err := o.Think.check(); err != nil {
		return nil, err
	}
	if o.Think != "" && o.Think != ThinkOff && !info.Thinks() {
		return nil, &ModelError{info.Name, fmt.Sprintf("cannot think (think = %q)", o.Think), `set think = "off", or name a model that lists thinking among its capabilities`}
	}
	switch {
	case o.Context == 0:
		o.Context = defaultContext
		if info.Context > 0 {
			o.Context = min(o.Context, info.Context)
		}
	case o.Context < 0 || info.Context > 0 && o.Context > info.Context:
		return nil, &ModelError{info.Name, fmt.Sprintf("has a context of %d tokens, not %d", info.Context, o.Context), fmt.Sprintf("set context to 1 … %d", info.Context)}
	}
	if o.Think == "" {
		o.Think = ThinkOff
	}
	if o.KeepAlive == 0 {
		o.KeepAlive = defaultKeepAlive
	}
	m := &Model{
		client: c, info: info, name: info.Name, context: o.Context, keepAlive: o.KeepAlive, think: o.Think, threads: o.Threads, giveUp: o.GiveUp,
		preparing: semaphore.NewWeighted(1),
	}
	return m, c.opened.add(c, m)
}

// add refuses two contexts for one model and tells of two models on one file: in both cases the server would load at every change
// from one to the other.
func (o *opened) add(c *Client, m *Model) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, other := range o.models {
		switch {
		case other.info.Digest == m.info.Digest && other.threads != m.threads:
			return &ModelError{m.name, "is used with two numbers of threads, and would be loaded again at each change", "give all its roles the same number"}
		case other.info.Digest == m.info.Digest && other.context != m.context:
			return &ModelError{m.name, fmt.Sprintf("is used with contexts of %d and of %d tokens, and would be loaded again at each change", other.context, m.context),
				"give all its roles the same context"}
		case other.info.Digest != m.info.Digest && m.info.Weights != "" && other.info.Weights == m.info.Weights:
			c.notify(Notice{Kind: SharedWeights, Model: m.name,
				Text: fmt.Sprintf("%s and %s stand on one file of weights; the server keeps only one of them loaded", other.name, m.name)})
		}
	}
	o.models = append(o.models, m)
	return nil
}

// Identity names the model and the digest of its manifest, which covers weights, adapters, template and parameters.
func (m *Model) Identity() backend.Identity {
	return backend.Identity{Backend: "ollama", Name: m.name, Digest: m.info.Digest}
}

// Info is what the server told of the model.
func (m *Model) Info() Info { return m.info }

// Context is the number of tokens that prompt and reply share.
func (m *Model) Context() int { return m.context }

// Unload has the server free the model's memory, by a call that asks nothing and keeps the model for no time.
func (m *Model) Unload(ctx context.Context) error {
	return m.client.named(m.load(ctx, 0), m.name)
}

// once says whether a kind of notice is told for the first time.
func (m *Model) once(k NoticeKind) bool {
	_, before := m.warned.LoadOrStore(k, true)
	return !before
}

// fatal says that an error will be the answer to every further call too.
func fatal(err error) bool {
	var away *UnreachableError
	var missing *MissingModelError
	return errors.As(err, &away) || errors.As(err, &missing) || outcomeOf(err) == Cancelled
}
