package engine

import (
	"fmt"
	"strings"

	"github.com/ollama/ollama/tokenizer"
)

const (
	byteTokens = 256
	endName    = "end"
)

// NewByteTokenizer makes a byte-level tokenizer. Ids 0 to 255 are the bytes, 256 is <|end|>, which ends a text, then comes a control
// token <|name|> for each name, in order, then unused tokens up to a multiple of pad. It panics if a name is empty, repeated, "end", or
// not of lower-case letters, digits, '_' and '-', or if pad is not positive.
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
	t := &Tokenizer{controls: append([]string(nil), controls...), ids: make(map[string]int32, len(controls)+1), end: byteTokens,
		ends: []int32{byteTokens}}
	add := func(token, piece string, kind int32) {
		t.tokens = append(t.tokens, token)
		t.pieces = append(t.pieces, piece)
		t.types = append(t.types, kind)
	}
	for b, r := range byteRunes {
		add(string(r), string([]byte{byte(b)}), tokenizer.TOKEN_TYPE_NORMAL)
	}
	for i, name := range append([]string{endName}, controls...) {
		if _, taken := t.ids[name]; taken {
			return nil, fmt.Errorf("control token %q appears twice", name)
		}
		if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") != "" {
			return nil, fmt.Errorf("control token %q: a name has lower-case letters, digits, '_' and '-' only", name)
		}
		t.ids[name] = int32(byteTokens + i)
		add("<|"+name+"|>", "<|"+name+"|>", tokenizer.TOKEN_TYPE_CONTROL)
	}
	for i := 0; len(t.tokens) < size; i++ {
		pad := fmt.Sprintf("[PAD%d]", i)
		add(pad, pad, tokenizer.TOKEN_TYPE_UNUSED)
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

// runeBytes is the inverse of byteRunes.
var runeBytes = func() map[rune]byte {
	bytes := make(map[rune]byte, byteTokens)
	for b, r := range byteRunes {
		bytes[r] = byte(b)
	}
	return bytes
}()
