package diversity

import (
	"cmp"
	"math"
	"slices"
)

// Types says how statements spread over their types.
type Types struct {
	Typed   int     `json:"typed"`   // statements with a type: the shares are of these
	Untyped int     `json:"untyped"` // statements whose type is ""
	Shares  []Share `json:"shares"`  // the most frequent first, equals by name
	// Top is the share of the most frequent type, in 0 … 1: PROPEL's top-topic share. Nil when no statement has a type.
	Top *float64 `json:"top"`
	// Effective is exp(−Σ p ln p) over the shares p, the Hill number of order 1: how many equally frequent types are as diverse. Nil when no
	// statement has a type.
	Effective *float64 `json:"effective"`
}

// Share is how often a type occurs.
type Share struct {
	Type  string  `json:"type"`
	Count int     `json:"count"`
	Share float64 `json:"share"` // of typed statements, in 0 … 1
}

// TypesOf counts types, one a statement.
func TypesOf(types []string) Types {
	t := Types{Shares: []Share{}}
	count := map[string]int{}
	for _, name := range types {
		if name == "" {
			t.Untyped++
			continue
		}
		t.Typed++
		count[name]++
	}
	for name, n := range count {
		t.Shares = append(t.Shares, Share{Type: name, Count: n, Share: float64(n) / float64(t.Typed)})
	}
	slices.SortFunc(t.Shares, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Type, b.Type))
	})
	if t.Typed == 0 {
		return t
	}
	shares := make([]float64, len(t.Shares))
	for i, s := range t.Shares {
		shares[i] = s.Share
	}
	effective := effectiveNumber(shares)
	t.Top, t.Effective = &shares[0], &effective
	return t
}

// effectiveNumber is exp(−Σ p ln p). What is not above zero, as an eigenvalue may be by rounding, adds nothing.
func effectiveNumber(p []float64) float64 {
	entropy := 0.0
	for _, v := range p {
		if v > 0 {
			entropy -= v * math.Log(v)
		}
	}
	return math.Exp(entropy)
}
