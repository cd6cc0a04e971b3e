package ollama

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// pool holds the connections to a server, and can be renewed: after an outage no call may meet a connection to a process that is gone.
type pool struct {
	current atomic.Pointer[http.Transport]
}

// newPool has no time limit but that of connecting; the calls' contexts carry the others. Loopback addresses never go through a proxy:
// http.ProxyFromEnvironment leaves them out.
func newPool(dial func(ctx context.Context, network, address string) (net.Conn, error), limit time.Duration, connections int) *pool {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	p := new(pool)
	p.current.Store(&http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			ctx, cancel := context.WithTimeoutCause(ctx, limit, &passed{"no connection", limit})
			defer cancel()
			return dial(ctx, network, address)
		},
		TLSHandshakeTimeout: limit,
		MaxIdleConnsPerHost: connections,
		DisableCompression:  true, // a compressed stream comes in fewer, later pieces
	})
	return p
}

// alone makes one request over a connection of its own: what answers there accepts connections, and is no process that is ending.
func (p *pool) alone(r *http.Request) (*http.Response, error) {
	t := p.current.Load().Clone()
	t.DisableKeepAlives = true
	return (&http.Client{Transport: t}).Do(r)
}

// RoundTrip implements http.RoundTripper.
func (p *pool) RoundTrip(r *http.Request) (*http.Response, error) {
	return p.current.Load().RoundTrip(r)
}

// CloseIdleConnections is what http.Client calls on its own.
func (p *pool) CloseIdleConnections() { p.current.Load().CloseIdleConnections() }

// renew forgets all connections. Those in use are closed when their calls end.
func (p *pool) renew() {
	old := p.current.Load()
	p.current.Store(old.Clone())
	old.CloseIdleConnections()
}
