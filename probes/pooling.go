package probes

import "slices"

// Pooling makes one vector of a task's hidden states at one layer.
type Pooling string

// The poolings.
const (
	Mean     Pooling = "mean"      // over the tokens
	Last     Pooling = "last"      // of the last token
	MeanLast Pooling = "mean+last" // one after the other
	Attend   Pooling = "attention" // by a learned query, of attention probes alone
	TFIDF    Pooling = "tf-idf"    // of text probes: no hidden states are pooled
	Embedded Pooling = "embedding" // of an Embedder's vectors, which its model has pooled
)

// Poolings lists the poolings of linear and MLP probes.
func Poolings() []Pooling { return []Pooling{Mean, Last, MeanLast} }

// basicPoolings are those that are no combination of others.
func basicPoolings() []Pooling { return []Pooling{Mean, Last, Embedded} }

// parts are the basic poolings, of one width each, that a pooling consists of.
func (p Pooling) parts() []Pooling {
	if p == MeanLast {
		return []Pooling{Mean, Last}
	}
	return []Pooling{p}
}

// pool writes the basic pooling part of states, tokens × width, to dst; an embedding is the only one of its text. Sums are double precision and in the order of the tokens.
func pool(dst []float32, part Pooling, states []float32) {
	width := len(dst)
	if part != Mean {
		copy(dst, states[len(states)-width:])
		return
	}
	sum := make([]float64, width)
	for token := range slices.Chunk(states, width) {
		for j, v := range token {
			sum[j] += float64(v)
		}
	}
	tokens := float64(len(states) / width)
	for j, s := range sum {
		dst[j] = float32(s / tokens)
	}
}
