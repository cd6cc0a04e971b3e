package diversity

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// DefaultSample is a number of statements that keeps Measure well under a second for short statements.
const DefaultSample = 512

// Options says how Measure samples, and what the Vendi score sees.
type Options struct {
	// Sample is how many statements the figures of their texts are of, at most; at least 1. Arms are comparable at equal numbers.
	Sample int
	// Seed picks the sample: the same statements, in the same order, and the same seed give the same report.
	Seed uint64
	// Features are the vectors of the Vendi score; nil for a bag of token n-grams.
	Features *Features
}

// Features are vectors of the caller's, such as pooled activations or embeddings.
type Features struct {
	Label   string      // what they are, as the report says it
	Vectors [][]float64 // one a statement
}

// Report is the diversity of a set of statements. A figure that the set leaves undefined is nil.
type Report struct {
	Statements int `json:"statements"` // given; the type shares are of all of them
	Empty      int `json:"empty"`      // without a token: in no figure of the texts
	Sampled    int `json:"sampled"`    // drawn from the others: Self-BLEU-3, Distinct-3 and the Vendi score are of these
	Short      int `json:"short"`      // of the sampled, those with fewer than three tokens: in no trigram
	// SelfBLEU3 is SelfBLEU at order 3, in 0 … 1; nil for fewer than two sampled statements.
	SelfBLEU3 *float64 `json:"self_bleu_3"`
	// Distinct3 is different trigrams / trigrams, in 0 … 1 (Li et al., arXiv 1510.03055); nil without a trigram.
	Distinct3 *float64 `json:"distinct_3"`
	Trigrams  int      `json:"trigrams"` // of the sampled statements, repeats included
	// Vendi is the Vendi score, in 1 … Sampled; nil without a sampled statement.
	Vendi         *float64 `json:"vendi"`
	VendiFeatures string   `json:"vendi_features"` // what its similarities are of
	Types         Types    `json:"types"`
}

// Measure reports on statements and their types, "" where one has none. Statements are drawn without replacement when there are more than
// o.Sample; repeats among them count as often as they occur, as repetition is what is measured. It fails when types or features are not one a
// statement, when o.Sample is below 1, and when Vendi refuses the features.
func Measure(statements, types []string, o Options) (Report, error) {
	if err := o.check(statements, types); err != nil {
		return Report{}, err
	}
	r := Report{Statements: len(statements), VendiFeatures: BagFeatures, Types: TypesOf(types)}
	tokens := make([][]string, len(statements))
	var filled []int
	for i, s := range statements {
		tokens[i] = Tokens(s)
		if len(tokens[i]) == 0 {
			r.Empty++
			continue
		}
		filled = append(filled, i)
	}
	chosen := draw(filled, o.Sample, o.Seed)
	r.Sampled = len(chosen)
	texts := make([][]string, len(chosen))
	for k, i := range chosen {
		texts[k] = tokens[i]
		if len(tokens[i]) < order {
			r.Short++
		}
	}
	if v, ok := SelfBLEU(texts, order); ok {
		r.SelfBLEU3 = &v
	}
	different, all := distinct(texts, order)
	if r.Trigrams = all; all > 0 {
		v := float64(different) / float64(all)
		r.Distinct3 = &v
	}
	if o.Features != nil {
		r.VendiFeatures = o.Features.Label
	}
	if len(texts) == 0 {
		return r, nil
	}
	vendi, err := o.vendi(texts, chosen)
	if err != nil {
		return Report{}, err
	}
	r.Vendi = &vendi
	return r, nil
}

func (o Options) check(statements, types []string) error {
	if len(types) != len(statements) {
		return fmt.Errorf("diversity: Measure: %d types for %d statements: give one each, \"\" where there is none", len(types), len(statements))
	}
	if o.Sample < 1 {
		return fmt.Errorf("diversity: Measure: Options.Sample = %d: at least 1 is needed, such as DefaultSample = %d", o.Sample, DefaultSample)
	}
	if f := o.Features; f != nil {
		if f.Label == "" {
			return fmt.Errorf("diversity: Measure: Features.Label is empty: say what the vectors are, the report shows it")
		}
		if len(f.Vectors) != len(statements) {
			return fmt.Errorf("diversity: Measure: %d feature vectors for %d statements: give one each", len(f.Vectors), len(statements))
		}
	}
	return nil
}

func (o Options) vendi(texts [][]string, chosen []int) (float64, error) {
	if o.Features == nil {
		return spectral(bagDensity(texts))
	}
	return Vendi(o.Features.Vectors, chosen)
}

// draw is at most size of the items, in their order.
func draw(items []int, size int, seed uint64) []int {
	if len(items) <= size {
		return items
	}
	rng := rand.New(rand.NewPCG(seed, uint64(len(items))))
	chosen := make([]int, size)
	for k, at := range rng.Perm(len(items))[:size] {
		chosen[k] = items[at]
	}
	slices.Sort(chosen)
	return chosen
}
