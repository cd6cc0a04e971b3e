package engine

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ollama/ollama/tokenizer"
)

// space are the characters that Unicode's White_Space has, for use within a class: regexp2 takes \s as ASCII's when it reads RE2's syntax.
const space = `\t-\r\x85\p{Z}`

// gpt2Split is how GPT-2 splits text before pairs are merged (Radford et al. 2019).
const gpt2Split = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^` + space + `\p{L}\p{N}]+|[` + space + `]+(?![^` + space + `])|[` + space + `]+`

// llama3Split is how Llama 3 and Qwen2 split text; they differ in the pattern for digits.
func llama3Split(digits string) string {
	return `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|` + digits + `| ?[^` + space + `\p{L}\p{N}]+[\r\n]*|[` + space +
		`]*[\r\n]+|[` + space + `]+(?![^` + space + `])|[` + space + `]+`
}

// digitsApart takes every digit by itself. Patterns have to match all of a text: the library repeats what lies between matches.
const digitsApart = `\p{N}|\P{N}+`

// splits are the ways to split text before pairs are merged, by tokenizer.ggml.pre.
var splits = map[string][]string{
	"default":   {gpt2Split},
	"gpt-2":     {gpt2Split},
	"smollm":    {digitsApart, gpt2Split},
	"starcoder": {digitsApart, gpt2Split},
	"refact":    {digitsApart, gpt2Split},
	"llama-bpe": {llama3Split(`\p{N}{1,3}`)},
	"llama3":    {llama3Split(`\p{N}{1,3}`)},
	"qwen2":     {llama3Split(`\p{N}`)},
}

// spaceMark stands for a space in SentencePiece's vocabularies.
const spaceMark = "▁"

// appendText splits text by the vocabulary of a file.
func (t *Tokenizer) appendText(dst []int32, text string) []int32 {
	if text == "" {
		return dst
	}
	if t.spacePrefix {
		text = " " + text
	}
	// The library takes a text that is exactly the name of a byte for that byte.
	if t.sentences && len(text) == len("<0x00>") && strings.HasPrefix(text, "<0x") {
		return append(t.split(dst, text[:1]), t.split(nil, text[1:])...)
	}
	return t.split(dst, text)
}

func (t *Tokenizer) split(dst []int32, text string) []int32 {
	ids, err := t.text.Encode(text, false)
	if err != nil {
		panic(fmt.Sprintf("engine: splitting text: %v", err)) // neither kind of vocabulary returns errors
	}
	return append(dst, ids...)
}

func (t *Tokenizer) noControl(name string) error {
	const most = 12
	listed := strings.Join(t.controls[:min(most, len(t.controls))], " ")
	if len(t.controls) > most {
		listed += " …"
	}
	return fmt.Errorf("the model's vocabulary has no control token %s; it has: %s", name, listed)
}

// hidden is how the vocabulary that splits text spells a token that text may not become. No text is read as this: byte pairs have no
// plain space, which they write Ġ, and SentencePiece neither, which it writes ▁.
func hidden(token string) string { return " " + token }

// isControl says whether text may not become a token of that type. Some files mark the tokens of chat templates as the user's.
func isControl(token string, kind int32) bool {
	switch kind {
	case tokenizer.TOKEN_TYPE_CONTROL, tokenizer.TOKEN_TYPE_UNKNOWN, tokenizer.TOKEN_TYPE_UNUSED:
		return true
	case tokenizer.TOKEN_TYPE_USER_DEFINED:
		return strings.HasPrefix(token, "<|") && strings.HasSuffix(token, "|>")
	}
	return false
}

// piece is what a token of a file's vocabulary reads as.
func (t *Tokenizer) piece(token string, kind int32) string {
	if t.sentences {
		switch kind {
		case tokenizer.TOKEN_TYPE_BYTE:
			if b, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimPrefix(token, "<0x"), ">"), 16, 8); err == nil {
				return string([]byte{byte(b)})
			}
		case tokenizer.TOKEN_TYPE_NORMAL, tokenizer.TOKEN_TYPE_USER_DEFINED:
			return strings.ReplaceAll(token, spaceMark, " ")
		}
		return token
	}
	if kind != tokenizer.TOKEN_TYPE_NORMAL {
		return token
	}
	var text strings.Builder
	for _, r := range token {
		if b, ok := runeBytes[r]; ok {
			text.WriteByte(b)
		} else {
			text.WriteRune(r)
		}
	}
	return text.String()
}
