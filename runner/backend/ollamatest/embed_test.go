//go:build ollama

package ollamatest

import (
	"math"
	"testing"

	"github.com/ollama/ollama/api"
	"gonum.org/v1/gonum/floats"

	"verge/runner/backend/local"
)

// TestEmbeddingsAreTheLastTokensState holds the server's embedding of a decoder to what it is: the state of the text's last token after the
// last block and the final norm, scaled to length 1.
func TestEmbeddingsAreTheLastTokensState(t *testing.T) {
	s := newServer(t)
	m, path := microCopy(t, true)
	s.serve(t, "verge-embed", path)
	view, err := m.View(nil)
	if err != nil {
		t.Fatal(err)
	}
	no := false
	for _, p := range microPrompts() {
		got, err := s.client.Embed(t.Context(), &api.EmbedRequest{Model: "verge-embed", Input: p.String(), Truncate: &no,
			Options: map[string]any{"num_ctx": 256, "num_thread": 1}})
		if err != nil {
			t.Fatal(err)
		}
		ids, err := local.Encode(m.Tokenizer, p)
		if err != nil {
			t.Fatal(err)
		}
		var last []float32
		if err := view.Hidden(t.Context(), [][]int32{ids}, []int{m.Layers}, func(_, _ int, states []float32) {
			last = append(last, states[len(states)-m.Width:]...)
		}); err != nil {
			t.Fatal(err)
		}
		want, served := make([]float64, m.Width), make([]float64, m.Width)
		for i := range want {
			want[i], served[i] = float64(last[i]*m.OutNorm[i]), float64(got.Embeddings[0][i])
		}
		cosine := floats.Dot(want, served) / floats.Norm(want, 2)
		if math.Abs(floats.Norm(served, 2)-1) > 1e-4 || cosine < 0.9999 {
			t.Errorf("%s: the server's embedding has length %.5f and cosine %.6f to the engine's state", p, floats.Norm(served, 2), cosine)
		}
	}
}
