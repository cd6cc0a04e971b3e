package runner

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/ollama/ollama/api"

	"verge/profiles"
	"verge/runner/backend"
	"verge/runner/backend/ollama"
)

// Pull has the servers of the roles of a run to make, or to resume, download the models that they lack. progress is told of each model what is
// done of what there is to do, in bytes of one of its files; it is called on this goroutine. What Run would refuse without asking a server is
// refused before anything is downloaded. A server that is not there, and a model that nobody has, are wrong requests; a download that ends in the
// middle is not.
func Pull(ctx context.Context, o Options, progress func(model string, done, total int64)) error {
	p := o.Profile
	r, err := resolve(p)
	if err != nil {
		return err
	}
	if o.Resume != "" {
		if err := resumable(o.Resume, p); err != nil {
			return err
		}
	}
	b := &binder{ctx: ctx, p: p, needs: r.Needs(p), models: models{servers: newServers(p.Ollama)}}
	defer b.servers.close()
	needed := b.needed()
	for _, role := range needed {
		if err := b.plainly(role); err != nil {
			return err
		}
	}
	for _, role := range needed {
		tag, tagged := strings.CutPrefix(role.as.Model, profiles.Tagged)
		if role.as.Backend != profiles.OllamaBackend && !tagged {
			continue
		}
		c, err := b.servers.client(role.as.Host)
		if err != nil {
			return b.refuse(role.keys, role.as, err)
		}
		if err := b.pull(c, role, tag, progress); err != nil {
			return err
		}
	}
	return nil
}

// neededRole is a role whose model a run opens.
type neededRole struct {
	name, keys string // keys are how the profile's keys of the role begin
	as         profiles.Reader
	needs      []backend.Capability
}

// needed are the roles whose models a run opens, in a fixed order.
func (b *binder) needed() []neededRole {
	var all []neededRole
	add := func(name, keys string, needs []backend.Capability) {
		if as, ok := b.p.Roles.Bound(name); ok && needs != nil {
			all = append(all, neededRole{name, keys, as, needs})
		}
	}
	for _, name := range []string{"generator", "solver", "transfer", "reference"} {
		add(name, "roles."+name+".", b.needs[name])
	}
	if b.p.Roles.Generator.Embedded() { // nothing is left to answer
		return all
	}
	answering := []backend.Capability{backend.Sampling}
	for i := range b.p.Roles.Oracles {
		add(profiles.OracleRole(i), "roles.oracles", answering)
	}
	if len(b.p.Roles.Oracles) == 0 {
		add("judge", "roles.judge.", answering)
	}
	return all
}

// plainly refuses a role that cannot be bound, as far as that is plain without its model.
func (b *binder) plainly(role neededRole) error {
	needs := role.needs
	if role.name == "reference" {
		needs = readBy(role.as.Backend, needs)
		if role.as.Backend == profiles.OllamaBackend {
			if err := embeddable(b.p); err != nil {
				return err
			}
		}
	}
	if err := b.lacks(role.name, role.keys, role.as, might(role.as.Backend), needs); err != nil {
		return err
	}
	if file := b.p.Roles.File(role.name); file != "" {
		if _, err := os.Stat(file); err != nil {
			return b.refuse(role.keys, role.as, err)
		}
	}
	return nil
}

func (b *binder) pull(c *ollama.Client, role neededRole, tag string, progress func(model string, done, total int64)) error {
	_, err := c.Info(b.ctx, tag)
	var missing *ollama.MissingModelError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &missing):
		return b.refuse(role.keys, role.as, err)
	}
	err = c.Pull(b.ctx, tag, func(r api.ProgressResponse) { progress(tag, r.Completed, r.Total) })
	switch {
	case err == nil:
		return nil
	case context.Cause(b.ctx) != nil:
		return context.Cause(b.ctx)
	case nobodyHas(err):
		return b.refuse(role.keys, role.as, err)
	}
	return fmt.Errorf("%s = %q: %w", key(role.keys, "model"), role.as.Model, err)
}

// nobodyHas says that a server found no model of a name to download, or takes it for no name.
func nobodyHas(err error) bool {
	var call *ollama.CallError
	return errors.As(err, &call) && (call.Status == http.StatusBadRequest || call.Status == http.StatusNotFound || strings.Contains(call.Text, "file does not exist"))
}
