package engine

import (
	"fmt"
	"strings"

	"verge/runner/engine/chat"
)

// Chat is the template that the model's conversations are rendered by: the one its file carries, or with a name one of chat.Names,
// for a file that has none or one that cannot be read. An error says how to name one.
func (m *Model) Chat(name string) (*chat.Template, error) {
	v := m.Tokenizer.vocabulary()
	if name != "" {
		return chat.Named(name, v)
	}
	fix := fmt.Sprintf("name one in the profile, as in roles.solver.template = \"chatml\"; known: %s", strings.Join(chat.Names(), ", "))
	source, ok := m.Tokenizer.described["tokenizer.chat_template"].(string)
	if !ok {
		return nil, fmt.Errorf("%s has no chat template; %s", m.file, fix)
	}
	t, err := chat.Parse(source, v)
	if err != nil {
		return nil, fmt.Errorf("the chat template of %s cannot be read: %w; %s", m.file, err, fix)
	}
	return t, nil
}

// vocabulary is what a chat template has to know of the tokenizer.
func (t *Tokenizer) vocabulary() chat.Vocabulary {
	v := chat.Vocabulary{Controls: t.controls, End: t.tokens[t.end]}
	if t.described != nil && t.begin >= 0 {
		v.Begin = t.tokens[t.begin]
	}
	return v
}
