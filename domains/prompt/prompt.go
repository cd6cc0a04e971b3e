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
	// Role is whose words a text is, for a model that reads a chat; "" is the user's. Control tokens have none.
	Role Role `json:"role,omitempty"`
}

// Role is who speaks in a chat.
type Role string

// The roles. A prompt that ends with the assistant's words asks for their continuation, where the backend can.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
)

// Prompt is a sequence of parts: control tokens and texts in the compact dialect, texts with roles for a model that reads a chat.
type Prompt []Part

// Control makes a part that is the control token of that name.
func Control(name string) Part { return Part{Control: name} }

// Text makes a part of plain text.
func Text(s string) Part { return Part{Text: s} }

// Say makes a part of plain text that is somebody's words.
func Say(r Role, s string) Part { return Part{Text: s, Role: r} }

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
