package engine

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ollama/ollama/tokenizer"
)

// Tokenizer turns text into tokens and back. Its vocabulary is byte-level: ids 0 to 255 are the bytes, 256 is <|end|>, which ends
// a text, then come control tokens written <|name|>, then unused tokens that round the size up.
type Tokenizer struct {
	controls []string
	ids      map[string]int32 // of control tokens, <|end|> among them, by name
	tokens   []string         // as GGUF's "gpt2" vocabularies write them
	types    []int32          // of tokens, as GGUF numbers them
}

const (
	byteTokens = 256
	endName    = "end"
)

// NewByteTokenizer makes a tokenizer with a control token for each name, in order, and a vocabulary whose size is a multiple of
// pad. It panics if a name is empty, repeated, "end", or not of lower-case letters, digits, '_' and '-', or if pad is not positive.
func NewByteTokenizer(controls []string, pad int) *Tokenizer {
	if pad <= 0 {
		panic(fmt.Sprintf("vocabulary padded to a multiple of %d; it has to be positive", pad))
	}
	used := byteTokens + 1 + len(controls)
	t, err := newByteTokenizer(controls, (used+pad-1)/pad*pad)
	if err != nil {
		panic(err)
	}
	return t
}

func newByteTokenizer(controls []string, size int) (*Tokenizer, error) {
	if used := byteTokens + 1 + len(controls); size < used {
		return nil, fmt.Errorf("a byte-level vocabulary with %d control tokens takes %d tokens, not %d", len(controls), used, size)
	}
	t := &Tokenizer{controls: append([]string(nil), controls...), ids: make(map[string]int32, len(controls)+1)}
	add := func(token string, kind int32) {
		t.tokens = append(t.tokens, token)
		t.types = append(t.types, kind)
	}
	for _, r := range byteRunes {
		add(string(r), tokenizer.TOKEN_TYPE_NORMAL)
	}
	for i, name := range append([]string{endName}, controls...) {
		if _, taken := t.ids[name]; taken {
			return nil, fmt.Errorf("control token %q appears twice", name)
		}
		if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") != "" {
			return nil, fmt.Errorf("control token %q: a name has lower-case letters, digits, '_' and '-' only", name)
		}
		t.ids[name] = int32(byteTokens + i)
		add("<|"+name+"|>", tokenizer.TOKEN_TYPE_CONTROL)
	}
	for i := 0; len(t.tokens) < size; i++ {
		add(fmt.Sprintf("[PAD%d]", i), tokenizer.TOKEN_TYPE_UNUSED)
	}
	return t, nil
}

// byteRunes are the printable characters that stand for bytes in GPT-2's byte-level vocabularies (Radford et al. 2019): printable
// Latin-1 stands for itself, the other bytes for the characters from U+0100 on.
var byteRunes = func() (runes [byteTokens]rune) {
	next := rune(0x100)
	for b := range runes {
		if b > ' ' && b < 0x7f || b > 0xa0 && b != 0xad {
			runes[b] = rune(b)
			continue
		}
		runes[b] = next
		next++
	}
	return runes
}()

// Size is the number of tokens, unused ones included.
func (t *Tokenizer) Size() int { return len(t.tokens) }

// End is the token that ends a text.
func (t *Tokenizer) End() int32 { return byteTokens }

// Ends says whether a token ends a text.
func (t *Tokenizer) Ends(token int32) bool { return token == t.End() }

// Controls lists the names of the control tokens in order of their ids, without the end token.
func (t *Tokenizer) Controls() []string { return append([]string(nil), t.controls...) }

// Control is the token of a control name: "solve" for <|solve|>.
func (t *Tokenizer) Control(name string) (int32, bool) {
	id, ok := t.ids[name]
	return id, ok
}

// Encode turns text into tokens. It yields bytes only: a text that spells a control token does not become one.
func (t *Tokenizer) Encode(text string) []int32 {
	return t.Append(make([]int32, 0, len(text)), text)
}

// Append is Encode onto the end of dst.
func (t *Tokenizer) Append(dst []int32, text string) []int32 {
	for i := range len(text) {
		dst = append(dst, int32(text[i]))
	}
	return dst
}

// Decode turns tokens into text. Byte tokens become their bytes, which need not be valid UTF-8; control and unused tokens are
// spelled out, so that a person sees them; ids outside the vocabulary become U+FFFD.
func (t *Tokenizer) Decode(ids []int32) string {
	text := make([]byte, 0, len(ids))
	for _, id := range ids {
		switch {
		case id >= 0 && id < byteTokens:
			text = append(text, byte(id))
		case id >= 0 && int(id) < len(t.tokens):
			text = append(text, t.tokens[id]...)
		default:
			text = utf8.AppendRune(text, utf8.RuneError)
		}
	}
	return string(text)
}
