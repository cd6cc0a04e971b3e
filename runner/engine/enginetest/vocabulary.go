package enginetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ollama/ollama/fs/ggml"
	"github.com/ollama/ollama/tokenizer"
)

// Vocabulary is the kind of a fixture's vocabulary.
type Vocabulary int

// The kinds of vocabulary: bytes as verge pretrain writes them; pairs merged from bytes, with the control tokens and the template of
// ChatML; SentencePiece, with Llama 2's control tokens.
const (
	Bytes Vocabulary = iota
	Pairs
	Sentences
)

func (v Vocabulary) String() string { return [...]string{"bytes", "pairs", "sentences"}[v] }

// sample is the text that pairs are merged for.
const sample = "the solver answers what the generator asks and the judge says whether the answer is right; a task is worth keeping " +
	"when the solver can sometimes but not always answer it. What is the sum of twelve and thirty? The answer is forty two. " +
	"user assistant system hello there, how are you today? I am fine, thank you. Let us compute the result step by step."

const chatML = "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>' + '\n' }}{% endfor %}" +
	"{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"

// keys are the metadata of the vocabulary. Pairs are split as each architecture's models do.
func (v Vocabulary) keys(arch string) ggml.KV {
	switch v {
	case Pairs:
		return pairKeys(map[string]string{"llama": "smollm", "qwen2": "qwen2"}[arch])
	case Sentences:
		return sentenceKeys()
	}
	tokens, types := byteTokens()
	tokens, types = append(tokens, "<|end|>"), append(types, tokenizer.TOKEN_TYPE_CONTROL)
	return ggml.KV{
		"tokenizer.ggml.model":            "gpt2",
		"tokenizer.ggml.pre":              "default",
		"tokenizer.ggml.tokens":           tokens,
		"tokenizer.ggml.token_type":       types,
		"tokenizer.ggml.merges":           []string{},
		"tokenizer.ggml.bos_token_id":     uint32(256),
		"tokenizer.ggml.eos_token_id":     uint32(256),
		"tokenizer.ggml.padding_token_id": uint32(256),
		"tokenizer.ggml.add_bos_token":    false,
		"tokenizer.ggml.add_eos_token":    false,
	}
}

// byteTokens are the 256 bytes as GPT-2 writes them, in order: printable Latin-1 as itself, the others as the characters from U+0100.
func byteTokens() (tokens []string, types []int32) {
	next := rune(0x100)
	for b := range rune(256) {
		token := string(b)
		if b <= ' ' || b >= 0x7f && b <= 0xa0 || b == 0xad {
			token = string(next)
			next++
		}
		tokens, types = append(tokens, token), append(types, tokenizer.TOKEN_TYPE_NORMAL)
	}
	return tokens, types
}

func pairKeys(pre string) ggml.KV {
	tokens, types := byteTokens()
	var merges []string
	for _, m := range learnPairs("Ġ", 200) {
		merges = append(merges, m[0]+" "+m[1])
		// Two merges can make the same token, and llama.cpp takes each once.
		if !slices.Contains(tokens, m[0]+m[1]) {
			tokens, types = append(tokens, m[0]+m[1]), append(types, tokenizer.TOKEN_TYPE_NORMAL)
		}
	}
	first := uint32(len(tokens))
	for _, control := range []string{"<|endoftext|>", "<|im_start|>", "<|im_end|>"} {
		tokens, types = append(tokens, control), append(types, tokenizer.TOKEN_TYPE_CONTROL)
	}
	return ggml.KV{
		"tokenizer.ggml.model":            "gpt2",
		"tokenizer.ggml.pre":              pre,
		"tokenizer.ggml.tokens":           tokens,
		"tokenizer.ggml.token_type":       types,
		"tokenizer.ggml.merges":           merges,
		"tokenizer.ggml.bos_token_id":     first,
		"tokenizer.ggml.eos_token_id":     first + 2,
		"tokenizer.ggml.padding_token_id": first,
		"tokenizer.ggml.add_bos_token":    false,
		"tokenizer.chat_template":         chatML,
	}
}

func sentenceKeys() ggml.KV {
	tokens := []string{"<unk>", "<s>", "</s>"}
	types := []int32{tokenizer.TOKEN_TYPE_UNKNOWN, tokenizer.TOKEN_TYPE_CONTROL, tokenizer.TOKEN_TYPE_CONTROL}
	for b := range 256 {
		tokens, types = append(tokens, fmt.Sprintf("<0x%02X>", b)), append(types, tokenizer.TOKEN_TYPE_BYTE)
	}
	scores := make([]float32, len(tokens))
	add := func(piece string, score float32) {
		tokens, types, scores = append(tokens, piece), append(types, tokenizer.TOKEN_TYPE_NORMAL), append(scores, score)
	}
	pairs := learnPairs("▁", 200)
	for i, m := range pairs {
		if !slices.Contains(tokens, m[0]+m[1]) {
			add(m[0]+m[1], float32(-i))
		}
	}
	add("▁", float32(-len(pairs)))
	for c := '!'; c <= '~'; c++ {
		add(string(c), float32(-len(pairs)-int(c)))
	}
	return ggml.KV{
		"tokenizer.ggml.model":            "llama",
		"tokenizer.ggml.pre":              "default",
		"tokenizer.ggml.tokens":           tokens,
		"tokenizer.ggml.token_type":       types,
		"tokenizer.ggml.scores":           scores,
		"tokenizer.ggml.bos_token_id":     uint32(1),
		"tokenizer.ggml.eos_token_id":     uint32(2),
		"tokenizer.ggml.unknown_token_id": uint32(0),
		"tokenizer.ggml.add_bos_token":    true,
		"tokenizer.ggml.add_space_prefix": true,
	}
}

// learnPairs merges the most frequent pair of symbols in the sample's words, n times; of equally frequent ones the first in order. A
// space, written as given, begins the word that follows it.
func learnPairs(space string, n int) [][2]string {
	var words [][]string
	for i, word := range strings.Split(sample, " ") {
		symbols := strings.Split(word, "")
		if i > 0 {
			symbols = slices.Insert(symbols, 0, space)
		}
		words = append(words, symbols)
	}
	var merges [][2]string
	for range n {
		counts := map[[2]string]int{}
		var best [2]string
		for _, w := range words {
			for i := range len(w) - 1 {
				counts[[2]string{w[i], w[i+1]}]++
			}
		}
		for pair, count := range counts {
			if top := counts[best]; count > top || count == top && slices.Compare(pair[:], best[:]) < 0 {
				best = pair
			}
		}
		if counts[best] == 0 {
			break
		}
		merges = append(merges, best)
		for i, w := range words {
			for j := 0; j+1 < len(w); j++ {
				if w[j] == best[0] && w[j+1] == best[1] {
					w = slices.Replace(w, j, j+2, best[0]+best[1])
				}
			}
			words[i] = w
		}
	}
	return merges
}
