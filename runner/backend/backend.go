// Package backend says what a role's binding can be asked. Its sub-packages bind roles to the engine, to Ollama, to OpenAI-compatible servers.
package backend

import (
	"context"

	"verge/domains/prompt"
)

// Capability is something a recipe may need of a binding.
type Capability string

// The capabilities of design: a recipe names those it needs, and a profile that binds a backend without them is refused before anything runs.
const (
	Sampling    Capability = "sample"
	Logprobs    Capability = "token log-probabilities"
	Activations Capability = "activations"
	Training    Capability = "train"
	Embeddings  Capability = "embeddings"
)

// Params are the sampling parameters of one request.
type Params struct {
	Temperature float64
	TopK        int     // 0: all
	TopP        float64 // 1: all
	MaxTokens   int
}

// Request asks for len(Seeds) replies to one prompt. A reply depends on the prompt, the parameters and its own seed, on nothing else in the batch.
type Request struct {
	Prompt prompt.Prompt
	Params Params
	Seeds  []uint64
}

// Stop is why a reply ended.
type Stop string

// A reply ends at the model's end token, or at MaxTokens or the model's context.
const (
	StopEnd    Stop = "end"
	StopLength Stop = "length"
)

// Reply is one sampled reply.
type Reply struct {
	// Text is the reply as valid UTF-8; what the model wrote that is not is replaced.
	Text string
	// Tokens are the sampled tokens, the end token included when there is one.
	Tokens []int32
	// Logprobs are the log-probabilities of Tokens at temperature 1, untruncated, in nats. A server does not tell that of the end token.
	Logprobs []float32
	// Count is the number of generated tokens where Tokens does not name them: a server tells texts, not tokens.
	Count int
	Stop  Stop
	Err   error // the reply could not be had; Text is empty
}

// Turn is one sampled turn of an episode, as a policy learns from it.
type Turn struct {
	Prompt prompt.Prompt
	Reply  Reply
}

// Model is a bound model.
type Model interface {
	// Identity names the model and its weights, as it stands in a run's provenance.
	Identity() Identity
	// Sample answers every request, in order: replies[i][j] goes with requests[i].Seeds[j].
	// progress, which may be nil, is called with the number of replies and tokens finished since its last call, perhaps from several goroutines.
	Sample(ctx context.Context, requests []Request, progress func(replies, tokens int)) ([][]Reply, error)
}

// Scorer is a model whose next-token distribution is known exactly wherever it is asked for. Figures are at temperature 1, untruncated,
// in nats, one for each sampled token of each turn; a turn without sampled tokens has none.
type Scorer interface {
	Model
	// Logprobs is the log-probability of each token, whoever sampled it.
	Logprobs(ctx context.Context, turns []Turn) ([][]float32, error)
	// Entropies is the entropy of the distribution that each token stands in.
	Entropies(ctx context.Context, turns []Turn) ([][]float64, error)
}

// Identity is what a run records of a model.
type Identity struct {
	Backend string `json:"backend"`
	Name    string `json:"name"`
	Digest  string `json:"digest"` // sha256 of the weights file
}
