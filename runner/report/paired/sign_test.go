package paired

import (
	"fmt"
	"testing"
)

func TestSign(t *testing.T) {
	for _, c := range []struct {
		higher, lower, ties int
		p                   float64
	}{
		{1, 1, 0, 1},
		{5, 0, 0, .0625}, // 2/2^5
		{0, 5, 0, .0625},
		{6, 0, 0, .03125},
		{4, 1, 0, .375},       // 2·(1 + 5)/2^5
		{3, 3, 0, 1},          // the middle in both tails
		{4, 3, 0, 1},          // 2·64/2^7
		{8, 2, 0, .109375},    // 2·(1 + 10 + 45)/2^10
		{9, 1, 0, .021484375}, // 2·(1 + 10)/2^10
		{1, 9, 7, .021484375}, // ties change nothing
		{1, 0, 1, 1},          // one pair decides nothing
		{20, 0, 0, 2. / (1 << 20)},
	} {
		var pairs []pair
		for range c.higher {
			pairs = append(pairs, pair{.3, .2})
		}
		for range c.lower {
			pairs = append(pairs, pair{-1, 0})
		}
		for range c.ties {
			pairs = append(pairs, pair{.1, .1})
		}
		s := signTest(pairs)
		if s.Higher != c.higher || s.Lower != c.lower || s.Ties != c.ties {
			t.Errorf("counts of %+v, want %d, %d, %d", s, c.higher, c.lower, c.ties)
		}
		near(t, fmt.Sprintf("p of %d to %d", c.higher, c.lower), s.P, c.p)
	}
	for _, pairs := range [][]pair{nil, {{1, 0}}, {{1, 1}, {2, 2}, {0, 0}}} {
		undefined(t, fmt.Sprintf("p of %v", pairs), signTest(pairs).P)
	}
}
