package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"verge/profiles"
	"verge/runner/backend"
	"verge/runner/backend/hosted"
	"verge/runner/backend/local"
	"verge/runner/backend/ollama"
	"verge/runner/backend/ollama/push"
	"verge/runner/engine"
	"verge/runner/event"
)

// hosting is a model of this process that a server is to sample.
type hosting struct {
	client *ollama.Client
	model  *local.Model
	base   push.Base
	as     profiles.Served
	giveUp int
	server string // its version
}

// host prepares a server to sample a role's model. It sends nothing, and refuses a server that could not.
func (b *binder) host(role string, as profiles.Binding, m *local.Model) error {
	refused := func(err error) error {
		if cause := context.Cause(b.ctx); cause != nil {
			return cause
		}
		return refuse("policy.sampler = %q, for roles.%s.model = %q: %v", b.p.Policy.Sampler, role, as.Model, err)
	}
	c, err := b.servers.client(as.Host)
	if err != nil {
		return refused(err)
	}
	version, err := c.Version(b.ctx)
	if err != nil {
		return refused(err)
	}
	if !slices.Contains(ollama.Serves(version), backend.Logprobs) {
		return b.p.Refuse("policy.sampler", fmt.Sprintf("the server at %s is of version %s and does not tell the tokens of its replies, which training needs", c.URL(), version),
			`Ollama 0.12.11 or later, or policy.sampler = "engine"`)
	}
	base, err := Base(b.ctx, push.New(c.URL(), c.HTTP()), as.Model)
	if err != nil {
		return refused(err)
	}
	if base.Digest != m.Base().Digest {
		return refused(errors.New("its file has changed since it was opened; start the run again"))
	}
	b.hosting[role] = hosting{client: c, model: m, base: base, as: as.Served, giveUp: b.p.Ollama.GiveUp, server: version}
	return nil
}

// Base is what a server makes a model of that is the model of backend "engine" with a name: one that the server has, or one that it is sent.
func Base(ctx context.Context, server *push.Server, name string) (push.Base, error) {
	switch name {
	case profiles.Micro:
		return push.BytesBase(name, engine.MicroFile()), nil
	case profiles.MicroB:
		return push.BytesBase(name, engine.MicroBFile()), nil
	}
	if tag, ok := strings.CutPrefix(name, profiles.Tagged); ok {
		return server.TagBase(ctx, tag)
	}
	return push.FileBase(name)
}

// hostTag is a tag of a run's own, so that runs do not meet.
func hostTag(run, role string) string { return "verge-" + run + ":" + role }

// hosts are the places on servers for a run's models, by role.
func (m models) hosts(run string) map[string]*hosted.Host {
	hosts := map[string]*hosted.Host{}
	for role, h := range m.hosting {
		hosts[role] = hosted.New(h.client, h.model, h.base, hosted.Options{
			Tag: hostTag(run, role), Role: role,
			Model: ollama.ModelOptions{Context: h.as.Context, KeepAlive: time.Duration(h.as.KeepAlive), Threads: h.as.Threads, GiveUp: h.giveUp},
		})
	}
	return hosts
}

// closeHosts removes what a run made on servers, once. That one does not is no reason for a run to fail that has its results: it is warned of.
func closeHosts(run string, hosts map[string]*hosted.Host, warn func(event.BackendNoticed)) {
	const enough = 10 * time.Second // for each
	for role, h := range hosts {
		ctx, cancel := context.WithTimeout(context.Background(), enough)
		if err := h.Close(ctx); err != nil {
			tag := hostTag(run, role)
			warn(event.BackendNoticed{Kind: "left behind", Model: tag, Role: role, Warns: true, Text: fmt.Sprintf("model %s is left on the server (%v); remove it with: ollama rm %s", tag, err, tag)})
		}
		cancel()
	}
	clear(hosts)
}

// served is what the replies of a role's hosted model depend on.
func (h hosting) served(run, role string) *event.Served {
	return &event.Served{Server: h.server, Tag: hostTag(run, role), Context: min(h.as.Context, h.model.Base().Context), Threads: h.as.Threads}
}
