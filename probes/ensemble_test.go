package probes

import (
	"math"
	"reflect"
	"slices"
	"testing"
)

func TestCombinations(t *testing.T) {
	f, examples := noise(150, 3, 8, .4, 91)
	plant(f, examples, 1, 1)
	plant(f, examples, 3, 1)
	probe, report := train(t, f, examples, Options{Seed: 4, Members: 4, L2: []float64{.1}})
	worst := probe.(*Ensemble)
	mean, err := NewEnsemble(Average, worst.Members...)
	if err != nil {
		t.Fatal(err)
	}
	members, err := worst.scoreMembers(t.Context(), f, prompts(examples))
	if err != nil {
		t.Fatal(err)
	}
	_, spread, err := worst.ScoreSpread(t.Context(), f, prompts(examples))
	if err != nil {
		t.Fatal(err)
	}
	low, err := worst.Score(t.Context(), f, prompts(examples))
	if err != nil {
		t.Fatal(err)
	}
	middle, err := mean.Score(t.Context(), f, prompts(examples))
	if err != nil {
		t.Fatal(err)
	}
	for i := range examples {
		var of []float64
		sum := 0.0
		for k, m := range members {
			alone, err := worst.Members[k].Score(t.Context(), f, prompts(examples[i:i+1]))
			if err != nil {
				t.Fatal(err)
			}
			if m[i] != alone[0] {
				t.Fatalf("member %d gives example %d a logit of %v, and %v alone", k, i, m[i], alone[0])
			}
			of, sum = append(of, m[i]), sum+m[i]
		}
		squares := 0.0
		for _, s := range of {
			squares += (s - sum/4) * (s - sum/4)
		}
		if low[i] != slices.Min(of) || math.Abs(middle[i]-sum/4) > 1e-12 || low[i] > middle[i] {
			t.Errorf("example %d: min %v and mean %v of %v", i, low[i], middle[i], of)
		}
		if math.Abs(spread[i]-math.Sqrt(squares/3)) > 1e-9 || spread[i] == 0 {
			t.Errorf("example %d: spread %v of %v", i, spread[i], of)
		}
	}
	if *report.Quality.AUROC < .85 {
		t.Errorf("AUROC %.3f: the signal is strong", *report.Quality.AUROC)
	}
}

// Members read the best layers first, and differ even where they read the same one.
func TestMembersDiffer(t *testing.T) {
	f, examples := noise(150, 3, 8, .4, 92)
	plant(f, examples, 1, 1.5)
	plant(f, examples, 3, 1)
	probe, report := train(t, f, examples, Options{Members: 6, L2: []float64{.1}, Poolings: []Pooling{Last}})
	members := probe.(*Ensemble).Members
	var layers []int
	for k, m := range members {
		layers = append(layers, m.Describe().Setting.Layer)
		if m.Describe().Setting != report.Members[k] {
			t.Errorf("member %d is %+v, reported as %+v", k, m.Describe().Setting, report.Members[k])
		}
	}
	if layers[0] != 1 || layers[1] != 3 || len(distinct(layers)) != 4 || !slices.Equal(layers[:2], layers[4:]) {
		t.Errorf("members read layers %v, want 1, 3, the others, and 1, 3 again", layers)
	}
	if reflect.DeepEqual(members[0], members[4]) {
		t.Error("members 0 and 4 read the same layer and are the same")
	}

	for _, kind := range []Kind{KindMLP, KindAttention} {
		probe, _ := train(t, f, examples, Options{Kind: kind, Members: 4, Folds: 3, Layers: []int{1}, L2: []float64{.1}})
		members := probe.(*Ensemble).Members // 0 and 3 leave out the same fold
		if reflect.DeepEqual(members[0], members[3]) {
			t.Errorf("%s: members of different seeds are the same", kind)
		}
	}
}

// A model reads every prompt once for all members.
func TestEnsembleReadsOnce(t *testing.T) {
	f, examples := noise(90, 2, 6, .5, 93)
	var members []Probe
	for _, o := range []Options{{Folds: 3}, {Kind: KindMLP, Concat: true}, {Kind: KindAttention, Layers: []int{2}}, {Kind: KindText}} {
		o.Folds, o.L2 = 3, []float64{1}
		for i, e := range sums(len(examples), 1) {
			examples[i].Prompt = append(examples[i].Prompt[:1:1], e.Prompt[1:]...)
		}
		p, _ := train(t, texted{f}, examples, o)
		members = append(members, p)
	}
	e, err := NewEnsemble(Average, members...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range examples {
		examples[i].Prompt = examples[i].Prompt[:1]
	}
	r := &counting{fake: f}
	if _, err := e.Score(t.Context(), r, prompts(examples)); err != nil {
		t.Fatal(err)
	}
	if r.reads != 1 {
		t.Errorf("%d reads, want 1", r.reads)
	}
	if d := e.Describe(); d.Kind != KindEnsemble || !d.Activations || len(d.Members) != 4 || d.Members[3].Activations {
		t.Errorf("description %+v", d)
	}
}

func TestEnsembleRefuses(t *testing.T) {
	_, err := NewEnsemble(Min, &Linear{})
	says(t, "one member", err, "1 members", "at least 2")
	_, err = NewEnsemble("max", &Linear{}, &Linear{})
	says(t, "unknown combination", err, `"max"`, `"min"`)
}
