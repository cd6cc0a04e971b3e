package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Adapter is a LoRA adapter (arXiv 2106.09685, eq. 3): on chosen matrices W x becomes W x + (Alpha/Rank)·B(A x).
type Adapter struct {
	Arch       Architecture // of the model it belongs to
	BaseName   string       // Model.Name of the model it belongs to
	BaseDigest string       // Model.Digest of that model when the adapter was made
	Rank       int
	Alpha      float32
	Factors    []Factor // in order of block, then of matrix as in Model.Tensors
}

// Factor is the pair of low-rank matrices of one adapted matrix.
type Factor struct {
	Name    string // of the adapted matrix, without ".weight": "blk.0.attn_q"
	In, Out int    // of the adapted matrix
	A       []float32
	B       []float32 // A is [Rank][In], B is [Out][Rank], row-major
}

// NewAdapter makes an adapter for m that changes nothing yet: A is uniform within ±1/√In, B is zero. targets are the matrices to
// adapt in every block, among attn_q, attn_k, attn_v, attn_output, ffn_gate, ffn_up and ffn_down; the same seed gives the same A.
// An unknown or repeated target, a rank that exceeds a target's smaller side, and an alpha that is not positive are errors: llama.cpp
// reads an alpha of 0 as a scale of 1.
func NewAdapter(m *Model, rank int, alpha float32, targets []string, seed uint64) (*Adapter, error) {
	chosen, err := chooseMatrices(targets)
	if err != nil {
		return nil, err
	}
	a := &Adapter{Arch: m.Arch, BaseName: m.Name, BaseDigest: m.Digest, Rank: rank, Alpha: alpha}
	if err := a.checkScale(); err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(seed, 0x61646170746572))
	for block := range m.Layers {
		for matrix, name := range matrixNames {
			if !chosen[matrix] {
				continue
			}
			out, in := m.matrixShape(matrix)
			if rank > min(in, out) {
				return nil, fmt.Errorf("adapter rank %d: %s is a %d×%d matrix, whose rank is at most %d", rank, name, out, in, min(in, out))
			}
			f := Factor{Name: factorName(block, matrix), In: in, Out: out, A: make([]float32, rank*in), B: make([]float32, out*rank)}
			bound := 1 / math.Sqrt(float64(in))
			for i := range f.A {
				f.A[i] = float32(bound * (2*r.Float64() - 1))
			}
			a.Factors = append(a.Factors, f)
		}
	}
	return a, nil
}

// chooseMatrices marks the matrices that targets name.
func chooseMatrices(targets []string) (chosen [matCount]bool, err error) {
	if len(targets) == 0 {
		return chosen, fmt.Errorf("an adapter needs at least one target; allowed: %s", strings.Join(matrixNames[:], ", "))
	}
	for _, target := range targets {
		i := slices.Index(matrixNames[:], target)
		if i < 0 {
			return chosen, fmt.Errorf("adapter target %q is no matrix of a block; allowed: %s", target, strings.Join(matrixNames[:], ", "))
		}
		if chosen[i] {
			return chosen, fmt.Errorf("adapter target %q is listed twice", target)
		}
		chosen[i] = true
	}
	return chosen, nil
}

func factorName(block, matrix int) string {
	return fmt.Sprintf("blk.%d.%s", block, matrixNames[matrix])
}

func (a *Adapter) checkScale() error {
	if a.Rank < 1 {
		return fmt.Errorf("adapter rank is %d; it has to be at least 1", a.Rank)
	}
	if !(a.Alpha > 0) || math.IsInf(float64(a.Alpha), 1) {
		return fmt.Errorf("adapter alpha is %g; it has to be positive and finite", a.Alpha)
	}
	return nil
}

// Clone is a copy that shares nothing with a.
func (a *Adapter) Clone() *Adapter {
	c := *a
	c.Factors = slices.Clone(a.Factors)
	for i := range c.Factors {
		f := &c.Factors[i]
		f.A, f.B = slices.Clone(f.A), slices.Clone(f.B)
	}
	return &c
}
