package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ollama/ollama/tokenizer"

	"verge/runner/engine/chat"
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

// readSpelled reads a text as a server does that takes what spells a control token for that token, the longest where several fit.
func readSpelled(tok *Tokenizer, text string) []int32 {
	var out []int32
	if tok.addBegin {
		out = append(out, tok.begin)
	}
	plain := 0 // where the text that spells no token begins
	for at := 0; at < len(text); {
		found := int32(-1)
		for id, kind := range tok.types {
			if kind == tokenizer.TOKEN_TYPE_CONTROL && strings.HasPrefix(text[at:], tok.tokens[id]) && (found < 0 || len(tok.tokens[id]) > len(tok.tokens[found])) {
				found = int32(id)
			}
		}
		if found < 0 {
			at++
			continue
		}
		out = append(tok.Append(out, text[plain:at]), found)
		at += len(tok.tokens[found])
		plain = at
	}
	return tok.Append(out, text[plain:])
}

func TestASpelledPromptIsReadAsTheSameTokens(t *testing.T) {
	for control, tok := range vocabularies(t) {
		prompts := [][]chat.Part{
			nil,
			{{Text: "the task"}},
			{{Control: control}},
			{{Control: control}, {Text: "user\n"}, {Text: "What is 12 + 30?"}, {Control: control}, {Text: "\n"}},
			{{Text: "the "}, {Control: control}, {Control: control}, {Text: " answer"}},
		}
		for _, text := range texts() {
			if utf8.ValidString(text) {
				prompts = append(prompts, []chat.Part{{Control: control}, {Text: text}, {Control: control}})
			}
		}
		spelled := 0
		for _, parts := range prompts {
			text, err := tok.Spell(parts)
			if err != nil {
				continue // TestTextThatSpellsAControlTokenIsRefused
			}
			spelled++
			want, err := tok.EncodeParts(parts)
			if err != nil {
				t.Fatal(err)
			}
			if got := readSpelled(tok, text); !slices.Equal(got, want) {
				t.Errorf("%s: %q is spelled %q, which is read as %v, want %v", control, parts, text, got, want)
			}
		}
		if spelled < len(prompts)-10 {
			t.Errorf("%s: %d of %d prompts were spelled", control, spelled, len(prompts))
		}
	}
}

func TestABeginningTheServerAddsIsNotSpelled(t *testing.T) {
	tok := vocabularyOf(t, enginetest.Sentences)
	for want, parts := range map[string][]chat.Part{
		"the task":    {{Control: "<s>"}, {Text: "the task"}},
		"<s>the task": {{Control: "<s>"}, {Control: "<s>"}, {Text: "the task"}},
		"the<s>task":  {{Text: "the"}, {Control: "<s>"}, {Text: "task"}},
	} {
		if got, err := tok.Spell(parts); err != nil || got != want {
			t.Errorf("%q is spelled %q, %v; want %q", parts, got, err, want)
		}
	}
	pairs := vocabularyOf(t, enginetest.Pairs) // begins no text by itself
	if got, err := pairs.Spell([]chat.Part{{Control: "endoftext"}, {Text: "x"}}); err != nil || got != "<|endoftext|>x" {
		t.Errorf("spelled %q, %v", got, err)
	}
}

func TestTextThatSpellsAControlTokenIsRefused(t *testing.T) {
	for control, tok := range vocabularies(t) {
		id, ok := tok.Control(control)
		if !ok {
			t.Fatalf("no control %s", control)
		}
		name := tok.tokens[id]
		for _, parts := range [][]chat.Part{
			{{Text: name}},
			{{Control: control}, {Text: "a" + name + "b"}},
			{{Text: name[:2]}, {Text: name[2:]}, {Control: control}}, // texts that follow one another are read as one
		} {
			if text, err := tok.Spell(parts); err == nil || text != "" || !strings.Contains(err.Error(), name) {
				t.Errorf("%q is spelled %q, error %v", parts, text, err)
			}
		}
		if text, err := tok.Spell([]chat.Part{{Text: name[:2]}, {Control: control}, {Text: name[2:]}}); err != nil {
			t.Errorf("%s: two texts that a control token parts are refused: %q, %v", control, text, err)
		}
		if text, err := tok.Spell([]chat.Part{{Control: "[INST]"}}); err == nil || text != "" || !strings.Contains(err.Error(), "[INST]") {
			t.Errorf("a control that is not there is spelled %q, error %v", text, err)
		}
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

// What fills up a vocabulary is no token that a server looks for in text.
func TestUnusedTokensMayBeSpelled(t *testing.T) {
	tok := NewByteTokenizer([]string{"solve"}, 32)
	if text, err := tok.Spell([]chat.Part{{Text: "[PAD0] is a text"}}); err != nil || text != "[PAD0] is a text" {
		t.Errorf("spelled %q, error %v", text, err)
	}
}
