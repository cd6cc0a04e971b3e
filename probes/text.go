package probes

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"verge/domains/prompt"
)

// Text is the control of the activation probes: logistic regression on TF-IDF of the task's text, the prompt that a reference would read. It
// reads no hidden state, and where it does as well, the activations are not needed. It survives JSON unchanged.
type Text struct {
	Setting
	Terms   []string  `json:"terms"`   // see grams, in the order of IDF and Weights
	IDF     []float64 `json:"idf"`     // log((1 + texts) / (1 + texts with the term))
	Weights []float64 `json:"weights"` // of TF-IDF vectors of norm 1: the standardisation is in them
	Bias    float64   `json:"bias"`
}

// Score implements Probe. It does not use the reader, which may be nil.
func (p *Text) Score(ctx context.Context, _ Reader, prompts []prompt.Prompt) ([]float64, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v := newVocabulary(p.Terms, p.IDF)
	l := linear{p.Bias, p.Weights}
	x, logits := make([]float64, len(p.Terms)), make([]float64, len(prompts))
	for i, text := range texts(prompts) {
		v.vector(x, text)
		logits[i] = l.logit(x)
	}
	return logits, nil
}

// Describe implements Probe.
func (p *Text) Describe() Description {
	return Description{Kind: KindText, Setting: p.Setting, Parameters: len(p.Weights) + 1}
}

func texts(prompts []prompt.Prompt) []string {
	out := make([]string, len(prompts))
	for i, p := range prompts {
		out[i] = p.String()
	}
	return out
}

func textSource(prompts []prompt.Prompt, inBand []bool) source {
	l := &textLearner{inBand: inBand}
	for _, text := range texts(prompts) {
		l.counts = append(l.counts, count(text))
	}
	return func(context.Context, place) (learner, error) { return l, nil }
}

// textLearner takes the terms and their rarity, too, from the training examples alone.
type textLearner struct {
	counts []map[string]float64 // by example
	inBand []bool
}

func (l *textLearner) on(rows []int) (fitter, error) {
	training := make([]map[string]float64, len(rows))
	for i, r := range rows {
		training[i] = l.counts[r]
	}
	v, err := vocabularyOf(training)
	if err != nil {
		return nil, err
	}
	all := mat.NewDense(len(l.counts), len(v.terms), nil)
	for i, c := range l.counts {
		v.weigh(all.RawRowView(i), c)
	}
	x, _ := selectRows(all, l.inBand, rows)
	line := &linearLearner{all: all, inBand: l.inBand, curvature: curvature(x), pre: map[float64]preconditioner{}}
	return textFitter{linearFitter{line, rows}, v}, nil
}

type textFitter struct {
	linearFitter
	v *vocabulary
}

func (f textFitter) fit(l2 float64, seed uint64) (fitted, error) {
	line, err := f.linearFitter.fit(l2, seed)
	if err != nil {
		return nil, err
	}
	return fittedText{line.(fittedLinear), f.v}, nil
}

type fittedText struct {
	fittedLinear
	v *vocabulary
}

func (f fittedText) probe(s Setting) Probe {
	return &Text{s, f.v.terms, f.v.idf, f.weights, f.bias}
}
