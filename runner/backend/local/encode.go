package local

import (
	"fmt"
	"slices"

	"verge/domains/prompt"
	"verge/runner/engine"
	"verge/runner/engine/chat"
)

// Encode turns a prompt into tokens as the model reads it: a model that reads chats reads a prompt without control tokens by its template,
// to where a reply begins; every other prompt is read as it stands. A control token that the vocabulary lacks is an error, and so is a chat that
// ends with the assistant's words: no template says how they are gone on with.
func (m *Model) Encode(p prompt.Prompt) ([]int32, error) {
	if !m.readsAsChat(p) {
		return Encode(m.Base().Tokenizer, p)
	}
	parts, err := m.render(p)
	if err != nil {
		return nil, err
	}
	return m.Base().Tokenizer.EncodeParts(parts)
}

// Spell writes a prompt as text that a server reads as Encode does.
func (m *Model) Spell(p prompt.Prompt) (string, error) {
	var parts []chat.Part
	if m.readsAsChat(p) {
		var err error
		if parts, err = m.render(p); err != nil {
			return "", err
		}
	} else {
		for _, part := range p {
			parts = append(parts, chat.Part{Control: part.Control, Text: part.Text})
		}
	}
	return m.Base().Tokenizer.Spell(parts)
}

func (m *Model) readsAsChat(p prompt.Prompt) bool {
	return m.chat != nil && !slices.ContainsFunc(p, func(part prompt.Part) bool { return part.Control != "" })
}

func (m *Model) render(p prompt.Prompt) ([]chat.Part, error) {
	if n := len(p); n > 0 && p[n-1].Role == prompt.Assistant {
		return nil, fmt.Errorf("model %s: a prompt ends with the assistant's words, and this backend cannot go on with them", m.name)
	}
	parts, err := m.chat.Render(messages(p), true)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", m.name, err)
	}
	return parts, nil
}

// messages makes a message of each run of parts of one role.
func messages(p prompt.Prompt) []chat.Message {
	var out []chat.Message
	for _, part := range p {
		role := string(part.Role)
		if role == "" {
			role = string(prompt.User)
		}
		if n := len(out); n > 0 && out[n-1].Role == role {
			out[n-1].Content += part.Text
			continue
		}
		out = append(out, chat.Message{Role: role, Content: part.Text})
	}
	return out
}

// Encode turns a prompt of control tokens and texts into tokens. A control token that the vocabulary lacks is an error.
func Encode(tok *engine.Tokenizer, p prompt.Prompt) ([]int32, error) {
	var out []int32
	for _, part := range p {
		if part.Control == "" {
			out = tok.Append(out, part.Text)
			continue
		}
		id, ok := tok.Control(part.Control)
		if !ok {
			return nil, fmt.Errorf("the model's vocabulary has no token <|%s|>; it was trained for other domains or roles", part.Control)
		}
		out = append(out, id)
	}
	return out, nil
}
