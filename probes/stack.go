package probes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Stack names several layers that are read together, their features one after the other, in ascending order: "1+3". It is a string so
// that settings can be compared.
type Stack string

func stackOf(layers []int) Stack {
	names := make([]string, len(layers))
	for i, l := range layers {
		names[i] = strconv.Itoa(l)
	}
	return Stack(strings.Join(names, "+"))
}

// layers are those of a stack, or an error if it names none or not in ascending order.
func (s Stack) layers() ([]int, error) {
	var layers []int
	for name := range strings.SplitSeq(string(s), "+") {
		l, err := strconv.Atoi(name)
		if err != nil || len(layers) > 0 && l <= layers[len(layers)-1] {
			return nil, fmt.Errorf("probes: %q is no stack of layers: write ascending numbers with plus signs between them, such as 1+3", s)
		}
		layers = append(layers, l)
	}
	return layers, nil
}

// place is where features are taken: a layer, or a stack of them, and a pooling.
type place struct {
	layer   int
	pooling Pooling
	stack   Stack
}

// layers are those that are read. A stack has been checked, where it was made or in Setting.check.
func (p place) layers() []int {
	if p.stack == "" {
		return []int{p.layer}
	}
	layers, _ := p.stack.layers()
	return layers
}

func (p place) where() string {
	if p.layer == NoLayer {
		return "no layer"
	}
	if p.stack == "" {
		return fmt.Sprintf("layer %d", p.layer)
	}
	return fmt.Sprintf("layers %s", p.stack)
}

func (s Setting) place() place { return place{s.Layer, s.Pooling, s.Stack} }

// check says whether a probe of this setting and that many features can read r.
func (s Setting) check(r Reader, features int) error {
	layers := []int{s.Layer}
	if s.Stack != "" {
		var err error
		if layers, err = s.Stack.layers(); err != nil {
			return err
		}
	}
	if r == nil {
		return fmt.Errorf("probes: the probe reads %s of %s, but there is no model to read: bind a reference with activations", s.Pooling, s.place().where())
	}
	if layers[0] < 0 || slices.Max(layers) > r.Layers() || features != len(layers)*len(s.Pooling.parts())*r.Width() {
		return fmt.Errorf("probes: the probe reads %d features, %s of %s, but the model has layers 0 to %d of width %d: score with the model it was trained on",
			features, s.Pooling, s.place().where(), r.Layers(), r.Width())
	}
	return nil
}
