package probes

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
)

// longestGram is the most characters of a character n-gram, longestPhrase the most words of a word n-gram.
const (
	longestGram   = 3
	longestPhrase = 2
)

// maxTerms are the terms that a text probe knows: those in most texts, as rare ones say nothing about other tasks.
const maxTerms = 256

// count counts the terms of a text: n-grams of 1 to 3 characters, after a "c:", and of 1 or 2 words, after a "w:".
func count(text string) map[string]float64 {
	counts := map[string]float64{}
	characters, words := []rune(text), strings.Fields(text)
	for n := 1; n <= longestGram; n++ {
		for i := 0; i+n <= len(characters); i++ {
			counts["c:"+string(characters[i:i+n])]++
		}
	}
	for n := 1; n <= longestPhrase; n++ {
		for i := 0; i+n <= len(words); i++ {
			counts["w:"+strings.Join(words[i:i+n], " ")]++
		}
	}
	return counts
}

// vocabulary makes TF-IDF vectors of texts.
type vocabulary struct {
	terms []string
	idf   []float64
	at    map[string]int
}

func newVocabulary(terms []string, idf []float64) *vocabulary {
	v := &vocabulary{terms, idf, make(map[string]int, len(terms))}
	for j, term := range terms {
		v.at[term] = j
	}
	return v
}

// vocabularyOf takes the terms that are in most of the texts, but not in all, of which the IDF is 0, nor in one only.
func vocabularyOf(counts []map[string]float64) (*vocabulary, error) {
	documents := map[string]int{}
	for _, c := range counts {
		for term := range c {
			documents[term]++
		}
	}
	maps.DeleteFunc(documents, func(_ string, n int) bool { return n < 2 || n == len(counts) })
	if len(documents) == 0 {
		return nil, errors.New("probes: no n-gram is in some of the tasks' texts and not in others: there is nothing to tell them apart by; train on more and other tasks")
	}
	terms := slices.SortedFunc(maps.Keys(documents), func(a, b string) int {
		return cmp.Or(cmp.Compare(documents[b], documents[a]), cmp.Compare(a, b))
	})
	terms = slices.Clone(terms[:min(len(terms), maxTerms)])
	idf := make([]float64, len(terms))
	for j, term := range terms {
		idf[j] = math.Log(float64(1+len(counts)) / float64(1+documents[term]))
	}
	return newVocabulary(terms, idf), nil
}

// weigh writes the TF-IDF vector of counted terms to dst, of norm 1 unless none is known.
func (v *vocabulary) weigh(dst []float64, counts map[string]float64) {
	clear(dst)
	for term, n := range counts {
		if j, ok := v.at[term]; ok {
			dst[j] = n * v.idf[j]
		}
	}
	if norm := floats.Norm(dst, 2); norm > 0 {
		floats.Scale(1/norm, dst)
	}
}

func (v *vocabulary) vector(dst []float64, text string) { v.weigh(dst, count(text)) }
