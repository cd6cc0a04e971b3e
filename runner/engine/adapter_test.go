package engine

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ollama/ollama/fs/ggml"
	"github.com/ollama/ollama/fs/gguf"
)

// digested is a model that has a file, as adapters need it.
func digested(t testing.TB) *Model {
	m := named(t, true)
	written(t, m, false)
	return m
}

func TestNewAdapterStartsAsItsBase(t *testing.T) {
	m := smallModel(t, true)
	a, err := NewAdapter(m, 3, 6, []string{"ffn_down", "attn_k"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range a.Factors {
		names = append(names, f.Name)
		if len(f.A) != 3*f.In || len(f.B) != 3*f.Out {
			t.Errorf("%s: %d and %d values for a %d×%d matrix at rank 3", f.Name, len(f.A), len(f.B), f.Out, f.In)
		}
		bound := float32(1 / math.Sqrt(float64(f.In)))
		if low, high := slices.Min(f.A), slices.Max(f.A); low < -bound || high > bound || low > -bound/2 || high < bound/2 {
			t.Errorf("%s: A spans %g … %g, want to fill ±%g", f.Name, low, high, bound)
		}
		if slices.ContainsFunc(f.B, func(v float32) bool { return v != 0 }) {
			t.Errorf("%s: B is not zero", f.Name)
		}
	}
	if want := []string{"blk.0.attn_k", "blk.0.ffn_down", "blk.1.attn_k", "blk.1.ffn_down"}; !slices.Equal(names, want) {
		t.Errorf("factors %v, want %v", names, want)
	}
	if f := a.Factors[1]; f.In != 24 || f.Out != 16 {
		t.Errorf("ffn_down is %d×%d, want 16×24", f.Out, f.In)
	}
	again, err := NewAdapter(m, 3, 6, []string{"attn_k", "ffn_down"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, again); diff != "" {
		t.Errorf("the same seed gives another adapter: %s", diff)
	}
	other, err := NewAdapter(m, 3, 6, []string{"attn_k", "ffn_down"}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(a.Factors[0].A, other.Factors[0].A) {
		t.Error("another seed gives the same A")
	}
}

func TestNewAdapterRefuses(t *testing.T) {
	m := smallModel(t, true)
	for name, c := range map[string]struct {
		rank    int
		alpha   float32
		targets []string
		want    string
	}{
		"no targets":     {2, 4, nil, "attn_output"},
		"unknown target": {2, 4, []string{"attn_out"}, `"attn_out"`},
		"repeated":       {2, 4, []string{"attn_q", "attn_q"}, "twice"},
		"rank 0":         {0, 4, []string{"attn_q"}, "rank is 0"},
		"high rank":      {9, 4, []string{"attn_q", "attn_k"}, "attn_k is a 8×16 matrix"},
		"alpha 0":        {2, 0, []string{"attn_q"}, "alpha is 0"},
		"alpha NaN":      {2, float32(math.NaN()), []string{"attn_q"}, "alpha is NaN"},
	} {
		if _, err := NewAdapter(m, c.rank, c.alpha, c.targets, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.want)
		}
	}
}

func TestCloneSharesNothing(t *testing.T) {
	a := randomAdapter(t, smallModel(t, true), 2, "attn_q")
	c := a.Clone()
	if diff := cmp.Diff(a, c); diff != "" {
		t.Fatalf("the clone differs: %s", diff)
	}
	c.Factors[0].A[0]++
	c.Factors[0].B[0]++
	c.Factors[1].Name = "other"
	if a.Factors[0].A[0] == c.Factors[0].A[0] || a.Factors[0].B[0] == c.Factors[0].B[0] || a.Factors[1].Name == "other" {
		t.Error("changing the clone changes the adapter")
	}
}

func TestAdapterRoundTripsExactly(t *testing.T) {
	m := digested(t)
	for _, targets := range [][]string{{"attn_v"}, allTargets} {
		a := randomAdapter(t, m, 3, targets...)
		path, again := writtenAdapter(t, a, m)
		first, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		path, _ = writtenAdapter(t, again, m)
		if second, err := os.ReadFile(path); err != nil || !bytes.Equal(first, second) {
			t.Errorf("%v: a second write differs (%v)", targets, err)
		}
	}
}

// TestAdapterIsWhatLlamaCppReads holds the file to llama.cpp's adapter loader: A is stored [rank][in] and B [out][rank], so that in
// the file's order, innermost first, A begins with the matrix's input, B with the rank and both with what the product needs.
func TestAdapterIsWhatLlamaCppReads(t *testing.T) {
	m := digested(t)
	a := randomAdapter(t, m, 3, "attn_k")
	path := filepath.Join(t.TempDir(), "a.gguf")
	if err := a.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	f, err := gguf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got := map[string]any{}
	for _, kv := range f.KeyValues() {
		got[kv.Key] = kv.String()
		if kv.String() == "" {
			got[kv.Key] = float32(kv.Float())
		}
	}
	want := map[string]any{"general.architecture": "llama", "general.type": "adapter", "adapter.type": "lora", "adapter.lora.alpha": float32(6),
		"adapter.verge.base_digest": m.Digest, "adapter.verge.base_name": "small"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	if n := f.NumTensors(); n != 4 {
		t.Errorf("%d tensors, want 4", n)
	}
	for name, shape := range map[string][]uint64{"blk.0.attn_k.weight.lora_a": {16, 3}, "blk.1.attn_k.weight.lora_b": {3, 8}} {
		if info := f.TensorInfo(name); !slices.Equal(info.Shape, shape) || info.Type != gguf.TensorTypeF32 {
			t.Errorf("%s has shape %v and type %v, want %v and f32", name, info.Shape, info.Type, shape)
		}
	}
}

func TestAdapterWithoutBaseIsNotWritten(t *testing.T) {
	a := randomAdapter(t, smallModel(t, true), 2, "attn_q")
	path := filepath.Join(t.TempDir(), "a.gguf")
	if err := a.WriteFile(path); err == nil || !strings.Contains(err.Error(), "no digest") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a refused adapter was written")
	}
	a = randomAdapter(t, digested(t), 2, "attn_q")
	a.Factors[0].B = a.Factors[0].B[1:]
	if err := a.WriteFile(path); err == nil || !strings.Contains(err.Error(), "blk.0.attn_q.weight.lora_b") {
		t.Errorf("short factor: error %v", err)
	}
}

func TestOpenAdapterRefuses(t *testing.T) {
	m := digested(t)
	set := func(key string, v any) func(*parts) { return func(p *parts) { p.kv[key] = v } }
	replace := func(name string, kind ggml.TensorType, shape ...uint64) func(*parts) {
		return func(p *parts) { *p.tensor(name) = *zeros(name, kind, shape...) }
	}
	for name, c := range map[string]struct {
		spoil func(*parts)
		want  []string
	}{
		"a model":      {set("general.type", "model"), []string{`"model"`, `"adapter"`}},
		"architecture": {set("general.architecture", "gemma"), []string{`"gemma"`}},
		"kind":         {set("adapter.type", "ia3"), []string{`"ia3"`, `"lora"`}},
		"no alpha":     {func(p *parts) { delete(p.kv, "adapter.lora.alpha") }, []string{"adapter.lora.alpha", "missing"}},
		"alpha 0":      {set("adapter.lora.alpha", float32(0)), []string{"alpha is 0"}},
		"another base": {set(baseDigestKey, strings.Repeat("0", 64)), []string{strings.Repeat("0", 64), m.Digest, "small"}},
		"no base":      {func(p *parts) { delete(p.kv, baseDigestKey) }, []string{baseDigestKey}},
		"no tensors":   {func(p *parts) { p.tensors = nil }, []string{"no tensors"}},
		"no partner":   {func(p *parts) { p.tensors = p.tensors[:len(p.tensors)-1] }, []string{"blk.1.attn_k.weight.lora_b", "missing"}},
		"transposed":   {replace("blk.1.attn_k.weight.lora_a", ggml.TensorTypeF32, 3, 16), []string{"blk.1.attn_k.weight.lora_a", "[16 3]", "[3 16]"}},
		"two ranks":    {replace("blk.1.attn_k.weight.lora_b", ggml.TensorTypeF32, 2, 8), []string{"blk.1.attn_k.weight.lora_b", "[8 2]", "[8 3]"}},
		"dimensions":   {replace("blk.0.attn_k.weight.lora_a", ggml.TensorTypeF32, 16), []string{"blk.0.attn_k.weight.lora_a"}},
		"format":       {replace("blk.1.attn_k.weight.lora_a", ggml.TensorTypeQ2_K, 256, 3), []string{"blk.1.attn_k.weight.lora_a", "Q2_K"}},
		"another matrix": {func(p *parts) {
			p.tensors = append(p.tensors, zeros("output.weight.lora_a", ggml.TensorTypeF32, 16, 3))
		}, []string{"output.weight.lora_a"}},
		"another block": {func(p *parts) {
			p.tensors = append(p.tensors, zeros("blk.2.attn_q.weight.lora_a", ggml.TensorTypeF32, 16, 3))
		}, []string{"blk.2.attn_q.weight.lora_a"}},
		"a trained norm":  {func(p *parts) { p.tensors = append(p.tensors, zeros("blk.0.attn_norm.weight", ggml.TensorTypeF32, 16)) }, []string{"blk.0.attn_norm.weight"}},
		"nothing spoiled": {func(*parts) {}, nil},
	} {
		a := randomAdapter(t, m, 3, "attn_k")
		tensors, err := a.tensors()
		if err != nil {
			t.Fatal(err)
		}
		p := &parts{tensors: tensors, kv: ggml.KV{"general.architecture": "llama", "general.type": "adapter", "adapter.type": "lora",
			"adapter.lora.alpha": a.Alpha, baseDigestKey: a.BaseDigest, baseNameKey: a.BaseName}}
		c.spoil(p)
		path := filepath.Join(t.TempDir(), "a.gguf")
		if _, err := writeGGUF(path, p.kv, p.tensors); err != nil {
			t.Fatal(err)
		}
		_, err = OpenAdapter(path, m)
		if c.want == nil {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range append(c.want, path) {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", name, err, want)
			}
		}
	}

	path := filepath.Join(t.TempDir(), "a.gguf")
	if err := randomAdapter(t, m, 3, "attn_k").WriteFile(path); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenAdapter(path, smallModel(t, true)); err == nil || !strings.Contains(err.Error(), "no digest") {
		t.Errorf("a base without a digest: error %v", err)
	}
}

// FuzzOpenAdapter lets nothing in a file make the reader panic.
func FuzzOpenAdapter(f *testing.F) {
	m := digested(f)
	path := filepath.Join(f.TempDir(), "a.gguf")
	if err := randomAdapter(f, m, 3, "attn_k").WriteFile(path); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := openGGUF(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		if a, err := file.adapter(m); err == nil && a.checkScale() != nil {
			t.Error(a.checkScale())
		}
	})
}

// A view that takes another adapter, of other matrices even, is the view of that adapter, and takes no more memory for the matrices of before.
func TestARenewedViewIsThatOfItsAdapter(t *testing.T) {
	m := smallModel(t, true)
	base, err := m.View(nil)
	if err != nil {
		t.Fatal(err)
	}
	seqs, from := [][]int32{{1, 2, 3, 4, 5, 6}}, []int{1}
	logprobs := func(v *View) []float32 {
		l, err := v.Logprobs(t.Context(), seqs, from)
		if err != nil {
			t.Fatal(err)
		}
		return l[0]
	}
	before := logprobs(base)
	v, err := m.View(randomAdapter(t, m, 2, "attn_q", "ffn_down"))
	if err != nil {
		t.Fatal(err)
	}
	held := &v.k.blocks[0][matQ].w[0]
	for _, a := range []*Adapter{randomAdapter(t, m, 3, allTargets...), randomAdapter(t, m, 1, "attn_q"), nil, randomAdapter(t, m, 2, "ffn_up")} {
		fresh, err := m.View(a)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Renew(a); err != nil {
			t.Fatal(err)
		}
		if got, want := logprobs(v), logprobs(fresh); !slices.Equal(got, want) {
			t.Errorf("renewed %v, fresh %v", got, want)
		}
		if a != nil && a.Factors[0].Name == "blk.0.attn_q" && &v.k.blocks[0][matQ].w[0] != held {
			t.Error("the adapted matrix has moved")
		}
	}
	if !slices.Equal(logprobs(base), before) {
		t.Error("the base has changed")
	}
}

func TestAnAdapterLeavesTheBiasesWhereTheyAre(t *testing.T) {
	c := smallModel(t, true).Config
	c.Arch, c.Bias = Qwen2, true
	m, err := NewModel(c, NewByteTokenizer([]string{"solve"}, 32))
	if err != nil {
		t.Fatal(err)
	}
	m.Init(7)
	for i := range m.Blocks[1].BQ {
		m.Blocks[1].BQ[i] = float32(i)
	}
	m.changed()
	a, err := NewAdapter(m, 2, 4, allTargets, 1) // changes nothing yet
	if err != nil {
		t.Fatal(err)
	}
	seqs, from := [][]int32{{1, 2, 3, 4, 5, 6}}, []int{1}
	var got [2][][]float32
	for i, with := range []*Adapter{nil, a} {
		v, err := m.View(with)
		if err != nil {
			t.Fatal(err)
		}
		if got[i], err = v.Logprobs(t.Context(), seqs, from); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(got[0][0], got[1][0]) {
		t.Errorf("without an adapter %v, with one that changes nothing %v", got[0][0], got[1][0])
	}
}
