package ollama

import "time"

// NoticeKind is what a notice tells.
type NoticeKind string

// The notices, each with the fields it sets besides Kind, Model and Text.
const (
	Loaded        NoticeKind = "loaded"         // the server loaded the model: Took
	Reloaded      NoticeKind = "reloaded"       // again, in the same session: Took
	Renewed       NoticeKind = "renewed"        // it loaded what was made anew under the model's name: Took
	Placed        NoticeKind = "placed"         // where a loaded model is: Placement, Share
	ShortContext  NoticeKind = "short context"  // the server gave the model less context than it was asked for: Placement
	HeavyLoading  NoticeKind = "heavy loading"  // loading the server's models took more than a fifth of the wall time: Share; no Model
	SharedWeights NoticeKind = "shared weights" // two models on one file evict each other
	SuspectPrompt NoticeKind = "suspect prompt" // the prompt may have been cut, by the number of tokens that the server read
	FullContext   NoticeKind = "full context"   // a reply ended at the end of the context, before MaxTokens
	Paused        NoticeKind = "paused"         // the server went away; calls wait for it
	Resumed       NoticeKind = "resumed"        // it is back: Took
	Outcomes      NoticeKind = "outcomes"       // what became of the calls of one batch: Counts, Share of those that failed
)

// Notice is something that happened beside the replies.
type Notice struct {
	Kind      NoticeKind
	Model     string // "" where the server itself is meant
	Role      string // that the model plays, where that is known
	Text      string // a sentence for a person
	Took      time.Duration
	Placement Placement
	Share     float64
	Counts    map[Outcome]int
}

// notify hands a notice to the observer, one at a time.
func (c *Client) notify(n Notice) {
	if c.observe == nil {
		return
	}
	c.observing.Lock()
	defer c.observing.Unlock()
	c.observe(n)
}
