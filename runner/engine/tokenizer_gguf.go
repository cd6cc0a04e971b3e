package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ollama/ollama/fs/ggml"
	"github.com/ollama/ollama/tokenizer"
)

// describe adds the vocabulary to a model file's metadata. A byte-level vocabulary's end token also stands for the start of a text
// and for padding, which llama.cpp otherwise assumes to be some byte. Without merges every byte stays a token under any
// pre-tokenizer; llama.cpp insists on the key all the same, and "default" is a pre-tokenizer that it and Ollama's own engine both know.
func (t *Tokenizer) describe(kv ggml.KV) {
	if t.described != nil {
		maps.Copy(kv, t.described)
		return
	}
	end := uint32(t.End())
	kv["tokenizer.ggml.model"] = "gpt2"
	kv["tokenizer.ggml.pre"] = "default"
	kv["tokenizer.ggml.tokens"] = t.tokens
	kv["tokenizer.ggml.token_type"] = t.types
	kv["tokenizer.ggml.merges"] = []string{}
	kv["tokenizer.ggml.bos_token_id"] = end
	kv["tokenizer.ggml.eos_token_id"] = end
	kv["tokenizer.ggml.padding_token_id"] = end
	kv["tokenizer.ggml.add_bos_token"] = false
	kv["tokenizer.ggml.add_eos_token"] = false
}

// tokenizer makes the tokenizer of the file's own vocabulary. One of byte pairs without merges is byte-level.
func (f *ggufFile) tokenizer() (*Tokenizer, error) {
	kind, err := value[string](f, "tokenizer.ggml.model")
	if err != nil {
		return nil, err
	}
	if kind != "gpt2" && kind != "llama" {
		return nil, fmt.Errorf(`tokenizer.ggml.model is %q; the engine reads "gpt2" (byte pairs) and "llama" (SentencePiece)`, kind)
	}
	tokens, err := f.strings("tokenizer.ggml.tokens")
	if err != nil {
		return nil, err
	}
	types, err := f.ints("tokenizer.ggml.token_type")
	if err != nil {
		return nil, err
	}
	if len(types) != len(tokens) {
		return nil, fmt.Errorf("tokenizer.ggml.token_type has %d entries for %d tokens", len(types), len(tokens))
	}
	if kind == "llama" {
		return f.sentencePiece(tokens, types)
	}
	var merges []string
	if _, present := f.kv["tokenizer.ggml.merges"]; present {
		if merges, err = f.strings("tokenizer.ggml.merges"); err != nil {
			return nil, err
		}
	}
	if len(merges) == 0 {
		return f.byteLevel(tokens, types)
	}
	return f.bytePairs(tokens, types, merges)
}

// onlyByteLevel closes the message of every byte-level vocabulary that is refused.
const onlyByteLevel = `a "gpt2" vocabulary without merges has to be byte-level, as verge pretrain writes it`

func (f *ggufFile) byteLevel(tokens []string, types []int32) (*Tokenizer, error) {
	var controls []string
	for i := byteTokens + 1; i < len(tokens) && types[i] == tokenizer.TOKEN_TYPE_CONTROL; i++ {
		controls = append(controls, strings.TrimSuffix(strings.TrimPrefix(tokens[i], "<|"), "|>"))
	}
	t, err := newByteTokenizer(controls, len(tokens))
	if err != nil {
		return nil, fmt.Errorf("tokenizer.ggml.tokens: %w; %s", err, onlyByteLevel)
	}
	for i := range tokens {
		if tokens[i] != t.tokens[i] || types[i] != t.types[i] {
			return nil, fmt.Errorf("token %d is %q of type %d, expected %q of type %d; %s", i, tokens[i], types[i], t.tokens[i], t.types[i], onlyByteLevel)
		}
	}
	return t, f.checkEnds(t)
}

// checkEnds refuses a vocabulary that a server would wrap in tokens which the engine does not add.
func (f *ggufFile) checkEnds(t *Tokenizer) error {
	eos, err := value[uint32](f, "tokenizer.ggml.eos_token_id")
	if err != nil {
		return err
	}
	if eos != uint32(t.End()) {
		return fmt.Errorf("tokenizer.ggml.eos_token_id is %d, expected %d, the token <|%s|>", eos, t.End(), endName)
	}
	for _, key := range []string{"tokenizer.ggml.add_bos_token", "tokenizer.ggml.add_eos_token"} {
		add, err := value[bool](f, key)
		if err != nil {
			return err
		}
		if add {
			return fmt.Errorf("%s is true; the engine adds no token to a prompt, so it has to be false", key)
		}
	}
	return nil
}

func (f *ggufFile) bytePairs(tokens []string, types []int32, merges []string) (*Tokenizer, error) {
	pre, err := optional(f, "tokenizer.ggml.pre", "default")
	if err != nil {
		return nil, err
	}
	patterns, ok := splits[pre]
	if !ok {
		return nil, fmt.Errorf("tokenizer.ggml.pre is %q; the engine knows: %s", pre, strings.Join(slices.Sorted(maps.Keys(splits)), ", "))
	}
	t := newTokenizer(tokens, types, false)
	v := t.textVocabulary()
	v.Merges = merges
	bpe := tokenizer.NewBytePairEncoding(v, patterns...)
	t.text = &bpe
	// llama.cpp begins the texts of Llama 3's vocabulary with a token even where the file does not say so.
	return t, f.ends(t, strings.HasPrefix(pre, "llama"))
}

func (f *ggufFile) sentencePiece(tokens []string, types []int32) (*Tokenizer, error) {
	scores := f.kv.Floats("tokenizer.ggml.scores")
	if len(scores) != len(tokens) {
		return nil, fmt.Errorf("tokenizer.ggml.scores has %d entries for %d tokens", len(scores), len(tokens))
	}
	if len(tokens) < 5 {
		return nil, fmt.Errorf("tokenizer.ggml.tokens has %d tokens; a SentencePiece vocabulary has more", len(tokens))
	}
	t := newTokenizer(tokens, types, true)
	v := t.textVocabulary()
	v.Scores = scores
	t.text = tokenizer.NewSentencePiece(v)
	var err error
	if t.spacePrefix, err = optional(f, "tokenizer.ggml.add_space_prefix", true); err != nil {
		return nil, err
	}
	return t, f.ends(t, true)
}

// newTokenizer makes what both kinds of vocabulary of files have in common.
func newTokenizer(tokens []string, types []int32, sentences bool) *Tokenizer {
	t := &Tokenizer{tokens: tokens, types: types, ids: map[string]int32{}, sentences: sentences}
	for i, token := range tokens {
		t.pieces = append(t.pieces, t.piece(token, types[i]))
		if isControl(token, types[i]) && types[i] != tokenizer.TOKEN_TYPE_UNUSED {
			t.controls = append(t.controls, token)
			t.ids[token] = int32(i)
			if name, ok := strings.CutPrefix(token, "<|"); ok {
				t.ids[strings.TrimSuffix(name, "|>")] = int32(i)
			}
		}
	}
	return t
}

// textVocabulary is the vocabulary that splits text: the tokens that text may not become are spelled as no text is, and are no special
// tokens to look for. Nor is one that is empty, which the library would find everywhere.
func (t *Tokenizer) textVocabulary() *tokenizer.Vocabulary {
	v := &tokenizer.Vocabulary{Values: slices.Clone(t.tokens), Types: slices.Clone(t.types)}
	for i, token := range t.tokens {
		if token == "" || isControl(token, t.types[i]) {
			v.Values[i], v.Types[i] = hidden(token), tokenizer.TOKEN_TYPE_UNUSED
		}
	}
	return v
}

// turnEnds are control tokens that end a turn or a text in the families that the engine runs, wherever a file does not name them.
var turnEnds = []string{"<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "</s>"}

// ends reads which tokens begin and end a text. beginning is whether a text begins with a token where the file does not say.
func (f *ggufFile) ends(t *Tokenizer, beginning bool) error {
	id := func(key string) (int32, bool, error) {
		key = "tokenizer.ggml." + key
		if _, present := f.kv[key]; !present {
			return 0, false, nil
		}
		v, err := value[uint32](f, key)
		if err == nil && int(v) >= len(t.tokens) {
			err = fmt.Errorf("%s is %d in a vocabulary of %d tokens", key, v, len(t.tokens))
		}
		return int32(v), true, err
	}
	end, ok, err := id("eos_token_id")
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("metadata key tokenizer.ggml.eos_token_id is missing; nothing would end a text")
	}
	t.end, t.ends = end, []int32{end}
	for _, key := range []string{"eot_token_id", "eom_token_id"} {
		more, ok, err := id(key)
		if err != nil {
			return err
		}
		if ok {
			t.ends = append(t.ends, more)
		}
	}
	for _, name := range turnEnds {
		if more, ok := t.ids[name]; ok {
			t.ends = append(t.ends, more)
		}
	}
	begin, ok, err := id("bos_token_id")
	if err != nil {
		return err
	}
	if t.begin = begin; !ok {
		t.begin = -1
	}
	if t.addBegin, err = optional(f, "tokenizer.ggml.add_bos_token", beginning && ok); err != nil {
		return err
	}
	if t.addBegin && !ok {
		return fmt.Errorf("tokenizer.ggml.add_bos_token is true and tokenizer.ggml.bos_token_id is missing")
	}
	t.described = ggml.KV{}
	for key, v := range f.kv {
		if strings.HasPrefix(key, "tokenizer.") {
			t.described[key] = v
		}
	}
	return nil
}
