package engine

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verge/runner/engine/enginetest"
)

// residences are the three ways to hold a model's weights, by name.
var residences = map[string]residence{
	"in memory": {whole: math.MaxInt64}, "widened": {widened: math.MaxInt64}, "decoded when used": {},
}

func fixture(t testing.TB, f enginetest.Fixture, r residence) *Model {
	t.Helper()
	return opened(t, fixtureFile(t, f), r)
}

func fixtureFile(t testing.TB, f enginetest.Fixture) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fixture.gguf")
	if err := f.Write(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func opened(t testing.TB, path string, r residence) *Model {
	t.Helper()
	m, err := openModel(path, r)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

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

// writtenAdapter writes an adapter to a file and reads it again, which has to give the same.
func writtenAdapter(t *testing.T, a *Adapter, m *Model) (path string, again *Adapter) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "a.gguf")
	if err := a.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	again, err := OpenAdapter(path, m)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, again); diff != "" {
		t.Errorf("the adapter differs when it is read again: %s", diff)
	}
	return path, again
}
