package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ollama/ollama/fs/ggml"

	"verge/internal/disk"
)

// Keys that say which model an adapter belongs to. GGUF has none for it, and llama.cpp checks shapes alone.
const (
	baseDigestKey = "adapter.verge.base_digest"
	baseNameKey   = "adapter.verge.base_name"
)

// Endings of an adapted tensor's name for its two factors.
const (
	factorA = ".weight.lora_a"
	factorB = ".weight.lora_b"
)

// WriteFile writes the adapter as a GGUF adapter that llama.cpp and Ollama load, in single precision, in one step and byte for byte
// the same each time. An adapter whose base has no digest is refused: nothing could tell later which model it belongs to.
func (a *Adapter) WriteFile(path string) error {
	tensors, err := a.tensors()
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	_, err = writeGGUF(path, ggml.KV{
		"general.architecture": a.Arch.String(),
		"general.type":         "adapter",
		"adapter.type":         "lora",
		"adapter.lora.alpha":   a.Alpha,
		baseDigestKey:          a.BaseDigest,
		baseNameKey:            a.BaseName,
	}, tensors)
	return err
}

func (a *Adapter) tensors() ([]*ggml.Tensor, error) {
	if err := a.checkScale(); err != nil {
		return nil, err
	}
	if a.BaseDigest == "" {
		return nil, errors.New("the adapter's base model had no digest when the adapter was made; write or open the model as a file first")
	}
	if len(a.Factors) == 0 {
		return nil, errors.New("the adapter has no factors")
	}
	var tensors []*ggml.Tensor
	for _, f := range a.Factors {
		down, err := newTensor(f.Name+factorA, []int{a.Rank, f.In}, f.A, false)
		if err != nil {
			return nil, err
		}
		up, err := newTensor(f.Name+factorB, []int{f.Out, a.Rank}, f.B, false)
		if err != nil {
			return nil, err
		}
		tensors = append(tensors, down, up)
	}
	return tensors, nil
}

// OpenAdapter reads an adapter that WriteFile wrote for m. An adapter made for another model, or that does not say for which, is
// refused; so are shapes that do not fit and tensors that the engine does not adapt.
func OpenAdapter(path string, m *Model) (*Adapter, error) {
	file, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	f, err := openGGUF(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	a, err := f.adapter(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

func (f *ggufFile) adapter(m *Model) (*Adapter, error) {
	for _, want := range [][2]string{{"general.type", "adapter"}, {"adapter.type", "lora"}, {"general.architecture", m.Arch.String()}} {
		found, err := value[string](f, want[0])
		if err != nil {
			return nil, err
		}
		if found != want[1] {
			return nil, fmt.Errorf("%s is %q, expected %q", want[0], found, want[1])
		}
	}
	a := &Adapter{Arch: m.Arch}
	if err := f.adapterBase(a, m); err != nil {
		return nil, err
	}
	var err error
	if a.Alpha, err = value[float32](f, "adapter.lora.alpha"); err != nil {
		return nil, err
	}
	if a.Rank, err = f.adapterRank(); err != nil {
		return nil, err
	}
	if err := a.checkScale(); err != nil {
		return nil, err
	}
	return a, f.loadFactors(a, m)
}

// adapterBase reads which model the adapter belongs to and refuses any other.
func (f *ggufFile) adapterBase(a *Adapter, m *Model) (err error) {
	if a.BaseDigest, err = value[string](f, baseDigestKey); err != nil {
		return fmt.Errorf("the adapter does not say which model it belongs to: %w", err)
	}
	if a.BaseName, err = value[string](f, baseNameKey); err != nil {
		return err
	}
	if m.Digest == "" {
		return fmt.Errorf("model %q has no digest to compare with the adapter's; write or open it as a file first", m.Name)
	}
	if a.BaseDigest != m.Digest {
		return fmt.Errorf("the adapter belongs to model %q with digest %s, not to %q with digest %s; open it with the model it was trained on",
			a.BaseName, a.BaseDigest, m.Name, m.Digest)
	}
	return nil
}

// adapterRank is the rank of the first factor; loadFactors holds the others to it.
func (f *ggufFile) adapterRank() (int, error) {
	if len(f.tensors) == 0 {
		return 0, errors.New("the adapter has no tensors")
	}
	first := f.tensors[slices.Min(slices.Collect(maps.Keys(f.tensors)))]
	if len(first.Shape) != 2 {
		return 0, fmt.Errorf("tensor %s has %d dimensions, expected 2", first.Name, len(first.Shape))
	}
	// In a file the innermost dimension comes first; names sort lora_a before lora_b.
	return int(first.Shape[1]), nil
}

func (f *ggufFile) loadFactors(a *Adapter, m *Model) error {
	used := map[string]bool{}
	for block := range m.Layers {
		for matrix := range matrixNames {
			out, in := m.matrixShape(matrix)
			l := Factor{Name: factorName(block, matrix), In: in, Out: out}
			nameA, nameB := l.Name+factorA, l.Name+factorB
			if f.tensors[nameA] == nil && f.tensors[nameB] == nil {
				continue
			}
			used[nameA], used[nameB] = true, true
			tensorA, err := f.tensor(nameA, []int{a.Rank, in})
			if err != nil {
				return err
			}
			tensorB, err := f.tensor(nameB, []int{out, a.Rank})
			if err != nil {
				return err
			}
			l.A, l.B = make([]float32, a.Rank*in), make([]float32, out*a.Rank)
			if err := errors.Join(f.load(tensorA, l.A), f.load(tensorB, l.B)); err != nil {
				return err
			}
			a.Factors = append(a.Factors, l)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.tensors)) {
		if !used[name] {
			return fmt.Errorf("tensor %s is no factor of a matrix that the engine adapts in a model of %d blocks", name, m.Layers)
		}
	}
	return nil
}
