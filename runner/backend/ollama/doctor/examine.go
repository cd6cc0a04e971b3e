package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ollama/ollama/api"

	"verge/runner/backend"
	"verge/runner/backend/ollama"
)

// Names of the checks.
const (
	Server       = "server"
	Models       = "models"
	Capabilities = "capabilities"
	Reply        = "reply"
	Schema       = "schema"
	Logprobs     = "log-probabilities"
	Embedding    = "embedding"
	GPU          = "GPU"
	Parallel     = "parallel calls"
)

// Examine looks at the server behind a client and at models on it. Without names it takes the smallest model that can reply, to chats if there is
// such a one, and the smallest that is made for embeddings. That there is no server, or no model, is a finding; the error is the context's.
func Examine(ctx context.Context, c *ollama.Client, names []string) (Report, error) {
	e := &examination{ctx: ctx, client: c, report: Report{Host: c.URL().String()}}
	e.server(names)
	return e.report, context.Cause(ctx)
}

// Inspect looks at models as a run has opened them, with its own options, so that none is loaded again. All are of the client's server.
func Inspect(ctx context.Context, c *ollama.Client, models []*ollama.Model) (Report, error) {
	e := &examination{ctx: ctx, client: c, report: Report{Host: c.URL().String()}}
	version, err := c.Version(ctx)
	if err != nil {
		e.refused("", Server, err, "the run cannot go on")
		return e.report, context.Cause(ctx)
	}
	e.report.Server = version
	for _, m := range models {
		e.opened(m)
	}
	return e.report, context.Cause(ctx)
}

// examination is a report that is being written.
type examination struct {
	ctx    context.Context
	client *ollama.Client
	report Report
}

func (e *examination) add(c Check) { e.report.Checks = append(e.report.Checks, c) }

func (e *examination) server(names []string) {
	version, err := e.client.Version(e.ctx)
	var away *ollama.UnreachableError
	switch {
	case errors.As(err, &away):
		e.add(Check{Name: Server, State: Missing, Found: fmt.Sprintf("none answers at %s", e.report.Host),
			Meaning: "profiles with roles on backend \"ollama\" cannot run; those on the embedded models need no server",
			Fix:     "install Ollama from https://ollama.com/download and start it with: ollama serve. Where it runs elsewhere, name it with OLLAMA_HOST or --host"})
		return
	case err != nil:
		e.add(Check{Name: Server, State: Failed, Found: err.Error(), Meaning: fmt.Sprintf("what answers at %s is no Ollama server that works", e.report.Host),
			Fix: "look into the server's log, or name another with OLLAMA_HOST or --host"})
		return
	}
	e.report.Server = version
	e.add(Check{Name: Server, State: OK, Found: fmt.Sprintf("version %s at %s", version, e.report.Host), Meaning: "roles can be bound to its models"})
	list, err := e.client.Models(e.ctx)
	if err != nil {
		e.add(Check{Name: Models, State: Failed, Found: err.Error(), Meaning: "the server does not tell which models it has", Fix: "look into the server's log"})
		return
	}
	e.models(list)
	if len(names) == 0 {
		names = e.smallest(list)
	}
	for _, name := range names {
		e.model(name)
	}
}

func (e *examination) models(list []api.ListModelResponse) {
	var local, cloud []string
	for _, m := range list {
		if m.RemoteHost != "" {
			cloud = append(cloud, m.Name)
		} else {
			local = append(local, fmt.Sprintf("%s (%.12s)", m.Name, m.Digest))
		}
	}
	c := Check{Name: Models, State: OK, Found: fmt.Sprintf("%d: %s", len(local), strings.Join(local, ", ")), Meaning: "roles are bound to them by these names; in brackets their digests. Name some with --model to examine them"}
	if len(local) == 0 {
		c = Check{Name: Models, State: Missing, Found: "none", Meaning: "there is nothing to bind a role to", Fix: "fetch one, for example with: ollama pull qwen2.5:3b"}
	}
	e.add(c)
	if len(cloud) > 0 {
		e.add(Check{Name: "cloud models", State: OK, Found: strings.Join(cloud, ", "), Meaning: "they run on other machines, and may cost money; a profile has to allow them"})
	}
}

// smallest names a model that can reply, to chats if one can, and one made for embeddings, each the smallest.
func (e *examination) smallest(list []api.ListModelResponse) []string {
	slices.SortStableFunc(list, func(a, b api.ListModelResponse) int { return int(a.Size/1e6 - b.Size/1e6) })
	chats, replies, embeds := "", "", ""
	for _, m := range list {
		if m.RemoteHost != "" || chats != "" && embeds != "" {
			continue
		}
		info, err := e.client.Info(e.ctx, m.Name)
		if err != nil {
			continue // a model that cannot be shown is examined when it is named
		}
		switch can := info.Can(); {
		case slices.Contains(can, backend.Sampling):
			if info.Chats() {
				chats = cmp.Or(chats, m.Name)
			}
			replies = cmp.Or(replies, m.Name)
		case slices.Contains(can, backend.Embeddings) && embeds == "":
			embeds = m.Name
		}
	}
	return slices.DeleteFunc([]string{cmp.Or(chats, replies), embeds}, func(name string) bool { return name == "" })
}
