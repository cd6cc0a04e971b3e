package probes

import (
	"context"
	"strings"
	"testing"
)

// embedder is a Reader of one vector a prompt.
type embedder struct{ *fake }

func (embedder) Embeds() {}

func vectors(n int) (embedder, []Example) {
	f, examples := noise(n, 0, 6, .4, 3)
	for i, e := range examples {
		f.states[i][0] = f.states[i][0][:f.width]
		if e.InBand {
			for j := range f.width {
				f.states[i][0][j] += 2
			}
		}
	}
	return embedder{f}, examples
}

// A probe of embeddings says so everywhere, reads its model's one vector, and is kept with the model's digest.
func TestAnEmbeddingProbeIsCalledOne(t *testing.T) {
	r, examples := vectors(120)
	ctx := context.Background()
	for _, o := range []Options{{}, {Kind: KindMLP}, {Members: 3}} {
		p, report, err := Train(ctx, r, examples, o)
		if err != nil {
			t.Fatal(err)
		}
		d := p.Describe()
		if d.Activations || !d.Embeddings || !strings.Contains(d.String(), "embedding probe") || strings.Contains(d.String(), "activation probe") {
			t.Errorf("%+v is described as %q", o, d)
		}
		if report.Layer != 0 || report.Pooling != Embedded || report.Quality.AUROC == nil || *report.Quality.AUROC < .9 {
			t.Errorf("%+v: layer %d, pooling %s, AUROC %v", o, report.Layer, report.Pooling, report.Quality.AUROC)
		}
		dir := t.TempDir()
		if _, err := Save(dir, p, ""); err == nil {
			t.Error("an embedding probe is kept without its model's digest")
		}
		digest, err := Save(dir, p, "model")
		if err != nil {
			t.Fatal(err)
		}
		again, err := Load(dir, digest, "model")
		if err != nil {
			t.Fatal(err)
		}
		want, err := p.Score(ctx, r, prompts(examples))
		if err != nil {
			t.Fatal(err)
		}
		got, err := again.Score(ctx, r, prompts(examples))
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("example %d: %v, and %v after it was kept", i, want[i], got[i])
			}
		}
	}
}

func TestLayersAndPoolingsOfEmbeddingsAreRefused(t *testing.T) {
	r, examples := vectors(30)
	for _, o := range []Options{{Layers: []int{0}}, {Concat: true}, {Poolings: []Pooling{Mean}}, {Kind: KindAttention}} {
		if _, _, err := Train(context.Background(), r, examples, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	if _, _, err := Train(context.Background(), r.fake, examples, Options{Poolings: []Pooling{Embedded}}); err == nil {
		t.Error("hidden states are taken for embeddings")
	}
}
