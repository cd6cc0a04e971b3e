package diversity

import "testing"

func TestDistinct(t *testing.T) {
	for _, c := range []struct {
		statements     []string
		different, all int
	}{
		{nil, 0, 0},
		{[]string{"-7", "8"}, 0, 0},
		{[]string{"1+2"}, 1, 1},
		{[]string{"1+2", "1+2", "1+2*3"}, 3, 5}, // 1+2 three times, +2*, 2*3
		{[]string{"1+1+1"}, 2, 3},               // 1+1, +1+, 1+1
	} {
		different, all := distinct(tokenised(c.statements...), 3)
		if different != c.different || all != c.all {
			t.Errorf("distinct trigrams of %q: %d of %d, want %d of %d", c.statements, different, all, c.different, c.all)
		}
	}
}
