package ollama

import "sync"

// Parameters of the estimate of a prompt's tokens.
const (
	priorRate  = 0.25 // tokens in a byte, before any answer has told: English text
	learnFrom  = 256  // bytes: in shorter prompts the template weighs as much as the text
	farBelow   = 0.5  // of the estimate: a server that cuts a prompt cuts it to about half its context
	worthATest = 128  // estimated tokens: shorter prompts are not judged
	nearlyFull = 0.95 // of the context: a server that drops the oldest messages stops when the rest fits
)

// estimate learns how many tokens a byte of prompt makes from what the server reports.
type estimate struct {
	mu            sync.Mutex
	tokens, bytes int
}

// of estimates the tokens of a prompt.
func (e *estimate) of(bytes int) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.bytes == 0 {
		return int(priorRate * float64(bytes))
	}
	return bytes * e.tokens / e.bytes
}

// reading is what the number of tokens that the server read tells of a prompt.
type reading int

const (
	whole   reading = iota
	suspect         // far fewer tokens than estimated, or as many as an over-long prompt is left with
	cut             // the prompt does not fit, or fills the context
)

// judge compares the number of tokens that the server read with the estimate and the context, and learns from it if the prompt was surely read
// whole. A count far below the estimate alone is no proof of a cut: a server may leave out what it had in its cache. Nor is one that fits,
// of a prompt that should not: the estimate may be off.
func (e *estimate) judge(bytes, read, context int) reading {
	guess := e.of(bytes)
	few := guess >= worthATest && float64(read) < farBelow*float64(guess)
	switch {
	case read >= context || few && guess > context:
		return cut
	case few || guess > context || float64(read) >= nearlyFull*float64(context):
		return suspect
	}
	if bytes >= learnFrom {
		e.mu.Lock()
		e.tokens += read
		e.bytes += bytes
		e.mu.Unlock()
	}
	return whole
}
