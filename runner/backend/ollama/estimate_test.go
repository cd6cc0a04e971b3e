package ollama

import "testing"

func TestEstimateOfPrompts(t *testing.T) {
	for name, test := range map[string]struct {
		learned     [2]int // bytes, tokens of an earlier prompt
		bytes, read int
		want        reading
	}{
		"as expected":                   {[2]int{}, 4000, 1100, whole},
		"short prompts are not judged":  {[2]int{}, 400, 1, whole},
		"twice as many tokens":          {[2]int{}, 4000, 2000, whole},
		"the context is full":           {[2]int{}, 4000, 4096, cut},
		"over the context, half left":   {[2]int{}, 20000, 2048, cut},
		"over the estimate, but it fit": {[2]int{}, 20000, 3000, suspect},
		"over it, and just below it":    {[2]int{}, 20000, 4090, suspect},
		"nearly full":                   {[2]int{}, 15000, 4000, suspect},
		"far fewer, which would fit":    {[2]int{}, 4000, 400, suspect},
		"bytes are tokens":              {[2]int{1000, 1000}, 3000, 1200, suspect},
		"bytes are tokens, and cut":     {[2]int{1000, 1000}, 5000, 2048, cut},
	} {
		var e estimate
		if test.learned[0] > 0 {
			e.judge(test.learned[0], test.learned[1], 4096)
		}
		if got := e.judge(test.bytes, test.read, 4096); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
		guess := e.of(1000)
		if e.judge(test.bytes, test.read, 4096); test.want != whole && e.of(1000) != guess {
			t.Errorf("%s: the estimate learned from it", name)
		}
	}
}
