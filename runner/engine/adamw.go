package engine

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// AdamW holds the settings of the optimiser (arXiv 1711.05101: decay is decoupled from the gradient).
type AdamW struct {
	Beta1, Beta2, Epsilon float64
	WeightDecay           float64
	Clip                  float64 // largest gradient norm; 0: no clipping
}

// DefaultAdamW is Adam's usual setting, without decay, clipped at norm 1.
func DefaultAdamW() AdamW { return AdamW{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Clip: 1} }

// adamw is the optimiser's state over one flat parameter vector.
type adamw struct {
	AdamW
	step int
	m, v []float32
	// one update's work, cut into parts
	params, grad                []float32
	rate, scale, decay, c1, bc2 float32
}

const adamPart = 1 << 15

func newAdamW(o AdamW, n int) *adamw {
	return &adamw{AdamW: o, m: make([]float32, n), v: make([]float32, n)}
}

// update moves params against grad, which is first scaled by scale.
func (o *adamw) update(params, grad []float32, rate, scale float64) {
	o.step++
	o.params, o.grad = params, grad
	o.scale = float32(scale)
	o.decay = float32(1 - rate*o.WeightDecay)
	o.rate = float32(rate)
	o.c1 = float32(1 / (1 - math.Pow(o.Beta1, float64(o.step))))
	o.bc2 = float32(1 / (1 - math.Pow(o.Beta2, float64(o.step))))
	parallel((len(params)+adamPart-1)/adamPart, o)
}

func (o *adamw) part(i, _ int) {
	from, to := i*adamPart, min((i+1)*adamPart, len(o.params))
	params, grad, m, v := o.params[from:to], o.grad[from:to], o.m[from:to], o.v[from:to]
	b1, b2, eps := float32(o.Beta1), float32(o.Beta2), float32(o.Epsilon)
	// In float32, 1 − 0.999 would be off by five parts in a hundred thousand.
	d1, d2 := float32(1-o.Beta1), float32(1-o.Beta2)
	for j, g := range grad {
		g *= o.scale
		m[j] = b1*m[j] + d1*g
		v[j] = b2*v[j] + d2*g*g
		params[j] = params[j]*o.decay - o.rate*m[j]*o.c1/(float32(math.Sqrt(float64(v[j]*o.bc2)))+eps)
	}
}

// Schedule is a learning rate over steps: a linear warm-up, then constant or a cosine down to Floor of the rate at Total.
type Schedule struct {
	Rate   float64
	Warmup int // steps
	Total  int // steps; 0: constant after the warm-up
	Floor  float64
}

// At is the rate of a step, counted from 1.
func (s Schedule) At(step int) float64 {
	if step <= s.Warmup {
		return s.Rate * float64(step) / float64(s.Warmup)
	}
	if s.Total == 0 {
		return s.Rate
	}
	done := float64(step-s.Warmup) / float64(max(1, s.Total-s.Warmup))
	return s.Rate * (s.Floor + (1-s.Floor)*0.5*(1+math.Cos(math.Pi*min(done, 1))))
}

// save and load carry the optimiser's state and the parameters across processes, little-endian float32s.
func (o *adamw) save(w io.Writer, params []float32) error {
	if err := binary.Write(w, binary.LittleEndian, [2]uint64{uint64(o.step), uint64(len(params))}); err != nil {
		return err
	}
	for _, t := range [][]float32{params, o.m, o.v} {
		if err := binary.Write(w, binary.LittleEndian, t); err != nil {
			return err
		}
	}
	return nil
}

func (o *adamw) load(r io.Reader, params []float32) error {
	var head [2]uint64
	if err := binary.Read(r, binary.LittleEndian, &head); err != nil {
		return fmt.Errorf("reading training state: %w", err)
	}
	if head[1] != uint64(len(params)) {
		return fmt.Errorf("training state holds %d parameters, this model trains %d", head[1], len(params))
	}
	for _, t := range [][]float32{params, o.m, o.v} {
		if err := binary.Read(r, binary.LittleEndian, t); err != nil {
			return fmt.Errorf("reading training state: %w", err)
		}
	}
	o.step = int(head[0])
	return nil
}
