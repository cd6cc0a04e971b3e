// Package prompt holds what a model is asked, in a form that neither names a domain nor a backend.
//
// It is a leaf: domains write prompts, backends read them, and neither has to know the other.
package prompt

import "strings"

// Part is one piece of a prompt: a control word or a text, never both.
type Part struct {
	// Control names a control token, such as "solve"; a compact model has one token for it, written <|solve|> in its vocabulary.
	Control string `json:"control,omitempty"`
	// Text is plain text. It may come from a model, so a backend never looks for control tokens in it.
	Text string `json:"text,omitempty"`
}

// Prompt is a sequence of parts in the compact dialect.
type Prompt []Part

// Control makes a part that is the control token of that name.
func Control(name string) Part { return Part{Control: name} }

// Text makes a part of plain text.
func Text(s string) Part { return Part{Text: s} }

// String shows the prompt as a person would read it, control tokens as <|name|>.
func (p Prompt) String() string {
	var b strings.Builder
	for _, part := range p {
		if part.Control != "" {
			b.WriteString("<|" + part.Control + "|>")
		}
		b.WriteString(part.Text)
	}
	return b.String()
}
