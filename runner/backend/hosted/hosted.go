// Package hosted samples a model of this process through an Ollama server, which is sent the weights once and the adapter whenever it has
// changed: what is trained here is sampled there, at the speed of the server's GPU.
package hosted

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"verge/domains/prompt"
	"verge/runner/backend"
	"verge/runner/backend/local"
	"verge/runner/backend/ollama"
	"verge/runner/backend/ollama/push"
	"verge/runner/engine"
)

// Options say how a model is hosted.
type Options struct {
	Tag   string // of the model on the server, which is replaced with every change and removed by Close
	Role  string // that the model plays
	Model ollama.ModelOptions
}

// Host is a base and a place for it on a server. Several models on the base, with one adapter each or with none, can be sampled through it, one
// at a time.
type Host struct {
	client *ollama.Client
	server *push.Server
	base   push.Base
	words  vocabulary
	o      Options

	mu    sync.Mutex
	model *ollama.Model // once the tag is there
	holds *string       // digest of the adapter that the tag has, "" for none; nil as long as it is not known
}

// New prepares a place for m's base, which the server is sent as base. Nothing is sent yet.
func New(client *ollama.Client, m *local.Model, base push.Base, o Options) *Host {
	o.Model.Context = min(o.Model.Context, m.Base().Context)
	return &Host{
		client: client, server: push.New(client.URL(), client.HTTP()), base: base, o: o,
		words: vocabulary{m, m.Base().Tokenizer.Readings()},
	}
}

// Through is a model of this process, sampled by the server. It has to be one on the host's base; its adapter is read when it is first
// sampled, and must not change as long as the result is used.
func (h *Host) Through(m backend.Model) backend.Model { return &through{Model: m, host: h} }

// Close removes the model from the server and its memory; also one that a run left there which was killed and is now resumed. The server
// cannot be told to free the memory of a model that it no longer has.
func (h *Host) Close(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.model, h.holds = nil, nil
	return errors.Join(h.client.Free(ctx, h.o.Tag), h.server.Remove(ctx, h.o.Tag))
}

// through is a model as the server samples it; its identity stays the one it has here.
type through struct {
	backend.Model
	host *Host

	sent    sync.Once
	sampled backend.Streamer
	err     error
}

var _ backend.Streamer = (*through)(nil)

// Sample implements backend.Model.
func (t *through) Sample(ctx context.Context, requests []backend.Request, progress func(replies, tokens int)) ([][]backend.Reply, error) {
	s, err := t.send(ctx)
	if err != nil {
		return nil, err
	}
	replies, err := s.Sample(ctx, requests, progress)
	return replies, lost(err)
}

// Stream implements backend.Streamer.
func (t *through) Stream(ctx context.Context, requests []backend.Request, done func(request, seed int, r backend.Reply)) error {
	s, err := t.send(ctx)
	if err != nil {
		return err
	}
	return lost(s.Stream(ctx, requests, done))
}

// lost says what to do about a model that somebody has removed from the server: unlike others it can be had from nowhere else.
func lost(err error) error {
	var missing *ollama.MissingModelError
	if !errors.As(err, &missing) {
		return err
	}
	return fmt.Errorf("model %s, which this run made at %s, was removed from there; a run that goes on makes it again", missing.Model, missing.Host)
}

func (t *through) send(ctx context.Context) (backend.Streamer, error) {
	t.sent.Do(func() {
		m, ok := t.Model.(*local.Model)
		if !ok {
			t.err = fmt.Errorf("%s is no model of this process, so that no server can be sent it", t.Identity().Name)
			return
		}
		t.sampled, t.err = t.host.hold(ctx, m.Adapter())
	})
	return t.sampled, t.err
}

// hold has the server hold the base with an adapter, or without one for nil.
func (h *Host) hold(ctx context.Context, a *engine.Adapter) (backend.Streamer, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	adapter := push.None
	if a != nil {
		dir, err := os.MkdirTemp("", "verge-adapter-")
		if err != nil {
			return nil, fmt.Errorf("the adapter that a server is to be sent cannot be written (%w); name a folder that can be written to in TMPDIR", err)
		}
		defer os.RemoveAll(dir)
		file := filepath.Join(dir, "adapter.gguf")
		if err := a.WriteFile(file); err != nil {
			return nil, err
		}
		if adapter, err = push.FileBase(file); err != nil {
			return nil, err
		}
	}
	if h.holds == nil || *h.holds != adapter.Digest {
		h.holds = nil
		if h.model != nil {
			h.model.Remade()
		}
		err := h.client.Safely(ctx, func(ctx context.Context) error { return h.server.Put(ctx, h.o.Tag, h.base, adapter) })
		if err != nil {
			return nil, fmt.Errorf("sending the adapter of the %s to the server: %w", h.o.Role, err)
		}
		h.holds = &adapter.Digest
	}
	if h.model == nil {
		m, err := h.client.Open(ctx, h.o.Tag, h.o.Model)
		if err != nil {
			return nil, err
		}
		h.model = m
	}
	return h.model.Exactly(h.o.Role, h.words), nil
}

// vocabulary implements ollama.Vocabulary.
type vocabulary struct {
	model *local.Model
	reads engine.Readings
}

func (v vocabulary) Spell(p prompt.Prompt) (string, error) { return v.model.Spell(p) }
func (v vocabulary) Written(text string) (int32, bool)     { return v.reads.Token(text) }
func (v vocabulary) End() int32                            { return v.model.Base().Tokenizer.End() }
