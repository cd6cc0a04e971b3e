package ollama

import (
	"context"
	"fmt"
	"time"

	"github.com/ollama/ollama/api"
)

// prepare has the server load the model, if it has not, by a call that asks nothing, once: a load that many calls wait for ends with the first
// that loses patience, and the time that it takes is then nobody's reply. took is the time; 0 where nothing was loaded. That the server cannot
// be looked at, or does not load the model, is left for the calls that come next to tell.
func (m *Model) prepare(ctx context.Context) (took time.Duration, err error) {
	if m.prepared.Load() {
		return 0, nil
	}
	if err := m.preparing.Acquire(ctx, 1); err != nil {
		return 0, cancelled(ctx)
	}
	defer m.preparing.Release(1)
	if m.prepared.Load() {
		return 0, nil
	}
	remade := m.remade.Load()
	if !remade {
		if _, there, err := m.Placement(ctx); there || err != nil {
			m.prepared.Store(!fatal(err))
			return 0, nil
		}
	}
	var start time.Time
	err = m.client.safely(ctx, func() error {
		start = time.Now()
		return m.load(ctx, m.keepAlive)
	})
	if err = m.client.named(err, m.name); fatal(err) {
		return 0, err
	}
	m.prepared.Store(true)
	m.remade.Store(false)
	if err != nil {
		return 0, nil
	}
	took = time.Since(start)
	if remade {
		// It is no fault of other models, and comes with every change: nothing to be counted among reloads.
		m.client.notify(Notice{Kind: Renewed, Model: m.name, Took: took, Text: fmt.Sprintf("%s was loaded as it is now, in %v", m.name, took.Round(time.Millisecond))})
		return took, nil
	}
	m.loaded(start, took)
	m.place(ctx)
	return took, nil
}

// Remade says that the server has another model under the name now, which it has to load: of the one before it still tells that it is loaded.
// No call may be going on.
func (m *Model) Remade() {
	m.remade.Store(true)
	m.prepared.Store(false)
}

// load is a call that asks nothing: the server loads the model, or with no time to keep it unloads it.
func (m *Model) load(ctx context.Context, keep time.Duration) error {
	options, keepAlive := m.runner(), &api.Duration{Duration: keep}
	path, body := "/api/generate", any(api.GenerateRequest{Model: m.name, KeepAlive: keepAlive, Options: options})
	if !m.info.able("completion") {
		path, body = "/api/embed", api.EmbedRequest{Model: m.name, KeepAlive: keepAlive, Options: options}
	}
	return m.client.stream(ctx, path, body, func(line []byte) error { return new(gathering).add(line) })
}
