package probes

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// overconfident draws logits that are scale times too large and shifted: the truth is sigmoid(logit/scale − 1).
func overconfident(n int, scale float64, seed uint64) ([]float64, []bool) {
	rng := rand.New(rand.NewPCG(seed, 6))
	logits, inBand := make([]float64, n), make([]bool, n)
	for i := range logits {
		truth := 1.5 * rng.NormFloat64()
		logits[i], inBand[i] = scale*truth, rng.Float64() < sigmoid(truth-1)
	}
	return logits, inBand
}

func TestIsotonicOfKnownOutcomes(t *testing.T) {
	// Sorted by logit the outcomes are 0 1 0 | 1 1, the tie at 3 counts as one: 0, then 1 and 0 pooled, then the rest.
	got := FitIsotonic([]float64{3, 1, 2, 4, 3, 5}, []bool{false, false, true, true, true, true})
	want := Isotonic{Logits: []float64{1, 2, 3, 4, 5}, Probabilities: []float64{0, 2. / 3, 2. / 3, 1, 1}}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v, want %+v", got, want)
	}
	for logit, p := range map[float64]float64{-9: 0, 1: 0, 1.5: 1. / 3, 2.5: 2. / 3, 3.5: 5. / 6, 5: 1, 99: 1} {
		if q := got.Probability(logit); math.Abs(q-p) > 1e-12 {
			t.Errorf("probability of %v is %v, want %v", logit, q, p)
		}
	}
}

// The fit is the nearest monotone one: no other is nearer, among many.
func TestIsotonicIsTheLeastSquaresFit(t *testing.T) {
	logits, inBand := overconfident(40, 1, 2)
	c := FitIsotonic(logits, inBand)
	squares := func(p func(float64) float64) float64 {
		sum := 0.0
		for i, s := range logits {
			sum += math.Pow(p(s)-float64(class(inBand[i])), 2)
		}
		return sum
	}
	best := squares(c.Probability)
	for slope := .1; slope < 3; slope += .1 {
		for shift := -3.0; shift < 2; shift += .1 {
			if other := squares(func(s float64) float64 { return sigmoid(slope*s + shift) }); other < best {
				t.Fatalf("a sigmoid of %v·logit + %v has squared errors of %v, the fit %v", slope, shift, other, best)
			}
		}
	}
}

func TestCalibrationsNeverFall(t *testing.T) {
	for seed := range uint64(30) {
		logits, inBand := overconfident(60, 3, seed)
		if seed%3 == 0 { // ranks backwards
			for i := range logits {
				logits[i] = -logits[i]
			}
		}
		platt, err := FitPlatt(logits, inBand)
		if err != nil {
			t.Fatal(err)
		}
		isotonic := FitIsotonic(logits, inBand)
		slices.Sort(logits)
		for i := 1; i < 400; i++ {
			a := logits[0] - 1 + float64(i-1)*(logits[59]-logits[0]+2)/399
			b := logits[0] - 1 + float64(i)*(logits[59]-logits[0]+2)/399
			if isotonic.Probability(a) > isotonic.Probability(b) || platt.Probability(a) > platt.Probability(b) {
				t.Fatalf("seed %d: probabilities fall from logit %v to %v", seed, a, b)
			}
		}
	}
}

func TestPlattRecoversTheTruth(t *testing.T) {
	logits, inBand := overconfident(20000, 4, 3)
	p, err := FitPlatt(logits, inBand)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(p.Slope-.25) > .015 || math.Abs(p.Intercept+1) > .06 {
		t.Errorf("%+v, but the truth is a slope of 0.25 and an intercept of −1", p)
	}
}

// Platt's smoothed outcomes keep the slope of separable logits finite, and logits that do not vary give the smoothed share.
func TestPlattOfExtremes(t *testing.T) {
	p, err := FitPlatt([]float64{-2, -1, 1, 2}, []bool{false, false, true, true})
	if err != nil {
		t.Fatal(err)
	}
	if !(p.Slope > 0 && p.Slope < 10) {
		t.Errorf("slope %v of separable logits", p.Slope)
	}
	p, err = FitPlatt([]float64{7, 7, 7, 7}, []bool{false, false, false, true})
	if err != nil {
		t.Fatal(err)
	}
	if want := (3*.2 + 2./3) / 4; math.Abs(p.Probability(7)-want) > 1e-9 || p.Slope != 0 {
		t.Errorf("%+v, want the probability %v everywhere", p, want)
	}
}

// Calibrated on the other folds, probabilities of a fold that was never seen are better.
func TestCalibrationHelpsAnOverconfidentProbe(t *testing.T) {
	logits, inBand := overconfident(1500, 4, 4)
	r := Report{Folds: 5, OutOfFold: logits, Fold: make([]int, len(logits))}
	r.Raw.Probabilities = make([]float64, len(logits))
	for i, s := range logits {
		r.Fold[i], r.Raw.Probabilities[i] = i%5, sigmoid(s)
	}
	if err := r.calibrate(inBand); err != nil {
		t.Fatal(err)
	}
	brier, ece := *r.Raw.Brier, *r.Raw.ECE
	for name, c := range map[string]Calibration{"isotonic": r.Isotonic, "Platt": r.Platt} {
		if *c.ECE > ece/3 || *c.Brier > brier-.03 {
			t.Errorf("%s: ECE %.3f of %.3f, Brier %.3f of %.3f before", name, *c.ECE, ece, *c.Brier, brier)
		}
	}
}

// A fold's own labels have no part in its probabilities.
func TestCalibrationIsOnOtherFolds(t *testing.T) {
	logits, inBand := overconfident(200, 2, 5)
	r := Report{Folds: 4, OutOfFold: logits, Fold: make([]int, len(logits)), Raw: Calibration{Probabilities: make([]float64, len(logits))}}
	for i := range logits {
		r.Fold[i] = i % 4
	}
	if err := r.calibrate(inBand); err != nil {
		t.Fatal(err)
	}
	before := r
	turned := slices.Clone(inBand)
	for i := range turned {
		if r.Fold[i] == 2 {
			turned[i] = !turned[i]
		}
	}
	if err := r.calibrate(turned); err != nil {
		t.Fatal(err)
	}
	others := 0
	for i, k := range r.Fold {
		same := r.Isotonic.Probabilities[i] == before.Isotonic.Probabilities[i] && r.Platt.Probabilities[i] == before.Platt.Probabilities[i]
		if k == 2 && !same {
			t.Errorf("example %d of fold 2 has another probability after the labels of its fold were turned", i)
		}
		if k != 2 && !same {
			others++
		}
	}
	if others == 0 {
		t.Error("no other fold noticed that the labels of fold 2 were turned")
	}
}

func TestTrainReportsCalibrations(t *testing.T) {
	f, examples := noise(200, 0, 6, .3, 7)
	plant(f, examples, 0, .5)
	_, report := train(t, f, examples, Options{Poolings: []Pooling{Last}, L2: []float64{1}, Folds: 4})
	for name, c := range map[string]Calibration{"raw": report.Raw, "isotonic": report.Isotonic, "Platt": report.Platt} {
		if c.Brier == nil || c.ECE == nil || len(c.Probabilities) != 200 || *c.Brier > .2 {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

func TestCalibrationsSurviveJSON(t *testing.T) {
	logits, inBand := overconfident(80, 2, 8)
	platt, err := FitPlatt(logits, inBand)
	if err != nil {
		t.Fatal(err)
	}
	isotonic := FitIsotonic(logits, inBand)
	var platt2 Platt
	var isotonic2 Isotonic
	for from, to := range map[any]any{&platt: &platt2, &isotonic: &isotonic2} {
		text, err := json.Marshal(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, to); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(from, to) {
			t.Errorf("%+v came back as %+v", from, to)
		}
	}
}
