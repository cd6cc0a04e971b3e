package engine

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ollama/ollama/fs/ggml"
	"github.com/ollama/ollama/fs/gguf"

	"verge/runner/engine/enginetest"
	"verge/runner/engine/quant"
)

// distributions are the log-probabilities after each of the tokens.
func distributions(t *testing.T, v *View, tokens []int32) [][]float32 {
	t.Helper()
	out := make([][]float32, len(tokens))
	positions := make([]int, len(tokens))
	for i := range positions {
		positions[i] = i
	}
	err := v.Distributions(context.Background(), [][]int32{tokens}, [][]int{positions}, func(_, at int, probs []float32) {
		out[at] = slices.Clone(probs)
		for i, p := range out[at] {
			out[at][i] = float32(math.Log(float64(p)))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEveryFormatComputesTheDefinition compares every architecture in every tensor type, held in each way, with the reference.
func TestEveryFormatComputesTheDefinition(t *testing.T) {
	for _, arch := range []string{"llama", "qwen2"} {
		for i, kind := range quant.Types() {
			f := enginetest.Fixture{Arch: arch, Type: kind, Seed: uint64(i), Tied: i%2 == 0, RopeFactors: arch == "llama" && i%3 == 0}
			t.Run(f.String(), func(t *testing.T) {
				path := fixtureFile(t, f)
				whole := opened(t, path, residences["in memory"])
				tokens := randomTokens(rand.New(rand.NewPCG(5, uint64(i))), 19)
				want := distributions(t, view(t, whole, nil), tokens)
				for at, logits := range (reference{whole}).logprobs(tokens) {
					for token, l := range logits {
						if math.Abs(l-float64(want[at][token])) > 1e-3 {
							t.Fatalf("position %d, token %d: log-probability %.5f, the definition gives %.5f", at, token, want[at][token], l)
						}
					}
				}
				for name, r := range residences {
					got := distributions(t, view(t, opened(t, path, r), nil), tokens)
					for at := range want {
						if !slices.Equal(got[at], want[at]) {
							t.Fatalf("%s: the distribution at position %d differs from the one in memory", name, at)
						}
					}
				}
			})
		}
	}
}

// TestNoPositionsAreReadOfASequence asks for the distributions of one of two sequences.
func TestNoPositionsAreReadOfASequence(t *testing.T) {
	for name, r := range residences {
		v := view(t, fixture(t, enginetest.Fixture{Arch: "llama", Type: ggml.TensorTypeQ8_0}, r), nil)
		read := 0
		err := v.Distributions(context.Background(), [][]int32{{1, 2, 3}, {4, 5}}, [][]int{nil, {1}}, func(seq, at int, _ []float32) {
			if seq != 1 || at != 1 {
				t.Errorf("%s: sequence %d was read at %d", name, seq, at)
			}
			read++
		})
		if err != nil || read != 1 {
			t.Errorf("%s: %d distributions, error %v", name, read, err)
		}
	}
}

// TestLinearRopeScaling: a model whose positions are divided by 2 sees position 2p as another sees p.
func TestLinearRopeScaling(t *testing.T) {
	m := smallModel(t, true)
	m.RopeScale = 2
	tokens := randomTokens(rand.New(rand.NewPCG(1, 1)), 9)
	got := distributions(t, view(t, m, nil), tokens)
	for at, logits := range (reference{m}).logprobs(tokens) {
		for token, l := range logits {
			if math.Abs(l-float64(got[at][token])) > 1e-3 {
				t.Fatalf("position %d, token %d: log-probability %.5f, the definition gives %.5f", at, token, got[at][token], l)
			}
		}
	}
}

// TestFrozenModelsSampleAsTheyRead holds sampling from the cache, with an adapter beside the weights, to reading.
func TestFrozenModelsSampleAsTheyRead(t *testing.T) {
	for _, arch := range []string{"llama", "qwen2"} {
		for name, r := range residences {
			m := fixture(t, enginetest.Fixture{Arch: arch, Type: ggml.TensorTypeQ4_K}, r)
			for _, a := range []*Adapter{nil, randomAdapter(t, m, 3, allTargets...)} {
				v := view(t, m, a)
				requests := sampleRequests(8)
				out, err := v.Sample(context.Background(), requests, nil)
				if err != nil {
					t.Fatal(err)
				}
				for i, row := range out {
					for _, s := range row {
						seq := append(slices.Clone(requests[i].Prompt), s.Tokens...)
						read, err := v.Logprobs(context.Background(), [][]int32{seq}, []int{len(requests[i].Prompt)})
						if err != nil {
							t.Fatal(err)
						}
						for j, l := range read[0] {
							if math.Abs(float64(l-s.Logprob[j])) > 2e-4 {
								t.Fatalf("%s %s, adapter %v: token %d has log-probability %.6f sampled and %.6f read", arch, name, a != nil, j, s.Logprob[j], l)
							}
						}
					}
				}
			}
		}
	}
}

// TestAdapterBesideFrozenWeightsIsTheMergedOne compares the two ways to apply an adapter.
func TestAdapterBesideFrozenWeightsIsTheMergedOne(t *testing.T) {
	f := enginetest.Fixture{Arch: "qwen2", Type: ggml.TensorTypeQ5_0}
	m, z := fixture(t, f, residences["in memory"]), fixture(t, f, residence{})
	tokens := randomTokens(rand.New(rand.NewPCG(8, 8)), 30)
	plain := distributions(t, view(t, z, nil), tokens)
	merged := distributions(t, view(t, m, randomAdapter(t, m, 4, allTargets...)), tokens)
	beside := distributions(t, view(t, z, randomAdapter(t, z, 4, allTargets...)), tokens)
	moved := 0.0
	for at := range merged {
		for token := range merged[at] {
			if d := math.Abs(float64(merged[at][token] - beside[at][token])); d > 1e-3 {
				t.Fatalf("position %d, token %d: %.5f merged, %.5f beside", at, token, merged[at][token], beside[at][token])
			}
			moved = max(moved, math.Abs(float64(merged[at][token]-plain[at][token])))
		}
	}
	if moved < 0.1 {
		t.Errorf("the adapter moves log-probabilities by at most %.4f; it is not applied", moved)
	}
}

func TestGradientThroughFrozenWeightsMatchesFiniteDifferences(t *testing.T) {
	for _, f := range []enginetest.Fixture{{Arch: "qwen2", Type: ggml.TensorTypeQ6_K}, {Arch: "llama", Type: ggml.TensorTypeQ4_0, Tied: true}} {
		t.Run(f.String(), func(t *testing.T) {
			m := fixture(t, f, residence{})
			a := randomAdapter(t, m, 3, allTargets...)
			for _, f := range a.Factors {
				for i := range f.B {
					f.B[i] /= 10 // near its base, so that the KL's exponential is nearly straight over a difference
				}
			}
			tr, err := NewTrainer(m, a, DefaultAdamW())
			if err != nil {
				t.Fatal(err)
			}
			ranges := map[string][]float32{}
			for matrix, factor := range tr.lora.factors[1] {
				ranges["A of "+matrixNames[matrix]], ranges["B of "+matrixNames[matrix]] = factor.a, factor.bt
			}
			checkGradient(t, tr, batchOf(2, 0.3, 7, 18), ranges, tr.lora.refresh)
		})
	}
}

func TestGradientOfBiasesMatchesFiniteDifferences(t *testing.T) {
	m := fixture(t, enginetest.Fixture{Arch: "qwen2", Type: ggml.TensorTypeF32, Tied: true}, residences["in memory"])
	tr, err := NewTrainer(m, nil, DefaultAdamW())
	if err != nil {
		t.Fatal(err)
	}
	b := &m.Blocks[1]
	ranges := map[string][]float32{"queries' bias": b.BQ, "values' bias": b.BV, "queries": b.Q, "keys": b.K}
	checkGradient(t, tr, batchOf(3, 0, 9, 20), ranges, tr.k.refresh)
	// A bias of the keys moves all of a query's scores alike, but for the rotation; its gradient is small, not zero.
	if db := tr.views[0].Blocks[1].BK; slices.Max(db) == 0 && slices.Min(db) == 0 {
		t.Error("the keys' bias has no gradient")
	}
}

// TestFrozenTrainingIsTheSameOnAnyNumberOfCores steps an adapter and samples with it.
func TestFrozenTrainingIsTheSameOnAnyNumberOfCores(t *testing.T) {
	run := func(procs int) ([]float32, []int32) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		m := fixture(t, enginetest.Fixture{Arch: "qwen2", Type: ggml.TensorTypeQ4_1}, residence{})
		a := randomAdapter(t, m, 2, "attn_q", "ffn_down")
		tr, err := NewTrainer(m, a, DefaultAdamW())
		if err != nil {
			t.Fatal(err)
		}
		for step := range uint64(2) {
			if _, err := tr.Step(batchOf(step, 0.1, 30, 5, 17), 1e-3); err != nil {
				t.Fatal(err)
			}
		}
		out, err := view(t, m, a).Sample(context.Background(), sampleRequests(12), nil)
		if err != nil {
			t.Fatal(err)
		}
		var tokens []int32
		for _, row := range out {
			for _, s := range row {
				tokens = append(tokens, s.Tokens...)
			}
		}
		return slices.Concat(a.Factors[0].A, a.Factors[1].B), tokens
	}
	params, tokens := run(1)
	for _, procs := range []int{2, 5} {
		if p, s := run(procs); !slices.Equal(p, params) || !slices.Equal(s, tokens) {
			t.Errorf("on %d cores the result differs", procs)
		}
	}
}

// TestAdaptersOnFrozenModelsAreWritten trains one, writes it and reads it again.
func TestAdaptersOnFrozenModelsAreWritten(t *testing.T) {
	m := fixture(t, enginetest.Fixture{Arch: "qwen2", Type: ggml.TensorTypeQ5_K}, residence{})
	a, err := NewAdapter(m, 2, 4, []string{"attn_v", "ffn_up"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := NewTrainer(m, a, DefaultAdamW())
	if err != nil {
		t.Fatal(err)
	}
	batch := batchOf(1, 0, 12, 9)
	first, err := tr.Step(batch, 1e-2)
	if err != nil {
		t.Fatal(err)
	}
	if last, err := tr.Step(batch, 1e-2); err != nil || last.Loss >= first.Loss {
		t.Errorf("a step on the same batch took the loss from %g to %g, %v", first.Loss, last.Loss, err)
	}
	path, _ := writtenAdapter(t, a, m)
	f, err := gguf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if arch := f.KeyValue("general.architecture").String(); arch != "qwen2" {
		t.Errorf("general.architecture is %q, and llama.cpp loads only qwen2 adapters on this model", arch)
	}
	llama := fixture(t, enginetest.Fixture{Arch: "llama", Type: ggml.TensorTypeQ5_K}, residence{})
	if _, err := OpenAdapter(path, llama); err == nil || !strings.Contains(err.Error(), "general.architecture") {
		t.Errorf("an adapter of the other architecture: error %v", err)
	}
}

func TestFrozenModelsRefuseWhatWouldChangeThem(t *testing.T) {
	m := fixture(t, enginetest.Fixture{Arch: "llama", Type: ggml.TensorTypeQ8_0}, residence{})
	if _, err := NewTrainer(m, nil, DefaultAdamW()); err == nil {
		t.Error("all of a frozen model's parameters are trained")
	}
	if err := m.WriteFile(filepath.Join(t.TempDir(), "m.gguf"), false); err == nil {
		t.Error("a frozen model is written")
	}
	if n, want := m.Parameters(), fixture(t, enginetest.Fixture{Arch: "llama", Type: ggml.TensorTypeF32}, residences["in memory"]).Parameters(); n != want {
		t.Errorf("%d parameters frozen, %d in memory", n, want)
	}
}
