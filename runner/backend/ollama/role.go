package ollama

import (
	"context"

	"verge/runner/backend"
)

// Role is a model in one of the roles that it plays in a run, so that what becomes of its calls is told by role.
type Role struct {
	*Model
	name string
}

var _ backend.Streamer = Role{}

// As is the model in a role.
func (m *Model) As(role string) Role { return Role{m, role} }

// Sample implements backend.Model, as that of Model does.
func (r Role) Sample(ctx context.Context, requests []backend.Request, progress func(replies, tokens int)) ([][]backend.Reply, error) {
	return r.sample(ctx, asker{role: r.name}, requests, progress)
}

// Stream implements backend.Streamer, as that of Model does.
func (r Role) Stream(ctx context.Context, requests []backend.Request, done func(request, seed int, reply backend.Reply)) error {
	return r.stream(ctx, asker{role: r.name}, requests, done)
}
