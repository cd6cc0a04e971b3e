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

func TestStackedLayersAreReadOneAfterTheOther(t *testing.T) {
	f := &fake{layers: 2, width: 2, states: [][][]float32{{{1, 2}, {3, 4, 5, 6}, {7, 8}}}}
	got, err := extract(t.Context(), f, []prompt.Prompt{{prompt.Text("0")}}, []int{0, 1, 2}, []Pooling{MeanLast})
	if err != nil {
		t.Fatal(err)
	}
	at := place{layer: 1, pooling: MeanLast, stack: "0+1"}
	row := make([]float64, got.size(at))
	got.row(row, at, 0)
	if want := []float64{1, 2, 1, 2, 4, 5, 5, 6}; !slices.Equal(row, want) {
		t.Errorf("%v, want %v", row, want)
	}
}

// Half of the signal is at one layer and half at another.
func TestSeveralLayersTogetherTellMore(t *testing.T) {
	f, examples := noise(400, 2, 6, .5, 15)
	plant(f, examples, 0, .35)
	plant(f, examples, 2, .35)
	_, one := train(t, f, examples, Options{Poolings: []Pooling{Last}})
	p, all := train(t, f, examples, Options{Poolings: []Pooling{Last}, Layers: []int{2, 0}, Concat: true})
	if *all.Quality.AUROC < *one.Quality.AUROC+.03 {
		t.Errorf("AUROC %.3f of both layers, %.3f of one", *all.Quality.AUROC, *one.Quality.AUROC)
	}
	if all.Stack != "0+2" || all.Layer != 2 || len(p.(*Linear).Weights) != 12 {
		t.Errorf("%+v with %d weights, want the stack 0+2 with 12", all.Setting, len(p.(*Linear).Weights))
	}
	broken := *p.(*Linear)
	broken.Stack = "2+0"
	_, err := broken.Score(t.Context(), f, prompts(examples))
	says(t, "descending stack", err, `"2+0"`, "ascending")
	_, err = broken.Score(t.Context(), nil, nil)
	says(t, "descending stack", err, "ascending")
	broken.Stack = "0+2"
	_, err = broken.Score(t.Context(), nil, nil)
	says(t, "no model", err, "no model to read", "layers 0+2")
}

func TestTokensAreBounded(t *testing.T) {
	f, examples := noise(20, 0, 4, .5, 16)
	held := int64(0)
	for _, s := range f.states {
		held += 4 * int64(len(s[0]))
	}
	if _, err := readTokens(t.Context(), f, prompts(examples), 0, held); err != nil {
		t.Errorf("as many bytes as allowed: %v", err)
	}
	_, err := readTokens(t.Context(), f, prompts(examples), 0, held-1)
	says(t, "one byte too many", err, "layer 0", "corpus.proposals", `"mlp"`)
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
