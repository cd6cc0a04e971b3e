package pretrain

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verge/domains"
	"verge/domains/math"
	"verge/runner/engine"
)

var corpora = []domains.Corpus{math.Domain{}}

func options(t *testing.T, steps int) Options {
	o := Default()
	o.Steps, o.Batch, o.Warmup, o.Every = steps, 16, 4, 5
	o.Out = filepath.Join(t.TempDir(), "x.gguf")
	return o
}

func file(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestSameSettingsGiveTheSameFileAndTheLossFalls(t *testing.T) {
	var files [][]byte
	for range 2 {
		o := options(t, 30)
		var losses []float64
		m, err := Run(context.Background(), o, corpora, func(p Progress) { losses = append(losses, p.Loss) })
		if err != nil {
			t.Fatal(err)
		}
		if first, last := losses[0], losses[len(losses)-1]; len(losses) != 30 || last > 0.8*first {
			t.Errorf("the loss went from %g to %g in %d steps", first, last, len(losses))
		}
		files = append(files, file(t, o.Out))
		read, err := engine.OpenModel(o.Out)
		if err != nil {
			t.Fatal(err)
		}
		if read.Digest != m.Digest || read.Name != "micro" || read.Version != o.Version {
			t.Errorf("the file says %s %s %s, the training %s", read.Name, read.Version, read.Digest, m.Digest)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two trainings with the same settings wrote different files")
	}
}

func TestAnInterruptedTrainingGoesOnToTheSameFile(t *testing.T) {
	whole := options(t, 12)
	if _, err := Run(context.Background(), whole, corpora, func(Progress) {}); err != nil {
		t.Fatal(err)
	}
	cut := options(t, 12)
	for at := range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := Run(ctx, cut, corpora, func(p Progress) {
			if p.Step == 3*(at+1) {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted training returned %v", err)
		}
	}
	other := cut
	other.Seed++
	refused := func(o Options, corpora []domains.Corpus, want string) {
		t.Helper()
		_, err := Run(context.Background(), o, corpora, func(Progress) {})
		if !errors.Is(err, ErrCheckpoint) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), o.Out+".checkpoint") {
			t.Errorf("error %v, want one that says %s", err, want)
		}
	}
	refused(other, corpora, "other settings")
	refused(cut, []domains.Corpus{reworded{corpora[0]}}, "other text")
	resumed := -1
	if _, err := Run(context.Background(), cut, corpora, func(p Progress) { resumed = p.Resumed }); err != nil {
		t.Fatal(err)
	}
	if resumed != 9 {
		t.Errorf("went on from step %d, want 9", resumed)
	}
	if !bytes.Equal(file(t, whole.Out), file(t, cut.Out)) {
		t.Error("the interrupted training wrote another file")
	}
	if _, err := os.Stat(cut.Out + ".checkpoint"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the checkpoint is still there: %v", err)
	}
}

// reworded is a corpus after a change of its texts alone.
type reworded struct{ domains.Corpus }

func (r reworded) Example(rng *rand.Rand) domains.Example {
	e := r.Corpus.Example(rng)
	e.Completion += " "
	return e
}

func TestADamagedCheckpointIsRefused(t *testing.T) {
	o := options(t, 6)
	if err := os.WriteFile(o.Out+".checkpoint", bytes.Repeat([]byte("x"), 100), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), o, corpora, func(Progress) {}); !errors.Is(err, ErrCheckpoint) || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a damaged checkpoint: %v", err)
	}
}
