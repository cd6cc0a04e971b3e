package engine

import (
	"fmt"
	"slices"
	"strings"
)

// Architecture is a family of models, as general.architecture names it. Both are decoders with RMS norms before attention and
// SwiGLU; they differ in which values a rotary position turns together, and in Qwen2's biases.
type Architecture int

// The architectures that the engine runs.
const (
	Llama Architecture = iota // rotary positions turn neighbours: values 2i and 2i+1 of a head
	Qwen2                     // rotary positions turn halves: values i and i+HeadDim/2; biases on queries, keys and values
)

var architectureNames = []string{Llama: "llama", Qwen2: "qwen2"}

// String is the architecture's name in GGUF, which is also the prefix of its metadata keys.
func (a Architecture) String() string { return architectureNames[a] }

// architectureOf is the architecture of that name.
func architectureOf(name string) (Architecture, error) {
	i := slices.Index(architectureNames, name)
	if i < 0 {
		return 0, fmt.Errorf("general.architecture is %q; the engine runs: %s", name, strings.Join(architectureNames, ", "))
	}
	return Architecture(i), nil
}
