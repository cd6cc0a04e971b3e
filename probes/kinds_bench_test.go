package probes

import "testing"

// A corpus of the usual size, five layers of width 128.
func BenchmarkKinds(b *testing.B) {
	f, examples := noise(1500, 4, 128, .3, 1)
	plant(f, examples, 2, .1)
	for i, e := range sums(len(examples), 1) {
		examples[i].Prompt = append(examples[i].Prompt, e.Prompt[1:]...)
	}
	for _, kind := range []Kind{KindMLP, KindAttention, KindText} {
		b.Run(string(kind), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := Train(b.Context(), texted{f}, examples, Options{Kind: kind}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
