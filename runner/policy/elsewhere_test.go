package policy

import (
	"math"
	"strings"
	"testing"

	"verge/domains/prompt"
	"verge/runner/backend"
	"verge/runner/backend/local"
	"verge/runner/engine"
)

// What a server samples is learned from as what is sampled here, and how far the two are apart is told. A server does not tell the
// log-probability of the end token, nor the tokens of every reply.
func TestWhatAServerSampledIsLearnedFrom(t *testing.T) {
	base, err := engine.Micro()
	if err != nil {
		t.Fatal(err)
	}
	m, err := local.New(base, "micro")
	if err != nil {
		t.Fatal(err)
	}
	ask := prompt.Prompt{prompt.Control("math"), prompt.Control("propose")}
	replies, err := m.Sample(t.Context(), []backend.Request{{Prompt: ask, Seeds: []uint64{1, 2, 3, 4}, Params: backend.Params{Temperature: 1, TopP: 1, MaxTokens: 24}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rewards, untoldReply := []float64{1, 0, 0.5, 0.25}, backend.Reply{Text: "é", Count: 9}
	for _, estimator := range []Estimator{GRPO, ReinforcePP} {
		var norms []float64
		for _, elsewhere := range []bool{false, true} {
			o := LoRAOptions{Estimator: estimator, Group: 4, Rank: 2, Alpha: 2, Targets: []string{"attn_q"}, Schedule: engine.Schedule{Rate: 1e-3},
				KL: 0.1, Gamma: 1, Clip: 1, MaxTokens: 24, Seed: 1, Elsewhere: elsewhere}
			p, err := NewLoRA(m, o)
			if err != nil {
				t.Fatal(err)
			}
			episodes := make([]Episode, 4)
			for i, r := range replies[0] {
				if elsewhere {
					r.Logprobs = append([]float32(nil), r.Logprobs[:len(r.Logprobs)-1]...)
					for j := range r.Logprobs {
						r.Logprobs[j] += 0.25
					}
				}
				episodes[i].Turns = []backend.Turn{{Prompt: ask, Reply: r}}
			}
			u, err := p.Update(t.Context(), episodes, rewards)
			if err != nil {
				t.Fatal(err)
			}
			norms = append(norms, u.GradNorm)
			if elsewhere != (u.Gap != nil) || elsewhere && math.Abs(*u.Gap-0.25) > 1e-3 || u.Untold != 0 {
				t.Errorf("%s, elsewhere %t: gap %v, %d untold", estimator, elsewhere, u.Gap, u.Untold)
			}
			if !elsewhere {
				continue
			}
			episodes[3].Turns[0].Reply = untoldReply
			if u, err = p.Update(t.Context(), episodes, rewards); err != nil || u.Untold != 1 || u.Gap == nil {
				t.Errorf("%s: %d untold, want 1; error %v", estimator, u.Untold, err)
			}
			failed := []float64{1, 0, 0.5, math.NaN()}
			if u, err = p.Update(t.Context(), episodes, failed); err != nil || u.Untold != 0 {
				t.Errorf("%s: %d untold beside one that failed; error %v", estimator, u.Untold, err)
			}
			for i := range episodes {
				episodes[i].Turns[0].Reply = untoldReply
			}
			if u, err = p.Update(t.Context(), episodes, rewards); err == nil || !strings.Contains(err.Error(), `none of 4 proposals`) || u.Gap != nil {
				t.Errorf("%s: no tokens at all: gap %v, error %v", estimator, u.Gap, err)
			}
		}
		// The gradient rests on the engine's figures alone.
		if math.Abs(norms[0]-norms[1]) > 1e-5*norms[0] {
			t.Errorf("%s: the gradient's norm is %g sampled here, %g sampled elsewhere", estimator, norms[0], norms[1])
		}
	}
}
