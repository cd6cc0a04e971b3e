package engine

import (
	"math/rand/v2"
	"testing"
)

// smallModel is a random model that exercises grouped queries, odd lengths and an untied head.
func smallModel(t testing.TB, tied bool) *Model {
	t.Helper()
	tok := NewByteTokenizer([]string{"solve"}, 32)
	m, err := NewModel(Config{Vocab: tok.Size(), Width: 16, Layers: 2, Heads: 4, KVHeads: 2, HeadDim: 4, Hidden: 24,
		Context: 80, RopeBase: 10000, Epsilon: 1e-5, Tied: tied}, tok)
	if err != nil {
		t.Fatal(err)
	}
	m.Init(7)
	// Larger than the training initialisation, so that no gradient is lost in rounding.
	r := rand.New(rand.NewPCG(3, 3))
	for i := range m.params {
		m.params[i] += 0.15 * float32(r.NormFloat64())
	}
	m.changed()
	return m
}

func randomTokens(r *rand.Rand, n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(r.IntN(256))
	}
	return out
}

// randomAdapter has a B that is not zero, so that A has a gradient.
func randomAdapter(t testing.TB, m *Model, rank int, targets ...string) *Adapter {
	t.Helper()
	a, err := NewAdapter(m, rank, float32(2*rank), targets, 5)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(4, 4))
	for _, f := range a.Factors {
		for i := range f.B {
			f.B[i] = 0.2 * float32(r.NormFloat64())
		}
	}
	return a
}

var allTargets = []string{"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"}
