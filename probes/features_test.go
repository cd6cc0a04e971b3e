package probes

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"verge/domains/prompt"
)

// counting counts the calls of Read.
type counting struct {
	*fake
	reads int
}

func (c *counting) Read(ctx context.Context, ps []prompt.Prompt, layers []int, visit func(int, int, []float32)) error {
	c.reads++
	return c.fake.Read(ctx, ps, layers, visit)
}

func TestPoolingsOfOneRead(t *testing.T) {
	f := &counting{fake: &fake{layers: 1, width: 2, states: [][][]float32{
		{{1, 2}, {3, -4, 5, 0, 7, 10}},
		{{5, 6}, {-1, -2}},
	}}}
	ps := []prompt.Prompt{{prompt.Text("1")}, {prompt.Text("0")}}
	got, err := extract(t.Context(), f, ps, []int{0, 1}, Poolings())
	if err != nil {
		t.Fatal(err)
	}
	if f.reads != 1 {
		t.Errorf("%d reads, want 1", f.reads)
	}
	for _, c := range []struct {
		at   place
		i    int
		want []float64
	}{
		{place{layer: 1, pooling: Mean}, 1, []float64{5, 2}},
		{place{layer: 1, pooling: Last}, 1, []float64{7, 10}},
		{place{layer: 1, pooling: MeanLast}, 1, []float64{5, 2, 7, 10}},
		{place{layer: 1, pooling: MeanLast}, 0, []float64{-1, -2, -1, -2}},
		{place{layer: 0, pooling: Mean}, 0, []float64{5, 6}},
	} {
		row := make([]float64, got.size(c.at))
		got.row(row, c.at, c.i)
		if !slices.Equal(row, c.want) {
			t.Errorf("prompt %d at %v: %v, want %v", c.i, c.at, row, c.want)
		}
	}
}

// skipping gives another layer than it is asked for, or none.
type skipping struct {
	*fake
	instead []int
}

func (s skipping) Read(ctx context.Context, ps []prompt.Prompt, _ []int, visit func(int, int, []float32)) error {
	return s.fake.Read(ctx, ps, s.instead, visit)
}

func TestUnreadableStates(t *testing.T) {
	fine := [][]float32{{0, 0}, {1, 2}}
	for _, c := range []struct {
		name   string
		states [][]float32 // of prompt 1, by layer
		words  []string
	}{
		{"no tokens", [][]float32{{0, 0}, {}}, []string{"prompt 1", "layer 1", "0 values", "at least one token"}},
		{"half a token", [][]float32{{0, 0}, {1, 2, 3}}, []string{"3 values", "width 2"}},
		{"not a number", [][]float32{{0, 0}, {1, float32(math.NaN())}}, []string{"prompt 1", "feature 1, mean of layer 1", "NaN"}},
		{"overflow", [][]float32{{0, 0}, {float32(math.Inf(1)), 0}}, []string{"prompt 1", "feature 0, ", "+Inf"}},
	} {
		f := &fake{layers: 1, width: 2, states: [][][]float32{fine, c.states}}
		_, err := extract(t.Context(), f, []prompt.Prompt{{prompt.Text("0")}, {prompt.Text("1")}}, []int{0, 1}, Poolings())
		says(t, c.name, err, c.words...)
	}
	f := &fake{layers: 1, width: 2, states: [][][]float32{fine}}
	_, err := extract(t.Context(), skipping{f, []int{0}}, []prompt.Prompt{{prompt.Text("0")}}, []int{0, 1}, Poolings())
	says(t, "missing layer", err, "no layer 1 of prompt 0")
	_, err = extract(t.Context(), skipping{f, []int{1}}, []prompt.Prompt{{prompt.Text("0")}}, []int{0}, Poolings())
	says(t, "wrong layer", err, "gave layer 1", "asked for layers [0]")
	_, err = extract(t.Context(), f, []prompt.Prompt{{prompt.Text("zero")}}, []int{0}, Poolings())
	says(t, "the reader's own error", err, "zero")
}

func says(t *testing.T, what string, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error", what)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: error %q does not say %q", what, err, w)
		}
	}
}
