package ollama

import (
	"errors"
	"fmt"
)

// Outcome is what became of one call.
type Outcome string

// The outcomes. The first three are replies, the others are errors: neither right nor wrong answers.
const (
	OK        Outcome = "ok"        // the model ended its reply
	Length    Outcome = "length"    // the reply was cut at num_predict or at the end of the context
	Repeating Outcome = "repeating" // the server ended a reply that repeated one token more than thirty times

	Empty           Outcome = "empty"                // no text, and no thinking either
	EmptyThinking   Outcome = "empty after thinking" // thinking used up num_predict
	TruncatedPrompt Outcome = "truncated prompt"     // the prompt does not fit num_ctx: refused, or cut by the server
	SchemaFailure   Outcome = "schema failure"       // no JSON of the schema, after one repair
	NotAsked        Outcome = "not asked"            // the server only loaded the model
	Refused         Outcome = "refused"              // no connection to the server
	QueueFull       Outcome = "queue full"           // status 503, still after all retries
	StreamCut       Outcome = "stream cut"           // the answer ended before it was complete
	TimeLimit       Outcome = "time limit"           // one of Limits passed
	Cancelled       Outcome = "cancelled"            // by the caller
	Missing         Outcome = "missing model"        // the server does not have the model
	ServerError     Outcome = "server error"         // any other error that the server told
)

// Reply says that the outcome is an answer of the model.
func (o Outcome) Reply() bool { return o == OK || o == Length || o == Repeating }

// Failed says that the call was to give an answer and did not. One that was cancelled is neither: it is asked again when the run goes on.
func (o Outcome) Failed() bool { return !o.Reply() && o != Cancelled }

// CallError is a call that gave no answer.
type CallError struct {
	Outcome Outcome
	Status  int    // of HTTP; 0 where there was none
	Text    string // what happened, as far as possible in the server's words
	Fix     string // what to do about it; "" where nothing general can be said
	Err     error  // the cause, if there is one
}

func (e *CallError) Error() string {
	text := fmt.Sprintf("ollama: %s: %s", e.Outcome, e.Text)
	if e.Status != 0 {
		text = fmt.Sprintf("ollama: %s (status %d): %s", e.Outcome, e.Status, e.Text)
	}
	if e.Fix != "" {
		text += "; " + e.Fix
	}
	return text
}

// Unwrap is the cause.
func (e *CallError) Unwrap() error { return e.Err }

// outcomeOf is the outcome that an error stands for.
func outcomeOf(err error) Outcome {
	var call *CallError
	switch {
	case err == nil:
		return OK
	case errors.As(err, &call):
		return call.Outcome
	}
	return ServerError
}
