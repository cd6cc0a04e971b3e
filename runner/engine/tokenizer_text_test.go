package engine

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ollama/ollama/fs/ggml"
	"github.com/ollama/ollama/tokenizer"

	"verge/runner/engine/chat"
	"verge/runner/engine/enginetest"
)

func vocabularyOf(t *testing.T, v enginetest.Vocabulary) *Tokenizer {
	t.Helper()
	return fixture(t, enginetest.Fixture{Arch: "llama", Type: ggml.TensorTypeF16, Vocabulary: v}, residences["in memory"]).Tokenizer
}

// texts are random ones of characters that splitting treats apart, and some that spell tokens.
func texts() []string {
	out := []string{"", "the solver answers the task", "<|im_end|>", " <|im_start|>user", "</s>", "<s> [INST]", "<unk>", "<0x41>", "a<0x41>", "▁the▁solver", "Ġthe"}
	pool := []rune("the solver 12\t\n\r,.'s!<|>_é数🙂\u00a0\u3000\v")
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteRune(pool[r.IntN(len(pool))])
		}
		out = append(out, b.String())
	}
	return out
}

// TestTextOfFilesVocabulariesRoundTrips also holds that no text becomes a control token.
func TestTextOfFilesVocabulariesRoundTrips(t *testing.T) {
	for _, kind := range []enginetest.Vocabulary{enginetest.Pairs, enginetest.Sentences} {
		tok := vocabularyOf(t, kind)
		controls := map[int32]bool{}
		for _, name := range tok.Controls() {
			id, ok := tok.Control(name)
			if !ok {
				t.Fatalf("%s: %q is listed and not there", kind, name)
			}
			controls[id] = true
		}
		for _, text := range texts() {
			ids := tok.Encode(text)
			if i := slices.IndexFunc(ids, func(id int32) bool { return controls[id] }); i >= 0 {
				t.Errorf("%s: %q became the control token %q", kind, text, tok.tokens[ids[i]])
			}
			want := text
			// SentencePiece writes ▁ for a space and reads it as one.
			if kind == enginetest.Sentences && text != "" {
				want = " " + strings.ReplaceAll(text, "▁", " ")
			}
			if got := tok.Decode(ids); got != want {
				t.Errorf("%s: %q comes back as %q", kind, text, got)
			}
		}
		if n := len(tok.Encode("the solver answers the task")); n > 12 {
			t.Errorf("%s: %d tokens for words that the vocabulary was made for", kind, n)
		}
	}
}

// TestPairsAreMergedByRank compares with merging written down plainly, on words that no pattern splits.
func TestPairsAreMergedByRank(t *testing.T) {
	tok := vocabularyOf(t, enginetest.Pairs)
	merges := fixtureStrings(t, tok, "tokenizer.ggml.merges")
	for _, word := range []string{"solver", "answering", "keepsakes", "thethethe", "zebra", "somewhat"} {
		symbols := strings.Split(word, "")
		for merged := true; merged; {
			merged = false
			for _, m := range merges {
				left, right, _ := strings.Cut(m, " ")
				for i := 0; i+1 < len(symbols); i++ {
					if symbols[i] == left && symbols[i+1] == right {
						symbols = slices.Replace(symbols, i, i+2, left+right)
						merged = true
					}
				}
				if merged {
					break
				}
			}
		}
		var got []string
		for _, id := range tok.Encode(word) {
			got = append(got, tok.tokens[id])
		}
		if !slices.Equal(got, symbols) {
			t.Errorf("%q is split into %q, by the merges' ranks it is %q", word, got, symbols)
		}
	}
}

func fixtureStrings(t *testing.T, tok *Tokenizer, key string) []string {
	t.Helper()
	values, err := (&ggufFile{kv: tok.described}).strings(key)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// TestTextIsSplitAsEachFamilyDoes gives the vocabulary the pieces that a text has to be split into.
func TestTextIsSplitAsEachFamilyDoes(t *testing.T) {
	const text = "He's 1234, ok?!\n\n  x\u3000y"
	for pre, want := range map[string][]string{
		"gpt-2":     {"He", "'s", " 1234", ",", " ok", "?!", "\n\n ", " x", "\u3000", "y"},
		"smollm":    {"He", "'s", " ", "1", "2", "3", "4", ",", " ok", "?!", "\n\n ", " x", "\u3000", "y"},
		"qwen2":     {"He", "'s", " ", "1", "2", "3", "4", ",", " ok", "?!\n\n", " ", " x", "\u3000y"},
		"llama-bpe": {"He", "'s", " ", "123", "4", ",", " ok", "?!\n\n", " ", " x", "\u3000y"},
	} {
		var tokens []string
		var types []int32
		add := func(token string) {
			if !slices.Contains(tokens, token) {
				tokens, types = append(tokens, token), append(types, 1)
			}
		}
		for _, r := range byteRunes {
			add(string(r))
		}
		// Longer pieces are there too, which only a wrong split would find.
		for _, piece := range append(slices.Clone(want), " 1234", "1234", "He's", "?!\n\n", "\n\n  ", "  x", "\u3000y", "123") {
			var b strings.Builder
			for _, c := range []byte(piece) {
				b.WriteRune(byteRunes[c])
			}
			add(b.String())
		}
		f := &ggufFile{kv: ggml.KV{"tokenizer.ggml.pre": pre, "tokenizer.ggml.eos_token_id": uint32(0), "tokenizer.ggml.bos_token_id": uint32(1)}}
		tok, err := f.bytePairs(tokens, types, []string{"a b"})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, id := range tok.Encode(text) {
			got = append(got, tok.pieces[id])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", pre, diff)
		}
	}
}

func TestPartsBecomeControlsAndText(t *testing.T) {
	tok := vocabularyOf(t, enginetest.Pairs)
	id := func(name string) int32 {
		id, ok := tok.Control(name)
		if !ok {
			t.Fatalf("no control %s", name)
		}
		return id
	}
	got, err := tok.EncodeParts([]chat.Part{{Control: "<|im_start|>"}, {Text: "us"}, {Text: "er\n<|im_end|>"}, {Control: "im_end"}, {Text: "\n"}})
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Concat([]int32{id("<|im_start|>")}, tok.Encode("user\n<|im_end|>"), []int32{id("<|im_end|>")}, tok.Encode("\n"))
	if !slices.Equal(got, want) {
		t.Errorf("tokens %v, want %v", got, want)
	}
	if _, err := tok.EncodeParts([]chat.Part{{Control: "[INST]"}}); err == nil || !strings.Contains(err.Error(), "[INST]") || !strings.Contains(err.Error(), "<|im_start|>") {
		t.Errorf("a control that is not there: error %v", err)
	}

	sentences := vocabularyOf(t, enginetest.Sentences)
	begin, _ := sentences.Control("<s>")
	for _, parts := range [][]chat.Part{{{Text: "the task"}}, {{Control: "<s>"}, {Text: "the task"}}} {
		got, err := sentences.EncodeParts(parts)
		if want := append([]int32{begin}, sentences.Encode("the task")...); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: tokens %v, %v; want %v, which begin once", parts, got, err, want)
		}
	}
}

// TestAnEmptyTokenEndsNoSearch has a vocabulary with a user's token that every text holds, as a damaged file may.
func TestAnEmptyTokenEndsNoSearch(t *testing.T) {
	for _, kind := range []enginetest.Vocabulary{enginetest.Pairs, enginetest.Sentences} {
		whole := vocabularyOf(t, kind)
		p := filepath.Join(t.TempDir(), "empty.gguf")
		m := fixture(t, enginetest.Fixture{Arch: "llama", Type: ggml.TensorTypeF32, Vocabulary: kind}, residences["in memory"])
		tokens, types := slices.Clone(m.Tokenizer.tokens), slices.Clone(m.Tokenizer.types)
		last := slices.Index(tokens, "~")
		tokens[last], types[last] = "", tokenizer.TOKEN_TYPE_USER_DEFINED
		m.Tokenizer.described["tokenizer.ggml.tokens"], m.Tokenizer.described["tokenizer.ggml.token_type"] = tokens, types
		if err := m.WriteFile(p, false); err != nil {
			t.Fatal(err)
		}
		again, err := OpenModel(p)
		if err != nil {
			t.Fatal(err)
		}
		const text = "the task"
		if got, want := again.Tokenizer.Encode(text), whole.Encode(text); !slices.Equal(got, want) {
			t.Errorf("%s: tokens %v, want %v", kind, got, want)
		}
	}
}

func TestTextsEndWhereTurnsDo(t *testing.T) {
	tok := vocabularyOf(t, enginetest.Pairs)
	for name, want := range map[string]bool{"<|im_end|>": true, "<|endoftext|>": true, "<|im_start|>": false} {
		id, _ := tok.Control(name)
		if tok.Ends(id) != want {
			t.Errorf("%s ends a text: %v, want %v", name, tok.Ends(id), want)
		}
	}
	if end, _ := tok.Control("im_end"); tok.End() != end || tok.Ends('a') {
		t.Errorf("the end token is %d, want %d, and no byte", tok.End(), end)
	}
}

// TestVocabulariesAreWrittenBack writes a model with a vocabulary from a file and reads it again.
func TestVocabulariesAreWrittenBack(t *testing.T) {
	for _, kind := range []enginetest.Vocabulary{enginetest.Pairs, enginetest.Sentences} {
		m := fixture(t, enginetest.Fixture{Arch: "qwen2", Type: ggml.TensorTypeF16, Vocabulary: kind, RopeFactors: true}, residences["in memory"])
		path := t.TempDir() + "/again.gguf"
		if err := m.WriteFile(path, true); err != nil {
			t.Fatal(err)
		}
		again, err := OpenModel(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(m.Config, again.Config); diff != "" || !slices.Equal(m.RopeFactors, again.RopeFactors) {
			t.Errorf("%s: the shape differs: %s", kind, diff)
		}
		for _, text := range texts() {
			if !slices.Equal(again.Tokenizer.Encode(text), m.Tokenizer.Encode(text)) {
				t.Errorf("%s: %q is split otherwise after writing", kind, text)
			}
		}
	}
}

func TestChatTemplateOfTheFile(t *testing.T) {
	m := fixture(t, enginetest.Fixture{Arch: "qwen2", Type: ggml.TensorTypeF16, Vocabulary: enginetest.Pairs}, residences["in memory"])
	template, err := m.Chat("")
	if err != nil {
		t.Fatal(err)
	}
	messages := []chat.Message{{Role: "user", Content: "What is the sum?<|im_end|>"}}
	parts, err := template.Render(messages, true)
	if err != nil {
		t.Fatal(err)
	}
	want := []chat.Part{{Control: "<|im_start|>"}, {Text: "user\nWhat is the sum?<|im_end|>"}, {Control: "<|im_end|>"}, {Text: "\n"}, {Control: "<|im_start|>"}, {Text: "assistant\n"}}
	if !slices.Equal(parts, want) {
		t.Errorf("parts %q, want %q", parts, want)
	}
	named, err := m.Chat("chatml")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := named.Render(messages, true); err != nil || !slices.Equal(got, want) {
		t.Errorf("by name: parts %q, %v", got, err)
	}
	micro, err := Micro()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := micro.Chat(""); err == nil || !strings.Contains(err.Error(), "micro.gguf") || !strings.Contains(err.Error(), `template = "chatml"`) {
		t.Errorf("a model without a template: error %v", err)
	}
}
