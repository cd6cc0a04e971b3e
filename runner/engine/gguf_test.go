package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ollama/ollama/fs/ggml"
	"github.com/ollama/ollama/fs/gguf"
	"github.com/ollama/ollama/tokenizer"
)

// written writes m to a new file and returns its path and bytes.
func written(t testing.TB, m *Model, half bool) (string, []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.gguf")
	if err := m.WriteFile(path, half); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, data
}

func named(t testing.TB, tied bool) *Model {
	m := smallModel(t, tied)
	m.Name, m.Version = "small", "3"
	return m
}

func TestModelRoundTripsExactly(t *testing.T) {
	for _, tied := range []bool{true, false} {
		m := named(t, tied)
		path, data := written(t, m, false)
		got, err := OpenModel(path)
		if err != nil {
			t.Fatal(err)
		}
		if got.Config != m.Config || got.Name != m.Name || got.Version != m.Version {
			t.Errorf("tied=%v: read %+v %q %q, want %+v %q %q", tied, got.Config, got.Name, got.Version, m.Config, m.Name, m.Version)
		}
		if !slices.Equal(got.params, m.params) {
			t.Errorf("tied=%v: weights differ", tied)
		}
		if diff := cmp.Diff(m.Tokenizer, got.Tokenizer, cmp.AllowUnexported(Tokenizer{})); diff != "" {
			t.Errorf("tied=%v: tokenizer differs: %s", tied, diff)
		}
		sum := sha256.Sum256(data)
		if want := hex.EncodeToString(sum[:]); got.Digest != want || m.Digest != want {
			t.Errorf("tied=%v: digests %s (read) and %s (written), want %s", tied, got.Digest, m.Digest, want)
		}
		fromBytes, err := ReadModel(data, "small")
		if err != nil {
			t.Fatal(err)
		}
		if fromBytes.Digest != m.Digest || !slices.Equal(fromBytes.params, m.params) {
			t.Errorf("tied=%v: reading the bytes gives another model than opening the file", tied)
		}
	}
}

func TestHalfPrecisionRoundsMatricesOnceAndNormsNever(t *testing.T) {
	m := named(t, true)
	before := slices.Clone(m.params)
	path, first := written(t, m, true)
	if !slices.Equal(m.params, before) {
		t.Error("writing changed the weights in memory")
	}
	got, err := OpenModel(path)
	if err != nil {
		t.Fatal(err)
	}
	want := m.Tensors()
	for i, tensor := range got.Tensors() {
		for j, v := range tensor.Data {
			exact := want[i].Data[j]
			// Half precision has 11 significant bits, and subnormals below 2⁻¹⁴ with a step of 2⁻²⁴.
			tolerance := max(math.Abs(float64(exact))*0x1p-11, 0x1p-25)
			if len(tensor.Shape) == 1 {
				tolerance = 0
			}
			if math.Abs(float64(v-exact)) > tolerance {
				t.Fatalf("%s[%d] is %g, want %g", tensor.Name, j, v, exact)
			}
		}
	}
	if slices.Equal(got.params, m.params) {
		t.Error("half precision rounded nothing")
	}
	if _, second := written(t, got, true); !bytes.Equal(first, second) {
		t.Error("a file read and written again in half precision differs")
	}
}

func TestWritingIsReproducibleAndLeavesNothingBehind(t *testing.T) {
	for _, half := range []bool{false, true} {
		m := named(t, false)
		path, first := written(t, m, half)
		if err := m.WriteFile(path, half); err != nil {
			t.Fatal(err)
		}
		second, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, second) {
			t.Errorf("half=%v: two writes differ", half)
		}
		entries, err := os.ReadDir(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) != 1 {
			t.Errorf("half=%v: directory holds %v, want the model alone", half, entries)
		}
	}
}

func TestFailedWriteKeepsTheOldFile(t *testing.T) {
	m := named(t, true)
	path, old := written(t, m, false)
	digest := m.Digest
	for value, message := range map[float32]string{float32(math.NaN()): "finite", float32(math.Inf(1)): "finite", 1e6: "half precision"} {
		m.Blocks[1].Up[3] = value
		err := m.WriteFile(path, true)
		if err == nil || !strings.Contains(err.Error(), "blk.1.ffn_up.weight: value 3") || !strings.Contains(err.Error(), message) {
			t.Errorf("%g: error %v", value, err)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, old) || m.Digest != digest {
			t.Errorf("%g: a failed write changed the file or the digest", value)
		}
	}
	if err := m.WriteFile(filepath.Join(t.TempDir(), "none", "m.gguf"), false); err == nil {
		t.Error("writing into a directory that does not exist succeeds")
	}

	m = named(t, true)
	dir := t.TempDir()
	taken := filepath.Join(dir, "m.gguf")
	if err := os.MkdirAll(filepath.Join(taken, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := m.WriteFile(taken, false); err == nil || !strings.Contains(err.Error(), taken) || m.Digest != "" {
		t.Errorf("writing over a directory: error %v, digest %q", err, m.Digest)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("a failed write left %v behind (%v)", entries, err)
	}
}

// TestFileIsWhatLlamaCppReads holds the file to the keys and types of llama.cpp's loader, through Ollama's reader.
func TestFileIsWhatLlamaCppReads(t *testing.T) {
	m := named(t, false)
	for half, fileType := range map[bool]uint32{false: 0, true: 1} {
		path, _ := written(t, m, half)
		f, err := gguf.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		got := map[string]any{}
		for _, kv := range f.KeyValues() {
			switch kv.Key {
			case "tokenizer.ggml.tokens", "tokenizer.ggml.merges":
				got[kv.Key] = kv.Strings()
			case "tokenizer.ggml.token_type":
				got[kv.Key] = kv.Ints()
			case "llama.rope.freq_base", "llama.attention.layer_norm_rms_epsilon":
				got[kv.Key] = float32(kv.Float())
			case "tokenizer.ggml.add_bos_token", "tokenizer.ggml.add_eos_token":
				got[kv.Key] = kv.Bool()
			default:
				got[kv.Key] = kv.String()
				if kv.String() == "" {
					got[kv.Key] = uint32(kv.Uint())
				}
			}
		}
		types := slices.Repeat([]int64{1}, 256)
		types = append(types, 3, 3)
		types = append(types, slices.Repeat([]int64{5}, 30)...)
		want := map[string]any{
			"general.architecture": "llama", "general.type": "model", "general.name": "small", "general.version": "3", "general.file_type": fileType,
			"llama.vocab_size": uint32(288), "llama.block_count": uint32(2), "llama.context_length": uint32(80), "llama.embedding_length": uint32(16),
			"llama.feed_forward_length": uint32(24), "llama.attention.head_count": uint32(4), "llama.attention.head_count_kv": uint32(2),
			"llama.attention.key_length": uint32(4), "llama.attention.value_length": uint32(4), "llama.attention.layer_norm_rms_epsilon": float32(1e-5),
			"llama.rope.dimension_count": uint32(4), "llama.rope.freq_base": float32(10000),
			"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "default", "tokenizer.ggml.tokens": m.Tokenizer.tokens,
			"tokenizer.ggml.token_type": types, "tokenizer.ggml.merges": []string{}, "tokenizer.ggml.bos_token_id": uint32(256),
			"tokenizer.ggml.eos_token_id": uint32(256), "tokenizer.ggml.padding_token_id": uint32(256),
			"tokenizer.ggml.add_bos_token": false, "tokenizer.ggml.add_eos_token": false,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("half=%v: keys (-want +got):\n%s", half, diff)
		}
		if n := f.NumTensors(); n != 21 {
			t.Errorf("half=%v: %d tensors, want 21", half, n)
		}
		for name, shape := range map[string][]uint64{
			"token_embd.weight": {16, 288}, "blk.0.attn_norm.weight": {16}, "blk.1.attn_q.weight": {16, 16}, "blk.1.attn_k.weight": {16, 8},
			"blk.0.attn_output.weight": {16, 16}, "blk.1.ffn_gate.weight": {16, 24}, "blk.1.ffn_down.weight": {24, 16}, "output.weight": {16, 288},
		} {
			info := f.TensorInfo(name)
			kind := gguf.TensorTypeF32
			if half && len(shape) > 1 {
				kind = gguf.TensorTypeF16
			}
			if !slices.Equal(info.Shape, shape) || info.Type != kind {
				t.Errorf("half=%v: %s has shape %v and type %v, want %v and %v", half, name, info.Shape, info.Type, shape, kind)
			}
		}
	}
}

func TestOllamaTokenizesTheSame(t *testing.T) {
	m := named(t, true)
	path, _ := written(t, m, false)
	f, err := gguf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	vocabulary := &tokenizer.Vocabulary{
		Values: f.KeyValue("tokenizer.ggml.tokens").Strings(),
		Merges: f.KeyValue("tokenizer.ggml.merges").Strings(),
		EOS:    []int32{int32(f.KeyValue("tokenizer.ggml.eos_token_id").Uint())},
	}
	for _, kind := range f.KeyValue("tokenizer.ggml.token_type").Ints() {
		vocabulary.Types = append(vocabulary.Types, int32(kind))
	}
	bpe := tokenizer.NewBytePairEncoding(vocabulary)
	var printable strings.Builder
	for b := byte(1); b < 0x80; b++ {
		printable.WriteByte(b)
	}
	for _, text := range []string{"What is 12 * (3 + 4)?\n\tAnswer:  84", "don't [PAD0] end", printable.String(), "naïve ≤ 数 \u00ad\u00a0"} {
		got, err := bpe.Encode(text, true)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, m.Tokenizer.Encode(text)) {
			t.Errorf("%q: Ollama has %v, the engine %v", text, got, m.Tokenizer.Encode(text))
		}
		back, err := bpe.Decode(got)
		if err != nil || back != text {
			t.Errorf("%q: Ollama decodes %q, %v", text, back, err)
		}
	}
	got, err := bpe.Encode("<|solve|>1+1<|end|>", true)
	if want := []int32{257, '1', '+', '1', 256}; err != nil || !slices.Equal(got, want) {
		t.Errorf("control tokens: Ollama has %v, %v, want %v", got, err, want)
	}
	if !bpe.Is(m.Tokenizer.End(), tokenizer.SpecialEOS) {
		t.Error("Ollama does not stop at the end token")
	}
}

// parts are what a file is made of, for tests to spoil.
type parts struct {
	kv      ggml.KV
	tensors []*ggml.Tensor
}

func (p *parts) tensor(name string) *ggml.Tensor {
	for _, t := range p.tensors {
		if t.Name == name {
			return t
		}
	}
	panic("no tensor " + name)
}

// zeros is a tensor of that type and shape, innermost first, that holds zeros.
func zeros(name string, kind ggml.TensorType, shape ...uint64) *ggml.Tensor {
	t := &ggml.Tensor{Name: name, Kind: uint32(kind), Shape: shape}
	t.WriterTo = bytes.NewBuffer(make([]byte, t.Size()))
	return t
}

// spoiled writes m's file after spoil has had its way with the parts.
func spoiled(t *testing.T, m *Model, spoil func(p *parts)) []byte {
	t.Helper()
	p := &parts{kv: m.metadata(false)}
	for _, tensor := range m.Tensors() {
		w, err := newTensor(tensor.Name, tensor.Shape, tensor.Data, false)
		if err != nil {
			t.Fatal(err)
		}
		p.tensors = append(p.tensors, w)
	}
	spoil(p)
	path := filepath.Join(t.TempDir(), "spoiled.gguf")
	if _, err := writeGGUF(path, p.kv, p.tensors); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestWhatTheEngineDoesNotRunIsRefused(t *testing.T) {
	m := named(t, true)
	set := func(key string, v any) func(*parts) { return func(p *parts) { p.kv[key] = v } }
	unset := func(key string) func(*parts) { return func(p *parts) { delete(p.kv, key) } }
	add := func(tensor *ggml.Tensor) func(*parts) {
		return func(p *parts) { p.tensors = append(p.tensors, tensor) }
	}
	replace := func(name string, kind ggml.TensorType, shape ...uint64) func(*parts) {
		return func(p *parts) { *p.tensor(name) = *zeros(name, kind, shape...) }
	}
	token := func(id int, text string) func(*parts) {
		return func(p *parts) {
			tokens := slices.Clone(m.Tokenizer.tokens)
			tokens[id] = text
			p.kv["tokenizer.ggml.tokens"] = tokens
		}
	}
	for name, c := range map[string]struct {
		spoil func(*parts)
		want  []string // what the message says
	}{
		"architecture":        {set("general.architecture", "gemma3"), []string{`"gemma3"`, "llama, qwen2"}},
		"an adapter":          {set("general.type", "adapter"), []string{`"adapter"`, `"model"`}},
		"rope scaling":        {set("llama.rope.scaling.type", "yarn"), []string{"llama.rope.scaling.type"}},
		"rope scaling factor": {set("llama.rope.scaling.factor", float32(-8)), []string{"rotary scale -8"}},
		"linear rope scaling": {set("llama.rope.scale_linear", float32(2)), []string{"llama.rope.scale_linear"}},
		"experts":             {set("llama.expert_count", uint32(8)), []string{"llama.expert_count"}},
		"rope factors":        {add(zeros("rope_freqs.weight", ggml.TensorTypeF32, 3)), []string{"rope_freqs.weight", "[3]", "[2]"}},
		"rope factor 0":       {add(zeros("rope_freqs.weight", ggml.TensorTypeF32, 2)), []string{"rope_freqs.weight", "positive"}},
		"one bias of three":   {add(zeros("blk.0.attn_q.bias", ggml.TensorTypeF32, 16)), []string{"blk.0.attn_k.bias", "missing"}},
		"another bias":        {add(zeros("blk.0.attn_output.bias", ggml.TensorTypeF32, 16)), []string{"blk.0.attn_output.bias"}},
		"a block too many":    {add(zeros("blk.2.attn_norm.weight", ggml.TensorTypeF32, 16)), []string{"blk.2.attn_norm.weight"}},
		"format":              {replace("blk.0.ffn_up.weight", ggml.TensorTypeQ2_K, 256, 24), []string{"blk.0.ffn_up.weight", "Q2_K", "Q4_K"}},
		"blocks":              {replace("blk.0.ffn_up.weight", ggml.TensorTypeQ8_0, 16, 24), []string{"blk.0.ffn_up.weight", "16 values", "Q8_0"}},
		"shape":               {replace("blk.1.ffn_up.weight", ggml.TensorTypeF32, 24, 16), []string{"blk.1.ffn_up.weight", "[16 24]", "[24 16]"}},
		"rank":                {replace("output_norm.weight", ggml.TensorTypeF32, 16, 1), []string{"output_norm.weight", "[1 16]", "[16]"}},
		"few tokens":          {replace("token_embd.weight", ggml.TensorTypeF32, 16, 256), []string{"token_embd.weight", "[256 16]", "[288 16]"}},
		"missing":             {func(p *parts) { p.tensors = p.tensors[1:] }, []string{"token_embd.weight", "missing"}},
		"output shape":        {add(zeros("output.weight", ggml.TensorTypeF32, 16, 16)), []string{"output.weight", "[288 16]"}},
		"not finite": {func(p *parts) {
			*p.tensor("output_norm.weight") = ggml.Tensor{Name: "output_norm.weight", Shape: []uint64{16},
				WriterTo: floats{slices.Repeat([]float32{float32(math.NaN())}, 16), false}}
		}, []string{"output_norm.weight", "NaN"}},

		"no width":       {unset("llama.embedding_length"), []string{"llama.embedding_length", "missing"}},
		"type of key":    {set("llama.block_count", "two"), []string{"llama.block_count", "string", "uint32"}},
		"per layer":      {set("llama.attention.head_count_kv", []int32{2, 2}), []string{"llama.attention.head_count_kv"}},
		"no epsilon":     {unset("llama.attention.layer_norm_rms_epsilon"), []string{"layer_norm_rms_epsilon", "missing"}},
		"no heads":       {set("llama.attention.head_count", uint32(0)), []string{"heads is 0"}},
		"odd sharing":    {set("llama.attention.head_count_kv", uint32(3)), []string{"4 heads", "3 key/value heads"}},
		"value length":   {set("llama.attention.value_length", uint32(8)), []string{"llama.attention.value_length is 8", "4"}},
		"partial rotary": {set("llama.rope.dimension_count", uint32(2)), []string{"llama.rope.dimension_count is 2", "4"}},
		"vocabulary":     {set("llama.vocab_size", uint32(300)), []string{"llama.vocab_size is 300", "288"}},
		"context":        {set("llama.context_length", uint32(math.MaxUint32)), []string{"llama.context_length"}},
		"rotary table": {func(p *parts) {
			p.kv["llama.context_length"], p.kv["llama.attention.key_length"] = uint32(1<<20), uint32(1<<10)
			p.kv["llama.attention.value_length"], p.kv["llama.rope.dimension_count"] = uint32(1<<10), uint32(1<<10)
		}, []string{"llama.context_length is 1048576", "attention.key_length is 1024"}},
		"block count": {set("llama.block_count", uint32(math.MaxUint32)), []string{"llama.block_count"}},
		"width":       {set("llama.embedding_length", uint32(math.MaxUint32)), []string{"token_embd.weight", "[288 4294967295]"}},

		"word pieces": {set("tokenizer.ggml.model", "bert"), []string{`"bert"`, "SentencePiece"}},
		"no scores":   {set("tokenizer.ggml.model", "llama"), []string{"tokenizer.ggml.scores has 0", "288"}},
		"pre-tokenizer": {func(p *parts) {
			p.kv["tokenizer.ggml.merges"] = []string{"a b"}
			p.kv["tokenizer.ggml.pre"] = "tekken"
		}, []string{"tokenizer.ggml.pre", `"tekken"`, "qwen2", "smollm"}},
		"no tokens": {unset("tokenizer.ggml.tokens"), []string{"tokenizer.ggml.tokens", "missing"}},
		"no types":  {unset("tokenizer.ggml.token_type"), []string{"tokenizer.ggml.token_type", "missing"}},
		"types": {set("tokenizer.ggml.token_type", m.Tokenizer.types[1:]),
			[]string{"tokenizer.ggml.token_type has 287 entries for 288 tokens"}},
		"a byte":        {token('a', "b"), []string{"token 97", `"b"`, `"a"`}},
		"end token":     {token(256, "</s>"), []string{"token 256", "</s>", "<|end|>"}},
		"control token": {token(257, "<solve>"), []string{"tokenizer.ggml.tokens", "solve"}},
		"end id":        {set("tokenizer.ggml.eos_token_id", uint32(0)), []string{"tokenizer.ggml.eos_token_id is 0", "256"}},
		"start added":   {set("tokenizer.ggml.add_bos_token", true), []string{"tokenizer.ggml.add_bos_token"}},
		"no word of it": {unset("tokenizer.ggml.add_bos_token"), []string{"tokenizer.ggml.add_bos_token"}},
	} {
		_, err := ReadModel(spoiled(t, m, c.spoil), "file.gguf")
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range append(c.want, "file.gguf") {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", name, err, want)
			}
		}
	}
}

func TestOptionalKeysHaveTheValuesOfGGUF(t *testing.T) {
	m := named(t, true)
	for _, key := range []string{"general.type", "general.name", "general.version", "llama.vocab_size", "llama.attention.key_length",
		"llama.attention.value_length", "llama.rope.dimension_count", "llama.rope.freq_base", "tokenizer.ggml.merges"} {
		got, err := ReadModel(spoiled(t, m, func(p *parts) { delete(p.kv, key) }), "file.gguf")
		if err != nil {
			t.Errorf("without %s: %v", key, err)
		} else if got.Config != m.Config {
			t.Errorf("without %s: shape %+v, want %+v", key, got.Config, m.Config)
		}
	}
	data := spoiled(t, m, func(p *parts) {
		delete(p.kv, "llama.attention.head_count_kv")
		for _, name := range []string{"blk.0.attn_k.weight", "blk.0.attn_v.weight", "blk.1.attn_k.weight", "blk.1.attn_v.weight"} {
			*p.tensor(name) = *zeros(name, ggml.TensorTypeF32, 16, 16)
		}
	})
	got, err := ReadModel(data, "file.gguf")
	if err != nil {
		t.Fatal(err)
	}
	if got.KVHeads != got.Heads {
		t.Errorf("without head_count_kv: %d key/value heads, want one for each of %d", got.KVHeads, got.Heads)
	}
}

func TestEveryTruncationIsAnError(t *testing.T) {
	_, data := written(t, named(t, true), true)
	lengths := []int{len(data) - 1}
	for n := 0; n < len(data); n += 97 {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		if _, err := ReadModel(data[:n], "cut.gguf"); err == nil {
			t.Fatalf("%d of %d bytes: no error", n, len(data))
		}
	}
}

// patch returns data with the little-endian bytes of v at offset at.
func patch(data []byte, at int, v any) []byte {
	out := slices.Clone(data)
	if _, err := binary.Encode(out[at:], binary.LittleEndian, v); err != nil {
		panic(err)
	}
	return out
}

// after is the offset just behind the first occurrence of s.
func after(t testing.TB, data []byte, s string) int {
	t.Helper()
	i := bytes.Index(data, []byte(s))
	if i < 0 {
		t.Fatalf("the file does not hold %q", s)
	}
	return i + len(s)
}

// hostile are headers that announce what is not there, by what is wrong with them.
func hostile(t testing.TB) map[string][]byte {
	_, data := written(t, named(t, true), false)
	name := after(t, data, "general.name")
	tokens := after(t, data, "tokenizer.ggml.tokens")
	types := after(t, data, "tokenizer.ggml.token_type")
	table := after(t, data, "blk.0.attn_q.weight")
	files := map[string][]byte{
		"empty":                   {},
		"other file":              []byte("PK\x03\x04 this is an archive, no model"),
		"big-endian":              patch(data, 4, uint32(3<<24)),
		"version 1":               patch(data, 4, uint32(1)),
		"tensor count":            patch(data, 8, uint64(math.MaxUint64)),
		"key count":               patch(data, 16, uint64(math.MaxInt64)),
		"key length":              patch(data, 24, uint64(math.MaxUint64)),
		"value type":              patch(data, name, uint32(13)),
		"string length":           patch(data, name+4, uint64(1<<62)),
		"negative string length":  patch(data, name+4, uint64(math.MaxUint64-7)),
		"array of arrays":         patch(data, tokens+4, uint32(9)),
		"array length":            patch(data, tokens+8, uint64(1<<61)),
		"number array length":     patch(data, types+8, uint64(1<<62)),
		"length within an array":  patch(data, tokens+16, uint64(1<<40)),
		"dimensions":              patch(data, table, uint32(math.MaxUint32)),
		"no dimensions":           patch(data, table, uint32(0)),
		"shape of 2⁶⁴":            patch(patch(data, table+4, uint64(1<<32)), table+12, uint64(1<<32)),
		"shape of 0":              patch(data, table+4, uint64(0)),
		"large shape":             patch(data, table+4, uint64(1<<40)),
		"tensor type":             patch(data, table+20, uint32(999)),
		"offset":                  patch(data, table+24, uint64(math.MaxUint64-31)),
		"overlapping tensors":     patch(data, table+24, uint64(0)),
		"two tensors of one name": bytes.Replace(data, []byte("blk.1.attn_q.weight"), []byte("blk.0.attn_q.weight"), 1),
		"two keys of one name":    bytes.Replace(data, []byte("llama.rope.freq_base"), []byte("llama.context_length"), 1),
	}
	for what, alignment := range map[string]any{"alignment 0": uint32(0), "odd alignment": uint32(33), "wide alignment": uint64(32)} {
		p := filepath.Join(t.TempDir(), "aligned.gguf")
		kv := ggml.KV{"general.architecture": "llama", "general.alignment": uint32(32), "general.name": "padding"}
		if _, err := writeGGUF(p, kv, nil); err != nil {
			t.Fatal(err)
		}
		aligned, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		at := after(t, aligned, "general.alignment")
		if wide, ok := alignment.(uint64); ok {
			aligned = slices.Insert(patch(aligned, at, uint32(10)), at+8, 0, 0, 0, 0)
			files[what] = patch(aligned, at+4, wide)
			continue
		}
		files[what] = patch(aligned, at+4, alignment)
	}
	return files
}

func TestHostileHeadersAreErrorsAndCostNothing(t *testing.T) {
	for name, data := range hostile(t) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := ReadModel(data, "hostile.gguf")
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: no error", name)
		} else if !strings.HasPrefix(err.Error(), "hostile.gguf: ") {
			t.Errorf("%s: %q does not begin with the file's name", name, err)
		}
		if got, limit := after.TotalAlloc-before.TotalAlloc, uint64(1<<20+4*len(data)); got > limit {
			t.Errorf("%s: %d bytes were allocated for a file of %d", name, got, len(data))
		}
	}
}

func TestOpenModelSaysWhichFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "text.gguf")
	if err := os.WriteFile(path, []byte("no model at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, dir, filepath.Join(dir, "none.gguf")} {
		if _, err := OpenModel(p); err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("%s: error %v", p, err)
		}
	}
}

// FuzzReadModel lets nothing in a file make the reader panic.
func FuzzReadModel(f *testing.F) {
	_, data := written(f, named(f, true), true)
	f.Add(data)
	for _, data := range hostile(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ReadModel(data, "fuzz")
		if err == nil && m.Check() != nil {
			t.Error(fmt.Errorf("a model that was read is not sound: %w", m.Check()))
		}
	})
}
