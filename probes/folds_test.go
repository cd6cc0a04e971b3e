package probes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// duplicated makes groups of 1 to 6 examples, a quarter of them in band; a group may hold both classes.
func duplicated(groups int, seed uint64) []Example {
	rng := rand.New(rand.NewPCG(seed, 1))
	var out []Example
	for g := range groups {
		for range 1 + rng.IntN(6) {
			out = append(out, Example{Group: fmt.Sprint("g", g), InBand: rng.IntN(4) == 0})
		}
	}
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func TestNearDuplicatesNeverStraddleFolds(t *testing.T) {
	for seed := range uint64(200) {
		examples := duplicated(80, seed)
		fold, groups, err := assign(examples, 5, seed)
		if err != nil {
			t.Fatal(err)
		}
		if groups != 80 {
			t.Errorf("seed %d: %d groups, want 80", seed, groups)
		}
		of := map[string]int{}
		for i, e := range examples {
			if f, ok := of[e.Group]; ok && f != fold[i] {
				t.Fatalf("seed %d: group %s is in folds %d and %d", seed, e.Group, f, fold[i])
			}
			of[e.Group] = fold[i]
		}
	}
}

func TestFoldsAreBalanced(t *testing.T) {
	for seed := range uint64(50) {
		examples := duplicated(150, seed)
		fold, _, err := assign(examples, 5, seed)
		if err != nil {
			t.Fatal(err)
		}
		var size, inBand [5]int
		total := 0
		for i, e := range examples {
			size[fold[i]]++
			inBand[fold[i]] += class(e.InBand)
			total += class(e.InBand)
		}
		for f := range size {
			if want := float64(len(examples)) / 5; math.Abs(float64(size[f])-want) > .1*want {
				t.Errorf("seed %d: fold %d has %d examples, want about %.0f", seed, f, size[f], want)
			}
			if want := float64(total) / 5; math.Abs(float64(inBand[f])-want) > .15*want+1 {
				t.Errorf("seed %d: fold %d has %d examples in band, want about %.0f", seed, f, inBand[f], want)
			}
		}
	}
}

func TestFoldsDependOnSeedAndGroupsOnly(t *testing.T) {
	examples := duplicated(60, 3)
	first, _, err := assign(examples, 5, 7)
	if err != nil {
		t.Fatal(err)
	}
	backwards := slices.Clone(examples)
	slices.Reverse(backwards)
	second, _, err := assign(backwards, 5, 7)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(second)
	if !slices.Equal(first, second) {
		t.Error("the order of the examples changed their folds")
	}
	other, _, err := assign(examples, 5, 8)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(first, other) {
		t.Error("another seed gave the same folds")
	}
}

func TestTooFewForTheFolds(t *testing.T) {
	// 40 tasks, of which 12 in band, but those are copies of 4.
	var examples []Example
	for i := range 40 {
		e := Example{Group: fmt.Sprint("g", i)}
		if i < 12 {
			e = Example{Group: fmt.Sprint("in", i%4), InBand: true}
		}
		examples = append(examples, e)
	}
	_, _, err := assign(examples, 5, 1)
	if err == nil {
		t.Fatal("no error")
	}
	for _, w := range []string{"of 40 tasks 12 are in band", "groups of near-duplicates: 4", "28 are not (groups: 28)", "5 folds", "corpus.proposals", "target.low"} {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
	if _, _, err := assign(examples, 4, 1); err != nil {
		t.Errorf("four groups in four folds: %v", err)
	}
	if _, _, err := assign(nil, 5, 1); err == nil {
		t.Error("no examples: no error")
	}
}
