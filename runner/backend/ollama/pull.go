package ollama

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ollama/ollama/api"
)

// Pull downloads a model to the server. progress, which may be nil, is called with each line that the server tells of it; Total and
// Completed are bytes of the one file that Digest names. Limits.Load bounds the silence between two lines: a large file is checked in one.
func (c *Client) Pull(ctx context.Context, name string, progress func(api.ProgressResponse)) error {
	last := ""
	limits := c.limits
	limits.Idle, limits.Total = limits.Load, neverEnds
	err := c.streamWithin(ctx, limits, "/api/pull", api.PullRequest{Model: name}, func(line []byte) error {
		var p struct {
			api.ProgressResponse
			Error json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(line, &p); err != nil {
			return &CallError{Outcome: ServerError, Text: fmt.Sprintf("%.200q", line), Err: err}
		}
		if len(p.Error) > 0 {
			return &CallError{Outcome: ServerError, Text: errorValue(p.Error), Fix: "check the model's name at https://ollama.com/library and the network"}
		}
		last = p.Status
		if progress != nil {
			progress(p.ProgressResponse)
		}
		return nil
	})
	switch {
	case outcomeOf(err) == Refused:
		return &UnreachableError{Host: c.url.String(), Err: err}
	case err != nil:
		return fmt.Errorf("pulling model %s: %w", name, err)
	case last != "success":
		return fmt.Errorf("pulling model %s: %w", name, &CallError{Outcome: StreamCut, Text: fmt.Sprintf("the download ended at %q", last), Fix: "run it again; it goes on where it stopped"})
	}
	return nil
}
