package engine

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ollama/ollama/tokenizer"

	"verge/runner/engine/chat"
)

// Spell writes a prompt as text for a server that takes every control token that text spells for one, and that begins a text with a token
// by itself where the vocabulary says so: it then reads what EncodeParts gives. A text that would be read as a control token is an error,
// and so is a control that the vocabulary lacks.
func (t *Tokenizer) Spell(parts []chat.Part) (string, error) {
	var out, text strings.Builder
	flush := func() error {
		for id, token := range t.tokens {
			if kind := t.types[id]; kind != tokenizer.TOKEN_TYPE_UNUSED && isControl(token, kind) && token != "" && strings.Contains(text.String(), token) {
				return fmt.Errorf("the text %.80q holds %s, which a server would read as a control token", text.String(), token)
			}
		}
		out.WriteString(text.String())
		text.Reset()
		return nil
	}
	for i, p := range parts {
		if p.Control == "" {
			text.WriteString(p.Text)
			continue
		}
		if err := flush(); err != nil {
			return "", err
		}
		id, ok := t.Control(p.Control)
		if !ok {
			return "", t.noControl(p.Control)
		}
		if i > 0 || !t.addBegin || id != t.begin {
			out.WriteString(t.tokens[id])
		}
	}
	if err := flush(); err != nil {
		return "", err
	}
	return out.String(), nil
}

// Readings are a vocabulary's tokens by what they read as: all that is told of a token by who sampled it elsewhere.
type Readings map[string]int32

// Token is the token that reads as a text. It is false where none does, or several do, or where the text is a piece of a character: such
// pieces all read as U+FFFD.
func (r Readings) Token(text string) (int32, bool) {
	id, ok := r[text]
	return id, ok && id != several
}

// several stands in readings for tokens that read alike.
const several = -1

// Readings are the tokens by what they read as, a control token as it is spelled. One that is a single byte gives way to one that is the same
// character.
func (t *Tokenizer) Readings() Readings {
	all, bytes := Readings{}, Readings{}
	for id, piece := range t.pieces {
		if t.types[id] == tokenizer.TOKEN_TYPE_UNUSED || piece == "" || !utf8.ValidString(piece) || strings.ContainsRune(piece, utf8.RuneError) {
			continue
		}
		into := all
		if t.types[id] == tokenizer.TOKEN_TYPE_BYTE {
			into = bytes
		}
		if _, taken := into[piece]; taken {
			into[piece] = several
			continue
		}
		into[piece] = int32(id)
	}
	for piece, id := range bytes {
		if _, taken := all[piece]; !taken {
			all[piece] = id
		}
	}
	return all
}
