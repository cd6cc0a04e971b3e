package engine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ollama/ollama/fs/ggml"
	"github.com/ollama/ollama/tokenizer"

	"verge/runner/engine/chat"
)

// Tokenizer turns text into tokens and back, by one of two kinds of vocabulary. NewByteTokenizer makes byte-level ones, in which a byte
// is a token. Those of models from elsewhere come from their files: byte pairs or SentencePiece.
//
// Text never becomes a control token: one that spells <|im_end|> is split into the tokens of its characters.
type Tokenizer struct {
	tokens   []string // as the file writes them
	types    []int32  // of tokens, as GGUF numbers them
	pieces   []string // what each token reads as
	controls []string // names of control tokens in order of their ids, without the end token
	ids      map[string]int32
	end      int32
	ends     []int32 // all tokens that end a text; end is among them

	// Of vocabularies from files; a byte-level one has none of these.
	text        tokenizer.Tokenizer // splits text; it does not know the control tokens
	sentences   bool                // SentencePiece
	spacePrefix bool                // text is read as if a space stood before it
	begin       int32               // stands for the beginning of a text, -1 for none
	addBegin    bool                // a text begins with it
	described   ggml.KV             // the file's keys of the vocabulary
}

// Size is the number of tokens, unused ones included.
func (t *Tokenizer) Size() int { return len(t.tokens) }

// End is the token that ends a text.
func (t *Tokenizer) End() int32 { return t.end }

// Ends says whether a token ends a text: End, or another that the vocabulary has for ending a turn or a message.
func (t *Tokenizer) Ends(token int32) bool { return slices.Contains(t.ends, token) }

// Controls lists the names of the control tokens in order of their ids, without the end token.
func (t *Tokenizer) Controls() []string { return append([]string(nil), t.controls...) }

// Control is the token of a control name. A byte-level vocabulary names <|solve|> "solve"; one from a file also has the names as they
// are spelled, "<|im_start|>" or "<s>".
func (t *Tokenizer) Control(name string) (int32, bool) {
	id, ok := t.ids[name]
	return id, ok
}

// Encode turns text into tokens, none of them a control token, and begins with none. Where the vocabulary is not byte-level, invalid
// UTF-8 is read as U+FFFD, and a byte that it has no token for is left out.
func (t *Tokenizer) Encode(text string) []int32 {
	return t.Append(make([]int32, 0, len(text)), text)
}

// Append is Encode onto the end of dst.
func (t *Tokenizer) Append(dst []int32, text string) []int32 {
	if t.text != nil {
		return t.appendText(dst, text)
	}
	for i := range len(text) {
		dst = append(dst, int32(text[i]))
	}
	return dst
}

// EncodeParts turns a prompt into tokens. Texts that follow one another are read as one, since where they meet may fall within a
// token. Where the vocabulary says that a text begins with a token, as Llama's does, the result begins with it. A control that the
// vocabulary lacks is an error.
func (t *Tokenizer) EncodeParts(parts []chat.Part) ([]int32, error) {
	var out []int32
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			out = t.Append(out, text.String())
			text.Reset()
		}
	}
	for _, p := range parts {
		if p.Control == "" {
			text.WriteString(p.Text)
			continue
		}
		flush()
		id, ok := t.Control(p.Control)
		if !ok {
			return nil, t.noControl(p.Control)
		}
		out = append(out, id)
	}
	flush()
	if t.addBegin && (len(out) == 0 || out[0] != t.begin) {
		out = slices.Insert(out, 0, t.begin)
	}
	return out, nil
}

// Decode turns tokens into text, which need not be valid UTF-8: a character can take several tokens. Control and unused tokens are
// spelled out, so that a person sees them; ids outside the vocabulary become U+FFFD.
func (t *Tokenizer) Decode(ids []int32) string {
	text := make([]byte, 0, 4*len(ids))
	for _, id := range ids {
		if id >= 0 && int(id) < len(t.pieces) {
			text = append(text, t.pieces[id]...)
		} else {
			text = utf8.AppendRune(text, utf8.RuneError)
		}
	}
	return string(text)
}
