package backend

import "context"

// Streamer is a model that takes long over each reply, such as one behind a server: it hands every reply over when it has it, so that what
// is had can be kept while the rest is still to come.
type Streamer interface {
	Model
	// Stream is Sample that calls done for each reply, which goes with requests[request].Seeds[seed], perhaps from several goroutines. It
	// returns when done has been called for all of them and has returned, or with an error, and calls it no more after that.
	Stream(ctx context.Context, requests []Request, done func(request, seed int, r Reply)) error
}

// Generated is the number of tokens that were generated.
func (r Reply) Generated() int { return max(len(r.Tokens), r.Count) }
