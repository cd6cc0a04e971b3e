package probes

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"verge/domains/prompt"
)

// interact labels every example by whether two features of its mean state at a layer have one sign: no linear function tells.
func interact(f *fake, examples []Example, layer int) {
	row := make([]float32, f.width)
	for i := range examples {
		pool(row, Mean, f.states[i][layer])
		examples[i].InBand = row[0]*row[1] > 0
	}
}

// mark lets a random token among eight of every example carry the label, in feature 1, and a mark by which it can be found, in feature 0.
func mark(f *fake, examples []Example, layer int, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 8))
	for i, e := range examples {
		states := make([]float32, 8*f.width)
		for j := range states {
			states[j] = float32(rng.NormFloat64())
		}
		at := rng.IntN(8) * f.width
		states[at] = 6
		states[at+1] += float32(4*class(e.InBand) - 2)
		f.states[i][layer] = states
	}
}

// sums makes n examples with a text of their own; those in band contain a product.
func sums(n int, seed uint64) []Example {
	rng := rand.New(rand.NewPCG(seed, 9))
	examples := make([]Example, n)
	for i := range examples {
		in, op := rng.IntN(3) == 0, "+"
		if in {
			op = "*"
		}
		text := fmt.Sprintf("what is %d %s %d ?", rng.IntN(100), op, rng.IntN(100))
		examples[i] = Example{Prompt: prompt.Prompt{prompt.Control("solve"), prompt.Text(text)}, Group: fmt.Sprint("g", i), InBand: in}
	}
	return examples
}

func TestMLPFindsWhatNoLinearProbeDoes(t *testing.T) {
	f, examples := noise(400, 2, 6, .5, 21)
	interact(f, examples, 1)
	_, linear := train(t, f, examples, Options{Seed: 1})
	p, report := train(t, f, examples, Options{Kind: KindMLP, Folds: 3, Seed: 1})
	if *linear.Quality.AUROC > .65 {
		t.Errorf("the linear probe has an AUROC of %.3f: the signal is linear", *linear.Quality.AUROC)
	}
	if report.Layer != 1 || *report.Quality.AUROC < .85 {
		t.Errorf("the MLP chose layer %d and has an AUROC of %.3f; the signal is at layer 1", report.Layer, *report.Quality.AUROC)
	}
	fresh, unseen := noise(200, 2, 6, .5, 22)
	interact(fresh, unseen, 1)
	isRight(t, p, fresh, unseen, 160)
}

func TestAttentionFindsTheTokenThatTells(t *testing.T) {
	f, examples := noise(300, 2, 12, .5, 31)
	mark(f, examples, 2, 31)
	_, linear := train(t, f, examples, Options{Seed: 1})
	p, report := train(t, f, examples, Options{Kind: KindAttention, Seed: 1})
	if report.Layer != 2 || report.Pooling != Attend || *report.Quality.AUROC < *linear.Quality.AUROC+.1 || *report.Quality.AUROC < .9 {
		t.Errorf("attention chose %+v and has an AUROC of %.3f, the linear probe one of %.3f", report.Setting, *report.Quality.AUROC, *linear.Quality.AUROC)
	}
	fresh, unseen := noise(200, 2, 12, .5, 32)
	mark(fresh, unseen, 2, 32)
	isRight(t, p, fresh, unseen, 170)
}

func TestTextIsToldApartWithoutAModel(t *testing.T) {
	p, report := train(t, nil, sums(150, 41), Options{Kind: KindText, Folds: 3, Seed: 1})
	if *report.Quality.AUROC < .95 || report.Layer != NoLayer || report.Pooling != TFIDF {
		t.Errorf("AUROC %.3f of %+v: the operator gives the class away", *report.Quality.AUROC, report.Setting)
	}
	isRight(t, p, nil, sums(200, 42), 190)
	if d := p.Describe(); d.Activations || strings.Contains(d.String(), "activation probe") || !strings.Contains(d.String(), "no activations") {
		t.Errorf("%q could be an activation probe", d)
	}
}

// isRight expects that many examples on the right side of 0.
func isRight(t *testing.T, p Probe, r Reader, examples []Example, atLeast int) {
	t.Helper()
	logits, err := p.Score(t.Context(), r, prompts(examples))
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for i, e := range examples {
		right += class((logits[i] > 0) == e.InBand)
	}
	if right < atLeast {
		t.Errorf("%d of %d new tasks are on the right side of 0, want %d", right, len(examples), atLeast)
	}
}

// kindsOfTraining is every way to train, small.
var kindsOfTraining = map[string]Options{
	"mlp":       {Kind: KindMLP, Folds: 3, L2: []float64{.01}, Layers: []int{1}},
	"attention": {Kind: KindAttention, Folds: 3, L2: []float64{.01}},
	"text":      {Kind: KindText, Folds: 3, L2: []float64{1}},
	"several":   {Kind: KindMLP, Folds: 3, L2: []float64{.01}, Concat: true, Poolings: []Pooling{MeanLast}},
	"ensemble":  {Folds: 3, L2: []float64{.1, 1}, Members: 3},
	"wco mlp":   {Kind: KindMLP, Folds: 3, L2: []float64{.01}, Layers: []int{1}, Members: 2},
}

func TestShuffledLabelsArePredictedByNoKind(t *testing.T) {
	for name, o := range kindsOfTraining {
		held := 0
		const runs = 5
		for seed := range uint64(runs) {
			f, examples := noise(120, 1, 8, .4, 300+seed)
			for i, e := range sums(len(examples), seed) {
				examples[i].Prompt = append(examples[i].Prompt, e.Prompt[1:]...)
			}
			o.Seed = seed
			_, report := train(t, texted{f}, examples, o)
			if q := report.Quality; *q.AUROCLow <= .5 && .5 <= *q.AUROCHigh {
				held++
			}
		}
		if held < runs-1 {
			t.Errorf("%s: %d of %d intervals of the AUROC hold 0.5", name, held, runs)
		}
	}
}

func TestNoKindDependsOnProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	f, examples := noise(60, 1, 8, .4, 51)
	plant(f, examples, 1, .4)
	for i, e := range sums(len(examples), 1) {
		examples[i].Prompt = append(examples[i].Prompt, e.Prompt[1:]...)
	}
	for name, o := range kindsOfTraining {
		o.Seed = 2
		runtime.GOMAXPROCS(1)
		p1, r1 := train(t, texted{f}, examples, o)
		runtime.GOMAXPROCS(4)
		p4, r4 := train(t, texted{f}, examples, o)
		if !reflect.DeepEqual(p1, p4) || !reflect.DeepEqual(r1, r4) {
			t.Errorf("%s: one and four processors gave different results", name)
		}
		o.Seed = 3
		if _, other := train(t, texted{f}, examples, o); reflect.DeepEqual(r1.OutOfFold, other.OutOfFold) {
			t.Errorf("%s: another seed gave the same logits", name)
		}
	}
}

func TestNearDuplicatesNeverStraddleFoldsOfAnyKind(t *testing.T) {
	for name, o := range kindsOfTraining {
		f, examples := noise(120, 1, 4, .5, 61)
		for i := range examples {
			examples[i].Group = fmt.Sprint("g", i/3)
		}
		_, report := train(t, f, examples, o)
		for i := range examples {
			if report.Fold[i] != report.Fold[i/3*3] {
				t.Fatalf("%s: group %d is in folds %d and %d", name, i/3, report.Fold[i], report.Fold[i/3*3])
			}
		}
	}
}

// What is on the training side of a fold must say nothing of the fold: duplicates with labels by chance look like chance.
func TestDuplicatesFlatterNoKind(t *testing.T) {
	for name, o := range kindsOfTraining {
		f, examples := noise(150, 1, 16, .5, 71)
		for i := range examples {
			original := i / 5 * 5
			examples[i].Group, examples[i].InBand = fmt.Sprint("g", original), i/5%2 == 0
			f.states[i] = f.states[original]
		}
		_, report := train(t, f, examples, o)
		if *report.Quality.AUROCLow > .5 {
			t.Errorf("%s: the AUROC is %.3f, from %.3f; the labels are chance", name, *report.Quality.AUROC, *report.Quality.AUROCLow)
		}
	}
}

// What is scored in training is what the probe scores afterwards, whatever way its states are held.
func TestEveryKindScoresWhatItWasTrainedOn(t *testing.T) {
	f, examples := noise(90, 2, 8, .4, 81)
	plant(f, examples, 1, 2)
	for name, o := range kindsOfTraining {
		p, report := train(t, f, examples, o)
		logits, err := p.Score(t.Context(), f, prompts(examples))
		if err != nil {
			t.Fatal(err)
		}
		backwards, err := p.Score(t.Context(), f, []prompt.Prompt{examples[7].Prompt, examples[3].Prompt})
		if err != nil {
			t.Fatal(err)
		}
		if backwards[0] != logits[7] || backwards[1] != logits[3] {
			t.Errorf("%s: logits %v alone and %v among others", name, backwards, []float64{logits[7], logits[3]})
		}
		if report.Kind != o.Kind && o.Kind != "" {
			t.Errorf("%s: the report says kind %q", name, report.Kind)
		}
	}
}
