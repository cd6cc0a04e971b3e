package engine

import (
	"fmt"
	"testing"
	"unicode/utf8"

	"github.com/ollama/ollama/tokenizer"

	"verge/runner/engine/enginetest"
)

// vocabularies are one of each kind, with a control token that prompts of it have.
func vocabularies(t *testing.T) map[string]*Tokenizer {
	return map[string]*Tokenizer{
		"solve":      NewByteTokenizer([]string{"propose", "solve"}, 32),
		"im_start":   vocabularyOf(t, enginetest.Pairs),
		"<s>":        vocabularyOf(t, enginetest.Sentences),
		"<|im_end|>": vocabularyOf(t, enginetest.Pairs),
		"</s>":       vocabularyOf(t, enginetest.Sentences),
	}
}

func TestATokenIsKnownByWhatItReadsAs(t *testing.T) {
	for name, tok := range vocabularies(t) {
		readings := tok.Readings()
		alike := map[string]int{}
		for id, piece := range tok.pieces {
			if tok.types[id] != tokenizer.TOKEN_TYPE_BYTE {
				alike[piece]++
			}
		}
		for id, piece := range tok.pieces {
			kind := tok.types[id]
			want := alike[piece] == 1 && utf8.ValidString(piece) && (kind == tokenizer.TOKEN_TYPE_NORMAL || kind == tokenizer.TOKEN_TYPE_CONTROL)
			if got, ok := readings.Token(piece); want && (!ok || got != int32(id)) {
				t.Errorf("%s: %q is token %d, %v; want %d", name, piece, got, ok, id)
			}
		}
		for _, text := range []string{"", "\ufffd", "\xc3", "é\xc3", "no token of this vocabulary"} {
			if id, ok := readings.Token(text); ok {
				t.Errorf("%s: %q is token %d", name, text, id)
			}
		}
	}
}

func TestAByteGivesWayToItsCharacter(t *testing.T) {
	tok := vocabularyOf(t, enginetest.Sentences)
	readings := tok.Readings()
	for text, want := range map[string]string{"A": "A", " ": "▁", "\n": "<0x0A>", "\x00": "<0x00>"} {
		if got, ok := readings.Token(text); !ok || tok.tokens[got] != want {
			t.Errorf("%q is token %d, %v; want %s", text, got, ok, want)
		}
	}
	if id, ok := readings.Token("é"); ok { // two bytes, and no token of its own
		t.Errorf("é is token %q", tok.tokens[id])
	}
}

func TestTokensThatReadAlikeAreNotTold(t *testing.T) {
	for n := 1; n <= 3; n++ {
		tokens, types := []string{"ab"}, []int32{tokenizer.TOKEN_TYPE_NORMAL}
		for _, like := range []string{"Ġ", " ", "\u00a0"}[:n] { // as GPT-2 writes a space, as it is, and another space
			tokens, types = append(tokens, like), append(types, tokenizer.TOKEN_TYPE_NORMAL)
		}
		tokens, types = append(tokens, "Ġ", "[PAD0]"), append(types, tokenizer.TOKEN_TYPE_NORMAL, tokenizer.TOKEN_TYPE_UNUSED)
		readings := newTokenizer(tokens, types, false).Readings()
		if id, ok := readings.Token(" "); ok {
			t.Errorf("%d tokens read as a space, and it is token %d", n, id)
		}
		if id, ok := readings.Token("ab"); !ok || id != 0 {
			t.Errorf("ab is token %d, %v", id, ok)
		}
		if id, ok := readings.Token("[PAD0]"); ok {
			t.Errorf("%s is token %d", fmt.Sprintf("an unused token of %d", len(tokens)), id)
		}
	}
}
