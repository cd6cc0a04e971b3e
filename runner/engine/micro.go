package engine

import (
	_ "embed"
	"slices"
	"sync"
)

// MicroConfig is the shape of the embedded model, for a vocabulary of that size.
func MicroConfig(vocab int) Config {
	return Config{Vocab: vocab, Width: 128, Layers: 4, Heads: 4, KVHeads: 2, HeadDim: 32, Hidden: 352, Context: 256,
		RopeBase: 10000, Epsilon: 1e-5, Tied: true}
}

// SecondConfig is the shape of the second family: another width and depth, another share of key/value heads, so that a probe trained
// on one model's activations cannot be read on the other's.
func SecondConfig(vocab int) Config {
	return Config{Vocab: vocab, Width: 96, Layers: 5, Heads: 3, KVHeads: 1, HeadDim: 32, Hidden: 256, Context: 256,
		RopeBase: 10000, Epsilon: 1e-5, Tied: true}
}

//go:embed micro.gguf
var micro []byte

// Micro is the embedded model: a byte-level Llama trained from scratch by verge pretrain. It is read once and shared; MICRO.md says how it was made.
var Micro = sync.OnceValues(func() (*Model, error) { return ReadModel(micro, "micro.gguf (embedded)") })

//go:embed micro-b.gguf
var microB []byte

// MicroB is the second family: trained on the same text as Micro, with another shape and seed, by verge pretrain --variant.
var MicroB = sync.OnceValues(func() (*Model, error) { return ReadModel(microB, "micro-b.gguf (embedded)") })

// MicroFile is the GGUF file of Micro.
func MicroFile() []byte { return slices.Clone(micro) }

// MicroBFile is the GGUF file of MicroB.
func MicroBFile() []byte { return slices.Clone(microB) }
