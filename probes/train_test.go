package probes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func train(t *testing.T, r Reader, examples []Example, o Options) (Probe, Report) {
	t.Helper()
	p, report, err := Train(t.Context(), r, examples, o)
	if err != nil {
		t.Fatal(err)
	}
	return p, report
}

func TestShuffledLabelsAreNotPredicted(t *testing.T) {
	held := 0
	for seed := range uint64(20) {
		f, examples := noise(160, 2, 12, .4, seed)
		plant(f, examples, 1, 1)
		rng := rand.New(rand.NewPCG(seed, 3))
		rng.Shuffle(len(examples), func(i, j int) {
			examples[i].InBand, examples[j].InBand = examples[j].InBand, examples[i].InBand
		})
		_, report := train(t, f, examples, Options{L2: []float64{.1, 1}, Seed: seed})
		q := report.Quality
		if *q.AUROCLow <= .5 && .5 <= *q.AUROCHigh {
			held++
		}
		if *q.AUROCHigh-*q.AUROCLow > .35 {
			t.Errorf("seed %d: the interval [%.3f, %.3f] holds anything", seed, *q.AUROCLow, *q.AUROCHigh)
		}
	}
	if held < 18 {
		t.Errorf("%d of 20 intervals of the AUROC hold 0.5, want about 19", held)
	}
}

func TestPlantedSignalIsFound(t *testing.T) {
	f, examples := noise(240, 4, 16, .3, 1)
	plant(f, examples, 3, .6)
	p, report := train(t, f, examples, Options{Seed: 5})
	if report.Layer != 3 || report.Pooling == Mean {
		t.Errorf("chose %+v, but the signal is in the last token at layer 3", report.Setting)
	}
	for k, s := range report.Outer {
		if s.Layer != 3 {
			t.Errorf("without fold %d the choice was %+v", k, s)
		}
	}
	if q := report.Quality; *q.AUROC < .9 || *q.AUROCLow < .85 || *q.BalancedAccuracy < .8 {
		t.Errorf("AUROC %.3f from %.3f, balanced accuracy %.3f: the signal is strong", *q.AUROC, *q.AUROCLow, *q.BalancedAccuracy)
	}
	for _, c := range report.Candidates {
		if c.Layer != 3 && c.AUROC > .65 {
			t.Errorf("%+v: there is nothing at this layer", c)
		}
	}
	inBand := 0
	for _, e := range examples {
		inBand += class(e.InBand)
	}
	if report.Tasks != 240 || report.InBand != inBand || report.Groups != 240 || report.Folds != 5 || len(report.Deciles) != 10 {
		t.Errorf("report counts %d tasks, %d in band, %d groups, %d folds, %d deciles", report.Tasks, report.InBand, report.Groups, report.Folds, len(report.Deciles))
	}
	if low, high := report.Deciles[0], report.Deciles[9]; low.Positive > 3 || high.Positive < high.Count-3 {
		t.Errorf("the lowest decile has %d of %d in band, the highest %d of %d", low.Positive, low.Count, high.Positive, high.Count)
	}

	weights := p.(*Linear).Weights
	// The direction is alternating signs, and new tasks are told apart by it.
	for j, w := range weights[len(weights)-16:] {
		if (w > 0) != (j%2 == 0) {
			t.Errorf("weight %d of the last token is %.3f, against the planted direction", j, w)
		}
	}
	fresh, unseen := noise(200, 4, 16, .5, 77)
	plant(fresh, unseen, 3, .6)
	logits, err := p.Score(t.Context(), fresh, prompts(unseen))
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for i, e := range unseen {
		if (logits[i] > 0) == e.InBand {
			right++
		}
	}
	if right < 160 {
		t.Errorf("%d of 200 new tasks are on the right side of 0", right)
	}
}

// Sixty tasks, each of them nine times with a little noise, labels by chance. A split that knows no groups tests on what it trained on.
func TestDuplicatesAcrossFoldsLookExcellent(t *testing.T) {
	f, originals := noise(60, 0, 24, .5, 4)
	rng := rand.New(rand.NewPCG(4, 4))
	pool := &fake{layers: 0, width: 24}
	var grouped, naive []Example
	for i, e := range originals {
		for range 9 {
			states := slices.Clone(f.states[i][0])
			for j := range states {
				states[j] += .1 * float32(rng.NormFloat64())
			}
			copied := Example{Prompt: numbered(len(pool.states)), Group: e.Group, InBand: e.InBand}
			pool.states = append(pool.states, [][]float32{states})
			grouped = append(grouped, copied)
			copied.Group = fmt.Sprint("alone", len(naive))
			naive = append(naive, copied)
		}
	}
	o := Options{L2: []float64{.001, .1}, Poolings: []Pooling{Mean}}
	_, leaky := train(t, pool, naive, o)
	_, honest := train(t, pool, grouped, o)
	if *leaky.Quality.AUROC < .85 {
		t.Errorf("the naive split has an AUROC of %.3f, want it to look excellent", *leaky.Quality.AUROC)
	}
	if *honest.Quality.AUROCLow > .5 || *honest.Quality.AUROC > .65 {
		t.Errorf("the grouped split has an AUROC of %.3f, from %.3f; the labels are chance", *honest.Quality.AUROC, *honest.Quality.AUROCLow)
	}
}

// With nothing to find, the best of many candidates looks better than chance by the folds it was chosen by. What is reported must not.
func TestReportedQualityIsNotThatOfTheChoice(t *testing.T) {
	var chosen, reported float64
	const runs = 12
	for seed := range uint64(runs) {
		f, examples := noise(80, 7, 8, .5, 100+seed)
		_, report := train(t, f, examples, Options{L2: []float64{.1}, Folds: 4, Seed: seed})
		best := 0.0
		for _, c := range report.Candidates {
			best = max(best, c.AUROC)
		}
		chosen += best / runs
		reported += *report.Quality.AUROC / runs
	}
	if chosen < .57 {
		t.Errorf("the mean AUROC of the choices is %.3f, too low to show that choosing flatters", chosen)
	}
	if reported > .53 {
		t.Errorf("the mean reported AUROC is %.3f where there is nothing to find", reported)
	}
}

func TestResultDoesNotDependOnProcessors(t *testing.T) {
	f, examples := noise(120, 3, 40, .4, 9)
	plant(f, examples, 2, .2)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p1, r1 := train(t, f, examples, Options{Seed: 2})
	runtime.GOMAXPROCS(4)
	p4, r4 := train(t, f, examples, Options{Seed: 2})
	if !reflect.DeepEqual(p1, p4) || !reflect.DeepEqual(r1, r4) {
		t.Error("one and four processors gave different results")
	}
	_, other := train(t, f, examples, Options{Seed: 3})
	if reflect.DeepEqual(r1.Fold, other.Fold) {
		t.Error("another seed gave the same folds")
	}
}

// A class-weighted probe believes in even odds. The probabilities must not: a tenth of these tasks is in band.
func TestProbabilitiesKnowTheShareInBand(t *testing.T) {
	f, examples := noise(600, 0, 4, .1, 12)
	plant(f, examples, 0, .5)
	_, report := train(t, f, examples, Options{Poolings: []Pooling{Last}, L2: []float64{.001}})
	var mean, weighted float64
	for i := range examples {
		mean += report.Raw.Probabilities[i] / 600
		weighted += sigmoid(report.OutOfFold[i]) / 600
	}
	share := float64(report.InBand) / 600
	if math.Abs(mean-share) > .03 {
		t.Errorf("mean probability %.3f, but a share of %.3f is in band", mean, share)
	}
	if weighted < 2*share {
		t.Errorf("mean class-weighted probability %.3f: the logits should be those of even odds, not of a share of %.3f", weighted, share)
	}
	if *report.Raw.ECE > .06 {
		t.Errorf("ECE %.3f of a well-specified probe", *report.Raw.ECE)
	}
	if constant := share * (1 - share); *report.Raw.Brier >= constant {
		t.Errorf("Brier %.4f is no better than %.4f, which knows only the share", *report.Raw.Brier, constant)
	}
}

func TestOptionsLimitWhatIsTried(t *testing.T) {
	f, examples := noise(90, 4, 6, .5, 2)
	_, report := train(t, f, examples, Options{Layers: []int{4, 1, 1}, Poolings: []Pooling{Last}, L2: []float64{1, .01, .1}, Folds: 3})
	var tried []Setting
	for _, c := range report.Candidates {
		tried = append(tried, c.Setting)
	}
	want := []Setting{{1, Last, .1, ""}, {4, Last, .1, ""}, {report.Layer, Last, .01, ""}, {report.Layer, Last, 1, ""}}
	if !slices.Equal(tried, want) {
		t.Errorf("tried %v, want %v", tried, want)
	}
	if report.Folds != 3 || len(report.Outer) != 3 || slices.Max(report.Fold) != 2 {
		t.Errorf("%d folds, %d outer choices, highest fold %d; want 3", report.Folds, len(report.Outer), slices.Max(report.Fold))
	}
}

func TestTrainRefuses(t *testing.T) {
	f, examples := noise(60, 2, 4, .5, 3)
	for _, c := range []struct {
		o     Options
		words []string
	}{
		{Options{Layers: []int{3}}, []string{"no layer 3", "to 2"}},
		{Options{Layers: []int{-1}}, []string{"no layer -1"}},
		{Options{Poolings: []Pooling{"max"}}, []string{`"max"`, `"mean+last"`}},
		{Options{L2: []float64{0}}, []string{"L2 0", "positive"}},
		{Options{L2: []float64{math.NaN()}}, []string{"L2 NaN"}},
		{Options{Folds: 2}, []string{"2 folds", "at least 3"}},
		{Options{Folds: 40}, []string{"40 folds", "corpus.proposals"}},
		{Options{Kind: "cubic"}, []string{`"cubic"`, `"attention"`}},
		{Options{Kind: KindEnsemble}, []string{`"ensemble"`, `"linear"`}},
		{Options{Kind: KindAttention, Poolings: []Pooling{Mean}}, []string{`"mean"`, `"attention"`}},
		{Options{Poolings: []Pooling{Attend}}, []string{`"attention"`, `"linear"`, `"mean+last"`}},
		{Options{Kind: KindAttention, Concat: true}, []string{"one layer at a time", `"mlp"`}},
		{Options{Kind: KindText, Layers: []int{1}}, []string{"[1]", `"text"`, "reads no layer"}},
		{Options{Members: -1}, []string{"-1 members"}},
		{Options{Members: 2, Combine: "max"}, []string{`"max"`, `"mean"`}},
	} {
		_, _, err := Train(t.Context(), f, examples, c.o)
		says(t, strings.Join(c.words, " "), err, c.words...)
	}
	_, _, err := Train(t.Context(), nil, examples, Options{})
	says(t, "no model", err, "no model to read", `"text"`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Train(ctx, f, examples, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a cancelled training", err)
	}
}

func TestProbeSurvivesJSON(t *testing.T) {
	f, examples := noise(60, 1, 5, .5, 6)
	p, _ := train(t, f, examples, Options{Folds: 3})
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var back Linear
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(p, &back) {
		t.Errorf("%+v came back as %+v", p, back)
	}
}

func TestScoreRefusesAnotherModel(t *testing.T) {
	f, examples := noise(60, 2, 5, .5, 6)
	p, _ := train(t, f, examples, Options{Folds: 3, Layers: []int{2}})
	wide, _ := noise(60, 2, 6, .5, 6)
	_, err := p.Score(t.Context(), wide, prompts(examples))
	says(t, "wider model", err, "width 6", "trained on")
	shallow, _ := noise(60, 1, 5, .5, 6)
	_, err = p.Score(t.Context(), shallow, prompts(examples))
	says(t, "shallower model", err, "layer 2", "layers 0 to 1")
}
