package probes

import "testing"

// A corpus of the usual size, everything tried: 15 layers and poolings of up to 256 features.
func BenchmarkTrain(b *testing.B) {
	f, examples := noise(1500, 4, 128, .3, 1)
	plant(f, examples, 2, .1)
	for b.Loop() {
		if _, _, err := Train(b.Context(), f, examples, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
