// Package ollama binds roles to models behind an Ollama server, near or far.
//
// It stands on the types of github.com/ollama/ollama/api and, for what is no stream, on its Client. Streams are read here, because
// api.Client reads lines of at most 8 MB, takes a connection that breaks between two lines for the end of an answer, and knows no
// limit between two pieces of one.
package ollama

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ollama/ollama/api"
	"golang.org/x/sync/semaphore"
)

// Options say how a server is reached. The zero value reaches the one that OLLAMA_HOST names, and fails at once when it goes away.
type Options struct {
	Host        string // as ParseHost reads it; "": the environment's OLLAMA_HOST, or DefaultHost
	Concurrency int    // calls at a time, over all models: 0 means 4. The server's OLLAMA_NUM_PARALLEL cannot be read, and defaults to 1
	Limits      Limits
	Outage      time.Duration // how long calls wait for a server that went away; 0: they fail at once
	AllowCloud  bool          // models that run on somebody else's machines, for money
	Observe     func(Notice)  // may be nil; is called by one goroutine at a time, and must not call back
	// Dial opens connections; nil: a TCP dialer. The connect limit holds for either.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Client is a server and the way it is reached. It is safe for concurrent use.
type Client struct {
	url        *url.URL
	http       *http.Client
	pool       *pool
	api        *api.Client
	limits     Limits
	outage     outage
	allowCloud bool
	slots      *semaphore.Weighted
	workers    int
	observe    func(Notice)
	observing  sync.Mutex
	opened     opened
	loads      loads       // of all its models
	heavy      atomic.Bool // that they take too long was told
}

// New prepares a client; nothing is sent. Its error is one of Options.
func New(o Options) (*Client, error) {
	if o.Host == "" {
		o.Host = os.Getenv("OLLAMA_HOST")
	}
	u, err := ParseHost(o.Host)
	if err != nil {
		return nil, err
	}
	switch {
	case o.Concurrency == 0:
		o.Concurrency = 4
	case o.Concurrency < 0:
		return nil, fmt.Errorf("%d Ollama calls at a time: at least one is needed", o.Concurrency)
	}
	c := &Client{
		url: u, limits: o.Limits.withDefaults(), allowCloud: o.AllowCloud, observe: o.Observe,
		slots: semaphore.NewWeighted(int64(o.Concurrency)), workers: o.Concurrency,
	}
	c.outage = outage{limit: o.Outage, turn: semaphore.NewWeighted(1)}
	c.pool = newPool(o.Dial, c.limits.Connect, o.Concurrency)
	c.http = &http.Client{Transport: c.pool}
	c.api = api.NewClient(u, c.http)
	return c, nil
}

// URL is the server's address.
func (c *Client) URL() *url.URL { return c.url }

// HTTP makes single calls to the server, by connections with the client's limits. It waits for nothing.
func (c *Client) HTTP() *http.Client { return c.http }

// Concurrency is how many calls go on at a time at the most.
func (c *Client) Concurrency() int { return c.workers }

// Close lets go of idle connections. Calls that are going on are ended by their contexts.
func (c *Client) Close() { c.http.CloseIdleConnections() }
