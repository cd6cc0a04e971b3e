package probes

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"verge/domains/prompt"
)

// tokenLimit bounds the hidden states that an attention probe is trained on, which have to be in memory: 2³¹ bytes of one layer.
const tokenLimit = 1 << 31

// readTokens keeps the states of every token at one layer, by prompt.
func readTokens(ctx context.Context, r Reader, prompts []prompt.Prompt, layer int, limit int64) ([][]float32, error) {
	states := make([][]float32, len(prompts))
	var size atomic.Int64
	err := read(ctx, r, prompts, []int{layer}, func(i, layer int, s []float32) error {
		if total := size.Add(4 * int64(len(s))); total > limit {
			return fmt.Errorf("the tokens' hidden states at layer %d take more than %d bytes: train on fewer tasks (corpus.proposals), a narrower reference model, or a probe of pooled states (kind %q)", layer, limit, KindMLP)
		}
		if j := slices.IndexFunc(s, notFinite[float32]); j >= 0 {
			return overflow(fmt.Sprintf("feature %d of token %d", j%r.Width(), j/r.Width()), layer, float64(s[j]))
		}
		states[i] = slices.Clone(s)
		return nil
	})
	return states, err
}

// tokenSource reads a layer when it is asked for, and then forgets the one before.
func tokenSource(r Reader, prompts []prompt.Prompt, inBand []bool) source {
	var held *attentionLearner
	layer := NoLayer
	return func(ctx context.Context, p place) (learner, error) {
		if held != nil && layer == p.layer {
			return held, nil
		}
		held, layer = nil, p.layer
		states, err := readTokens(ctx, r, prompts, layer, tokenLimit)
		if err != nil {
			return nil, err
		}
		held = &attentionLearner{r.Width(), states, inBand}
		return held, nil
	}
}
