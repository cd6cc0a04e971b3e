package diversity

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// BagFeatures is the label of the Vendi score without embeddings: see Features.
const BagFeatures = "bag of token n-grams, n = 1 to 3"

// order is the longest n-gram that figures are made of.
const order = 3

// bagDensity is K/n for statements as bags of n-grams, none of them without a token. A statement's features are its n-gram counts, each n's
// scaled to length 1, so that K averages the cosines of n = 1, 2 and 3; a statement that is too short for an n has that n's block empty, and
// the whole is scaled to length 1 again.
//
// Pairs are met through the n-grams they share, because the vocabulary, and so the vectors, may have 100,000 dimensions. The products are whole
// numbers, so the result does not depend on the order in which n-grams are met.
func bagDensity(statements [][]string) *mat.SymDense {
	items := len(statements)
	blocks := make([]float64, items) // non-empty blocks of each statement
	density := mat.NewSymDense(items, nil)
	for n := 1; n <= order; n++ {
		products := blockProducts(statements, n)
		for i := range items {
			if products.At(i, i) > 0 {
				blocks[i]++
			}
			for j := i; j < items; j++ {
				if p := products.At(i, j); p > 0 {
					cosine := p / math.Sqrt(products.At(i, i)*products.At(j, j))
					density.SetSym(i, j, density.At(i, j)+cosine)
				}
			}
		}
	}
	for i := range items {
		for j := i; j < items; j++ {
			density.SetSym(i, j, density.At(i, j)/(math.Sqrt(blocks[i]*blocks[j])*float64(items)))
		}
	}
	return density
}

// blockProducts is the scalar products of the statements' n-gram counts.
func blockProducts(statements [][]string, n int) *mat.SymDense {
	type posting struct {
		statement int
		count     float64
	}
	index := map[string][]posting{}
	for i, s := range statements {
		for gram, c := range ngrams(s, n) {
			index[gram] = append(index[gram], posting{i, float64(c)})
		}
	}
	products := mat.NewSymDense(len(statements), nil)
	for _, postings := range index {
		for k, a := range postings {
			for _, b := range postings[k:] {
				products.SetSym(a.statement, b.statement, products.At(a.statement, b.statement)+a.count*b.count)
			}
		}
	}
	return products
}
