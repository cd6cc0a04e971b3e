// Package chat renders conversations as the prompts that a model was trained on, by the template that its file carries or by one of
// the templates known by name.
package chat

// Message is one turn of a conversation.
type Message struct {
	Role    string // "system", "user" or "assistant"
	Content string
}

// Part is one piece of a prompt: a control token or a text, never both. Text may come from a user or a model; a tokenizer never looks
// for control tokens in it.
type Part struct {
	Control string // as the vocabulary spells it, such as "<|im_start|>"
	Text    string
}
