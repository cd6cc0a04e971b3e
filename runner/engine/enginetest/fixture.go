// Package enginetest writes GGUF files of small models with random weights, in every architecture, tensor type and kind of vocabulary
// that the engine reads, for tests that compare the engine with itself or with a server.
package enginetest

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"

	"github.com/ollama/ollama/fs/ggml"

	"verge/runner/engine/quant/quanttest"
)

// Fixture says which model to write. Its matrices have the tensor type, its norms and biases are F32.
type Fixture struct {
	Arch        string // "llama" or "qwen2"
	Type        ggml.TensorType
	Vocabulary  Vocabulary
	Seed        uint64
	Tied        bool // no output head of its own
	RopeFactors bool // as Llama 3.1's files have them
}

// The shape of every fixture. Rows hold whole blocks of every type.
const (
	width, hidden            = 256, 512
	layers, context          = 3, 1024
	heads, kvHeads, headSize = 4, 2, 64
)

// Write writes the fixture's file. The same fixture gives the same bytes.
func (f Fixture) Write(path string) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if closed := file.Close(); err == nil {
			err = closed
		}
	}()
	vocabulary := f.Vocabulary.keys(f.Arch)
	kv := f.keys()
	maps.Copy(kv, vocabulary)
	return ggml.WriteGGUF(file, kv, f.tensors(len(vocabulary["tokenizer.ggml.tokens"].([]string))))
}

// String names the fixture: "qwen2 Q4_K pairs".
func (f Fixture) String() string { return fmt.Sprintf("%s %s %s", f.Arch, f.Type, f.Vocabulary) }

func (f Fixture) keys() ggml.KV {
	kv := ggml.KV{
		"general.architecture": f.Arch,
		"general.type":         "model",
		"general.name":         "fixture " + f.String(),
	}
	for key, v := range map[string]any{
		"block_count":                      uint32(layers),
		"context_length":                   uint32(context),
		"embedding_length":                 uint32(width),
		"feed_forward_length":              uint32(hidden),
		"attention.head_count":             uint32(heads),
		"attention.head_count_kv":          uint32(kvHeads),
		"attention.key_length":             uint32(headSize),
		"attention.value_length":           uint32(headSize),
		"attention.layer_norm_rms_epsilon": float32(1e-5),
		"rope.dimension_count":             uint32(headSize),
		"rope.freq_base":                   float32(10000),
	} {
		kv[f.Arch+"."+key] = v
	}
	return kv
}

// tensors makes the weights: normals of which the deviations keep a state's size through the blocks and make the most likely token
// stand out, gains about 1.
func (f Fixture) tensors(vocabulary int) []*ggml.Tensor {
	r := rand.New(rand.NewPCG(f.Seed, 0x66697874757265))
	var out []*ggml.Tensor
	matrix := func(name string, rows, cols int, deviation float32) {
		out = append(out, tensor(name, f.Type, normals(r, rows*cols, 0, deviation), uint64(cols), uint64(rows)))
	}
	vector := func(name string, n int, mean, deviation float32) {
		out = append(out, tensor(name, ggml.TensorTypeF32, normals(r, n, mean, deviation), uint64(n)))
	}
	embedding := float32(1)
	if f.Tied {
		embedding = 0.2
	}
	matrix("token_embd.weight", vocabulary, width, embedding)
	for i := range layers {
		name := func(s string) string { return fmt.Sprintf("blk.%d.%s", i, s) }
		vector(name("attn_norm.weight"), width, 1, 0.1)
		vector(name("ffn_norm.weight"), width, 1, 0.1)
		for _, m := range []struct {
			name string
			rows int
		}{{"attn_q", heads * headSize}, {"attn_k", kvHeads * headSize}, {"attn_v", kvHeads * headSize}} {
			matrix(name(m.name+".weight"), m.rows, width, 0.06)
			if f.Arch == "qwen2" {
				vector(name(m.name+".bias"), m.rows, 0, 0.3)
			}
		}
		matrix(name("attn_output.weight"), width, heads*headSize, 0.06)
		matrix(name("ffn_gate.weight"), hidden, width, 0.06)
		matrix(name("ffn_up.weight"), hidden, width, 0.06)
		matrix(name("ffn_down.weight"), width, hidden, 0.06)
	}
	vector("output_norm.weight", width, 1, 0.1)
	if !f.Tied {
		matrix("output.weight", vocabulary, width, 0.2)
	}
	if f.RopeFactors {
		factors := make([]float32, headSize/2)
		for i := range factors {
			factors[i] = 1 + float32(i)/4
		}
		out = append(out, tensor("rope_freqs.weight", ggml.TensorTypeF32, factors, uint64(len(factors))))
	}
	return out
}

func normals(r *rand.Rand, n int, mean, deviation float32) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = mean + deviation*float32(r.NormFloat64())
	}
	return out
}

// tensor makes a tensor of that shape, innermost dimension first.
func tensor(name string, kind ggml.TensorType, values []float32, shape ...uint64) *ggml.Tensor {
	return &ggml.Tensor{Name: name, Kind: uint32(kind), Shape: shape, WriterTo: bytes.NewReader(quanttest.Encode(kind, values))}
}
