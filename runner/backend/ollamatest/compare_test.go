//go:build ollama

package ollamatest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gonum.org/v1/gonum/stat"

	"verge/runner/engine"
)

// limit is how far the two may be apart, in nats: the server keeps keys and values in half precision. Its flash attention also adds up in
// half precision; then tokens of small probability have been 0.033 nats apart.
const limit = 0.02

// gaps are absolute differences between two log-probabilities of the same token after the same text, in nats.
type gaps []float64

func (g gaps) String() string {
	return fmt.Sprintf("%d log-probabilities: mean %.5f, 99th percentile %.5f, largest %.5f nats",
		len(g), stat.Mean(g, nil), stat.Quantile(0.99, stat.Empirical, slices.Sorted(slices.Values(g)), nil), slices.Max(g))
}

// vocabulary finds tokens by the text a server gives for them. Texts that several tokens share, and bytes that are no character of their
// own, which reach a client as U+FFFD, are left out.
type vocabulary map[string]int32

func newVocabulary(tok *engine.Tokenizer) vocabulary {
	v, shared := vocabulary{}, map[string]bool{}
	for id := range int32(tok.Size()) {
		text := tok.Decode([]int32{id})
		if _, taken := v[text]; taken || !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) {
			shared[text] = true
		}
		v[text] = id
	}
	for text := range shared {
		delete(v, text)
	}
	return v
}

// comparison is what engine and server say of the tokens of a server's replies.
type comparison struct {
	chosen    gaps // of the tokens the server chose
	likeliest gaps // of the likeliest twenty at each place
	ties      int  // choices that are not the engine's, but as likely within the limit
	misses    int  // other choices that are not the engine's
}

// follow reads the prompt and the server's own continuation with the engine. The server's choices are followed, so that a choice between
// equals does not end the comparison: where no choice is a miss, the greedy texts are the same up to ties. A token that its text does not
// tell ends it.
func (c *comparison) follow(t *testing.T, view *engine.View, words vocabulary, prompt []int32, r reply) {
	t.Helper()
	if r.read != len(prompt) {
		t.Fatalf("the server read the prompt as %d tokens, the engine as %d: %v", r.read, len(prompt), prompt)
	}
	if r.lost > 0 && len(r.logprobs) > 0 {
		t.Fatalf("%d tokens are missing from the server's reply %q, nobody knows where", r.lost, r.text)
	}
	seq := slices.Clone(prompt)
	var positions []int
	for _, l := range r.logprobs {
		id, known := words[l.Token]
		if !known {
			break
		}
		positions = append(positions, len(seq)-1)
		seq = append(seq, id)
	}
	err := view.Distributions(t.Context(), [][]int32{seq}, [][]int{positions}, func(_, position int, probs []float32) {
		l := r.logprobs[position-len(prompt)+1]
		own := math.Log(float64(probs[words[l.Token]]))
		c.chosen = append(c.chosen, math.Abs(own-l.Logprob))
		if best := math.Log(float64(slices.Max(probs))); best-own > limit {
			c.misses++
		} else if best > own {
			c.ties++
		}
		for _, top := range l.TopLogprobs {
			id, known := words[top.Token]
			if known {
				c.likeliest = append(c.likeliest, math.Abs(math.Log(float64(probs[id]))-top.Logprob))
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// demand fails unless every choice is the engine's, or tied with it, and every log-probability within the limit.
func (c *comparison) demand(t *testing.T, name string) {
	t.Helper()
	if c.misses > 0 {
		t.Errorf("%s: %d greedy choices of the server are not the engine's", name, c.misses)
	}
	if c.worst() > limit {
		t.Errorf("%s: engine and server are %.4f nats apart, more than %g", name, c.worst(), limit)
	}
}

// worst is the largest gap.
func (c *comparison) worst() float64 { return max(slices.Max(c.chosen), slices.Max(c.likeliest)) }

func (c *comparison) String() string {
	return fmt.Sprintf("\n  chosen     %s\n  likeliest  %s\n  greedy     %d choices the engine's, %d ties, %d others",
		c.chosen, c.likeliest, len(c.chosen)-c.ties-c.misses, c.ties, c.misses)
}
