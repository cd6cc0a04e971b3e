package probes

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// someOfEachKind is a small trained probe of every kind, with values that text may not round.
func someOfEachKind(t *testing.T) map[string]Probe {
	t.Helper()
	odd := Setting{Layer: 2, Pooling: MeanLast, L2: .1, Stack: "1+2"}
	values := []float64{1. / 3, -math.Pi, 5e-324, math.Copysign(0, -1), 1e300, math.Nextafter(1, 2), -1e-7, 12345678.9}
	text, _ := train(t, nil, sums(60, 3), Options{Kind: KindText, Folds: 3, L2: []float64{1}})
	linear := &Linear{Setting: odd, Bias: .1, Weights: values}
	attention := &Attention{Setting: Setting{Layer: 1, Pooling: Attend, L2: .01}, Query: values, Weights: values[1:], Bias: 1e-17}
	return map[string]Probe{
		"linear":    linear,
		"mlp":       &MLP{Setting: odd, Weights: [][]float64{values, values}, Biases: values[:2], Output: values[4:6], Bias: 2. / 3},
		"attention": attention,
		"text":      text,
		"ensemble":  &Ensemble{Min, []Probe{linear, &Ensemble{Average, []Probe{attention, text}}}},
	}
}

func referenceOf(p Probe) string {
	if p.Describe().Activations {
		return "abc"
	}
	return ""
}

func TestProbesAreSavedAsTheyAre(t *testing.T) {
	dir := t.TempDir()
	for name, p := range someOfEachKind(t) {
		digest, err := Save(dir, p, referenceOf(p))
		if err != nil {
			t.Fatal(err)
		}
		again, err := Save(dir, p, referenceOf(p))
		if err != nil || again != digest {
			t.Errorf("%s: saved again, it has digest %s, not %s (%v)", name, again, digest, err)
		}
		content, err := os.ReadFile(filepath.Join(dir, digest+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != digest {
			t.Errorf("%s: the digest is not that of the file", name)
		}
		back, err := Load(dir, digest, referenceOf(p))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, p) {
			t.Errorf("%s: %+v came back as %+v", name, p, back)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("saving left %v behind (%v)", left, err)
	}
}

func TestDigestsTellProbesApart(t *testing.T) {
	dir, of := t.TempDir(), map[string]string{}
	for name, p := range someOfEachKind(t) {
		digest, err := Save(dir, p, referenceOf(p))
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := of[digest]; ok {
			t.Errorf("%s and %s have one digest", name, other)
		}
		of[digest] = name
	}
	p := someOfEachKind(t)["linear"].(*Linear)
	first, err := Save(dir, p, "abc")
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(){
		"weight":  func() { p.Weights[0] = math.Nextafter(p.Weights[0], 1) },
		"setting": func() { p.Pooling = Mean },
	} {
		change()
		if digest, err := Save(dir, p, "abc"); err != nil || digest == first {
			t.Errorf("another %s has the same digest (%v)", what, err)
		}
	}
	if digest, err := Save(dir, p, "abd"); err != nil || of[digest] != "" {
		t.Errorf("another reference has the same digest (%v)", err)
	}
}

func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	p := &Linear{Weights: []float64{1, 2, 3}}
	digest, err := Save(dir, p, "abc")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Load(dir, digest, "xyz")
	says(t, "another reference", err, `"abc"`, `not "xyz"`, "reference")
	_, err = Load(dir, strings.Repeat("0", 64), "abc")
	says(t, "no such probe", err, "no probe 0000", dir)

	name := filepath.Join(dir, digest+".json")
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	altered := strings.Replace(string(content), "[1,2,3]", "[1,2,4]", 1)
	if err := os.WriteFile(name, []byte(altered), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Load(dir, digest, "abc")
	says(t, "altered file", err, name, "altered", "train")

	for what, c := range map[string]struct{ from, to, word string }{
		"unknown kind":   {`"kind":"linear"`, `"kind":"cubic"`, `"cubic"`},
		"unknown format": {`"format":1`, `"format":99`, "format 99"},
		"unknown field":  {`"bias":0`, `"bias":0,"scale":2`, "scale"},
		"terms without weights": {`{"kind":"linear","probe":{"layer":0,"pooling":"","l2":0,"bias":0,"weights":[1,2,3]}}`,
			`{"kind":"text","probe":{"terms":["a"],"idf":[1],"weights":[]}}`, "1 terms has 1 IDFs and 0 weights"},
		"no JSON": {`{"format"`, `{format`, "invalid"},
	} {
		forged := strings.Replace(string(content), c.from, c.to, 1)
		sum := sha256.Sum256([]byte(forged))
		digest := hex.EncodeToString(sum[:])
		if err := os.WriteFile(filepath.Join(dir, digest+".json"), []byte(forged), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(dir, digest, "abc")
		says(t, what, err, c.word)
	}
}

func TestSaveRefuses(t *testing.T) {
	dir := t.TempDir()
	linear := &Linear{Weights: []float64{1}}
	_, err := Save(dir, linear, "")
	says(t, "activations of no model", err, `"linear"`, "digest of the model")
	_, err = Save(dir, &Text{}, "abc")
	says(t, "text of a model", err, `"text"`, `"abc"`, "no activations")
	_, err = Save(dir, &Linear{Weights: []float64{math.NaN()}}, "abc")
	says(t, "not a number", err, "NaN")
	_, err = Save(filepath.Join(dir, "missing"), linear, "abc")
	says(t, "no directory", err, "missing")
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("refused probes left %v behind", left)
	}
}
