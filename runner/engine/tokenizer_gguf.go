package engine

import (
	"fmt"
	"strings"

	"github.com/ollama/ollama/fs/ggml"
	"github.com/ollama/ollama/tokenizer"
)

// describe adds the vocabulary to a model file's metadata. The end token also stands for the start of a text and for padding, which
// llama.cpp otherwise assumes to be some byte. Without merges every byte stays a token under any pre-tokenizer; llama.cpp insists on
// the key all the same, and "default" is a pre-tokenizer that it and Ollama's own engine both know.
func (t *Tokenizer) describe(kv ggml.KV) {
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

// onlyByteLevel closes the message of every vocabulary refused for its kind.
const onlyByteLevel = `the engine reads byte-level "gpt2" vocabularies without merges, as verge pretrain writes them`

// tokenizer makes the tokenizer of the file's own vocabulary.
func (f *ggufFile) tokenizer() (*Tokenizer, error) {
	kind, err := value[string](f, "tokenizer.ggml.model")
	if err != nil {
		return nil, err
	}
	if kind != "gpt2" {
		return nil, fmt.Errorf("tokenizer.ggml.model is %q; %s", kind, onlyByteLevel)
	}
	if _, present := f.kv["tokenizer.ggml.merges"]; present {
		merges, err := f.strings("tokenizer.ggml.merges")
		if err != nil {
			return nil, err
		}
		if len(merges) > 0 {
			return nil, fmt.Errorf("tokenizer.ggml.merges holds %d merges; %s", len(merges), onlyByteLevel)
		}
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
