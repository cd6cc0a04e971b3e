package engine

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestVocabularyLayout(t *testing.T) {
	tok := NewByteTokenizer([]string{"math", "solve"}, 32)
	if got := tok.Size(); got != 288 {
		t.Errorf("size %d, want 288: 259 rounded up to a multiple of 32", got)
	}
	if got := tok.End(); got != 256 {
		t.Errorf("end token %d, want 256", got)
	}
	for name, want := range map[string]int32{"end": 256, "math": 257, "solve": 258} {
		if id, ok := tok.Control(name); !ok || id != want {
			t.Errorf("control %q is %d, %v; want %d", name, id, ok, want)
		}
	}
	for _, name := range []string{"", "grade", "<|solve|>", "[PAD0]"} {
		if id, ok := tok.Control(name); ok {
			t.Errorf("control %q is %d, want none", name, id)
		}
	}
	if got := tok.Controls(); !slices.Equal(got, []string{"math", "solve"}) {
		t.Errorf("controls %q", got)
	}
	if got := NewByteTokenizer(nil, 1).Size(); got != 257 {
		t.Errorf("size %d without controls and padding, want 257", got)
	}
}

// The characters that GPT-2's published vocabulary has for these bytes.
func TestBytesAreWrittenAsGPT2Does(t *testing.T) {
	tok := NewByteTokenizer(nil, 32)
	for b, want := range map[int]string{0: "Ā", '\n': "Ċ", ' ': "Ġ", '!': "!", 'A': "A", '~': "~", 0x7f: "ġ", 0xa0: "ł", 0xa1: "¡", 0xad: "Ń", 0xae: "®", 0xff: "ÿ"} {
		if tok.tokens[b] != want {
			t.Errorf("byte %#02x is written %q, want %q", b, tok.tokens[b], want)
		}
	}
	seen := map[string]bool{}
	for i, s := range tok.tokens {
		if seen[s] {
			t.Errorf("token %d, %q, appears twice", i, s)
		}
		seen[s] = true
	}
}

func TestTextRoundTrips(t *testing.T) {
	tok := NewByteTokenizer([]string{"solve"}, 32)
	r := rand.New(rand.NewPCG(1, 1))
	texts := []string{"", "2+2=4", "<|end|>", "<|solve|> 1 [PAD0]", "naïve ≤ 数\x00", "\xff\xfe\x80"}
	for range 200 {
		b := make([]byte, r.IntN(60))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		texts = append(texts, string(b))
	}
	for _, text := range texts {
		ids := tok.Encode(text)
		if len(ids) != len(text) {
			t.Errorf("%q: %d tokens for %d bytes", text, len(ids), len(text))
		}
		for i, id := range ids {
			if id != int32(text[i]) {
				t.Errorf("%q: token %d is %d, want its byte", text, i, id)
			}
		}
		if got := tok.Decode(ids); got != text {
			t.Errorf("%q comes back as %q", text, got)
		}
	}
	if got := tok.Append([]int32{257}, "ab"); !slices.Equal(got, []int32{257, 'a', 'b'}) {
		t.Errorf("appended tokens are %v", got)
	}
}

func TestDecodeShowsWhatIsNoText(t *testing.T) {
	tok := NewByteTokenizer([]string{"solve"}, 32)
	got := tok.Decode([]int32{257, 'x', 256, 258, 287, 288, -1, math.MaxInt32, math.MinInt32})
	if want := "<|solve|>x<|end|>[PAD0][PAD29]����"; got != want {
		t.Errorf("decoded %q, want %q", got, want)
	}
}

func TestTokenizerRefusesNames(t *testing.T) {
	for name, controls := range map[string][]string{
		"empty": {""}, "repeated": {"solve", "solve"}, "the end token": {"end"}, "delimiter": {"a|>"}, "space": {"a b"}, "capitals": {"Solve"},
	} {
		if message := panicOf(func() { NewByteTokenizer(controls, 32) }); !strings.Contains(message, "control token") {
			t.Errorf("%s: message %q", name, message)
		}
	}
	if message := panicOf(func() { NewByteTokenizer(nil, 0) }); !strings.Contains(message, "positive") {
		t.Errorf("padding of 0: message %q", message)
	}
}

// panicOf runs f and returns what it panics with, "" if it does not.
func panicOf(f func()) (message string) {
	defer func() {
		switch p := recover().(type) {
		case error:
			message = p.Error()
		case string:
			message = p
		}
	}()
	f()
	return ""
}
