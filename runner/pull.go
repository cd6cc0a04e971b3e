package runner

import (
	"context"
	"errors"
	"strings"

	"github.com/ollama/ollama/api"

	"verge/profiles"
	"verge/runner/backend/ollama"
)

// Pull has the servers of a profile's roles download the models that they lack. progress is told of each model what is done of what there is
// to do, in bytes of one of its files; it is called on this goroutine. A server that is not there, and a model that nobody has, are wrong requests.
func Pull(ctx context.Context, p *profiles.Profile, progress func(model string, done, total int64)) error {
	r, err := resolve(p)
	if err != nil {
		return err
	}
	s := newServers(p.Ollama)
	defer s.close()
	roles := []string{"judge"}
	if len(p.Roles.Oracles) > 0 {
		roles = nil
	}
	for i := range p.Roles.Oracles {
		roles = append(roles, profiles.OracleRole(i))
	}
	for role := range r.Needs(p) {
		roles = append(roles, role)
	}
	for _, role := range roles {
		as, ok := p.Roles.Bound(role)
		tag, tagged := strings.CutPrefix(as.Model, profiles.Tagged)
		if !ok || as.Backend != profiles.OllamaBackend && !tagged {
			continue
		}
		c, err := s.client(as.Host)
		if err != nil {
			return refuse("roles.%s: %v", role, err)
		}
		if err := pull(ctx, c, tag, progress); err != nil {
			if context.Cause(ctx) != nil {
				return context.Cause(ctx)
			}
			return refuse("roles.%s.model = %q: %v", role, as.Model, err)
		}
	}
	return nil
}

func pull(ctx context.Context, c *ollama.Client, tag string, progress func(model string, done, total int64)) error {
	_, err := c.Info(ctx, tag)
	var missing *ollama.MissingModelError
	if !errors.As(err, &missing) {
		return err
	}
	return c.Pull(ctx, tag, func(r api.ProgressResponse) { progress(tag, r.Completed, r.Total) })
}
