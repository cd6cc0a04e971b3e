package recipe

import (
	"context"
	"os"
	"strings"
	"testing"

	"verge/runner/engine"
	"verge/runner/event"
	"verge/runner/policy"
)

// The embedded model is of use as long as its frontier is wide: tasks that the solver always, never and sometimes solves.
func TestTheEmbeddedModelsFrontierIsWide(t *testing.T) {
	b, fold := bench(t, "target.high=3/8")
	ctx := context.Background()
	const n = 2000
	proposals, err := b.proposeAndAttempt(ctx, b.Generator, Base, event.Eval, 0, n)
	if err != nil {
		t.Fatal(err)
	}
	eval := fold.Snapshot().Arm(Base).Eval
	if share := float64(eval.Valid) / n; share < .55 || share > .75 {
		t.Errorf("%.3f of the proposals are valid, not 0.55 to 0.75", share)
	}
	if share := float64(eval.InBand) / n; share < .06 || share > .15 {
		t.Errorf("%.3f of the proposals are in band, not 0.06 to 0.15", share)
	}
	for right, count := range eval.Histogram {
		if count == 0 {
			t.Errorf("no task is solved %d times of 8", right)
		}
	}
	if len(eval.Types) < 12 {
		t.Errorf("only %d types are proposed", len(eval.Types))
	}
	d, err := policy.NewFrozen(b.Generator.Model).Measure(ctx, episodes(proposals))
	if err != nil {
		t.Fatal(err)
	}
	if d == nil || d.KL != 0 || d.Entropy < 0.5 {
		t.Errorf("the base's distribution is %+v", d)
	}
}

func TestTheModelCardNamesTheEmbeddedFiles(t *testing.T) {
	card, err := os.ReadFile("../engine/MICRO.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, load := range map[string]func() (*engine.Model, error){"micro": engine.Micro, "micro-b": engine.MicroB} {
		m, err := load()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(card), m.Digest) {
			t.Errorf("the card does not name the digest of %s, %s", name, m.Digest)
		}
	}
}
