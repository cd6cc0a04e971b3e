package probes

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"

	"verge/domains/prompt"
)

// fake is a Reader of made-up hidden states: prompt "i" reads as states[i], by layer.
type fake struct {
	layers, width int
	states        [][][]float32 // prompt, layer, tokens × width
}

func (f *fake) Layers() int { return f.layers }
func (f *fake) Width() int  { return f.width }

func (f *fake) Read(ctx context.Context, prompts []prompt.Prompt, layers []int, visit func(i, layer int, states []float32)) error {
	var wg sync.WaitGroup
	for i, p := range prompts {
		at, err := strconv.Atoi(p.String())
		if err != nil {
			return err
		}
		wg.Go(func() {
			for _, l := range layers {
				lent := append([]float32(nil), f.states[at][l]...)
				visit(i, l, lent)
				clear(lent) // valid during the call only
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// noise makes n examples of independent normal states, each its own group, with random labels of which a share is in band.
func noise(n, layers, width int, share float64, seed uint64) (*fake, []Example) {
	rng := rand.New(rand.NewPCG(seed, 0))
	f := &fake{layers: layers, width: width}
	examples := make([]Example, n)
	for i := range examples {
		examples[i] = Example{
			Prompt: numbered(i),
			Group:  fmt.Sprint("g", i),
			InBand: rng.Float64() < share,
		}
		byLayer := make([][]float32, layers+1)
		tokens := 1 + rng.IntN(4)
		for l := range byLayer {
			byLayer[l] = make([]float32, tokens*width)
			for j := range byLayer[l] {
				byLayer[l][j] = float32(rng.NormFloat64())
			}
		}
		f.states = append(f.states, byLayer)
	}
	return f, examples
}

// plant moves the last token's states at a layer of the examples in band by size along a fixed direction over all features.
func plant(f *fake, examples []Example, layer int, size float32) {
	for i, e := range examples {
		if !e.InBand {
			continue
		}
		states := f.states[i][layer]
		last := states[len(states)-f.width:]
		for j := range last {
			last[j] += size * float32(1-2*(j%2))
		}
	}
}

// numbered reads as states[i].
func numbered(i int) prompt.Prompt { return prompt.Prompt{prompt.Text(strconv.Itoa(i))} }

func prompts(examples []Example) []prompt.Prompt {
	out := make([]prompt.Prompt, len(examples))
	for i, e := range examples {
		out[i] = e.Prompt
	}
	return out
}

// texted reads prompts by their first part; the rest is for text probes.
type texted struct{ *fake }

func (f texted) Read(ctx context.Context, ps []prompt.Prompt, layers []int, visit func(int, int, []float32)) error {
	first := make([]prompt.Prompt, len(ps))
	for i, p := range ps {
		first[i] = p[:1]
	}
	return f.fake.Read(ctx, first, layers, visit)
}
