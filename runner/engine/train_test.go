package engine

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
)

// batchOf makes sequences of odd lengths with weights of both signs, some only read in part.
func batchOf(seed uint64, kl float32, lengths ...int) []Sequence {
	r := rand.New(rand.NewPCG(seed, 1))
	var batch []Sequence
	for i, n := range lengths {
		s := Sequence{Tokens: randomTokens(r, n), From: 1 + i%2, KL: kl}
		for range n - s.From {
			s.Weight = append(s.Weight, float32(r.NormFloat64()))
		}
		batch = append(batch, s)
	}
	return batch
}

// checkGradient holds the trainer's gradient to central differences in a few directions within each range of parameters:
// a directional derivative of a float32 loss is far better conditioned than one coordinate's.
func checkGradient(t *testing.T, tr *Trainer, batch []Sequence, ranges map[string][]float32, after func()) {
	t.Helper()
	params := tr.params()
	if _, err := tr.Gradient(batch); err != nil {
		t.Fatal(err)
	}
	grad := append([]float32(nil), tr.grads[0]...)
	offset := func(view []float32) int {
		for i := range params {
			if &params[i] == &view[0] {
				return i
			}
		}
		t.Fatal("range is no view of the parameters")
		return 0
	}
	for name, view := range ranges {
		at := offset(view)
		r := rand.New(rand.NewPCG(uint64(at), 9))
		for trial := range 3 {
			// Directions along the gradient's own signs keep the difference well above rounding.
			dir := make([]float64, len(view))
			var want float64
			for i := range dir {
				sign := 1.0
				if grad[at+i] < 0 {
					sign = -1
				}
				dir[i] = sign * r.Float64()
				want += dir[i] * float64(grad[at+i])
			}
			if want == 0 {
				t.Errorf("%s: the gradient is zero", name)
				break
			}
			old := append([]float32(nil), view...)
			eps := 1e-3 / math.Max(1, math.Abs(want)/20)
			var f [2]float64
			for side, sign := range []float64{1, -1} {
				for i := range view {
					view[i] = old[i] + float32(sign*eps*dir[i])
				}
				after()
				s, err := tr.Gradient(batch)
				if err != nil {
					t.Fatal(err)
				}
				f[side] = s.Loss
			}
			copy(view, old)
			after()
			got := (f[0] - f[1]) / (2 * eps)
			if math.Abs(got-want) > 0.02*math.Abs(want)+2e-3 {
				t.Errorf("%s, direction %d: finite difference %.5f, gradient %.5f", name, trial, got, want)
			}
		}
	}
}

func TestGradientOfEveryParameterMatchesFiniteDifferences(t *testing.T) {
	for _, tied := range []bool{true, false} {
		t.Run(fmt.Sprintf("tied=%v", tied), func(t *testing.T) {
			m := smallModel(t, tied)
			tr, err := NewTrainer(m, nil, DefaultAdamW())
			if err != nil {
				t.Fatal(err)
			}
			ranges := map[string][]float32{}
			for _, tensor := range m.Tensors() {
				ranges[tensor.Name] = tensor.Data
			}
			checkGradient(t, tr, batchOf(1, 0, 7, 33, 2, 40), ranges, tr.k.refresh)
		})
	}
}

func TestGradientOfAdapterMatchesFiniteDifferences(t *testing.T) {
	for _, kl := range []float32{0, 0.7} {
		t.Run(fmt.Sprintf("kl=%g", kl), func(t *testing.T) {
			m := smallModel(t, true)
			a := randomAdapter(t, m, 3, allTargets...)
			tr, err := NewTrainer(m, a, DefaultAdamW())
			if err != nil {
				t.Fatal(err)
			}
			ranges := map[string][]float32{}
			for block := range tr.lora.factors {
				for matrix, f := range tr.lora.factors[block] {
					ranges[fmt.Sprintf("%d.%s.a", block, matrixNames[matrix])] = f.a
					ranges[fmt.Sprintf("%d.%s.b", block, matrixNames[matrix])] = f.bt
				}
			}
			checkGradient(t, tr, batchOf(2, kl, 7, 33, 2, 40), ranges, tr.lora.refresh)
		})
	}
}

func TestKLIsZeroAtTheBaseAndFlat(t *testing.T) {
	m := smallModel(t, true)
	a, err := NewAdapter(m, 4, 8, allTargets, 1)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := NewTrainer(m, a, DefaultAdamW())
	if err != nil {
		t.Fatal(err)
	}
	batch := batchOf(3, 1, 12, 20)
	for i := range batch {
		clear(batch[i].Weight)
	}
	s, err := tr.Gradient(batch)
	if err != nil {
		t.Fatal(err)
	}
	if s.KL > 1e-6 || s.GradNorm > 1e-4 {
		t.Errorf("a fresh adapter is its base: KL %g, gradient norm %g", s.KL, s.GradNorm)
	}
}

// trainBits trains for a few steps and returns the bits of what was trained and of the figures.
func trainBits(t *testing.T, procs int, lora bool) []byte {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	m := smallModel(t, true)
	var a *Adapter
	kl := float32(0)
	if lora {
		a, kl = randomAdapter(t, m, 4, "attn_q", "ffn_down"), 0.1
	}
	tr, err := NewTrainer(m, a, DefaultAdamW())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for step := range 4 {
		var lengths []int
		for i := range 40 {
			lengths = append(lengths, 2+(i*7+step)%50)
		}
		s, err := tr.Step(batchOf(uint64(step), kl, lengths...), 1e-2)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%x\n", []float64{s.Loss, s.KL, s.Entropy, s.GradNorm})
	}
	if err := tr.Save(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestTrainingIsTheSameOnAnyNumberOfCores(t *testing.T) {
	for _, lora := range []bool{false, true} {
		want := trainBits(t, 1, lora)
		for _, procs := range []int{2, 8} {
			if !bytes.Equal(trainBits(t, procs, lora), want) {
				t.Errorf("lora=%v: GOMAXPROCS %d trains other bits than 1", lora, procs)
			}
		}
	}
}

func TestTrainerResumesToTheBit(t *testing.T) {
	run := func(cut int) []byte {
		m := smallModel(t, true)
		tr, err := NewTrainer(m, nil, DefaultAdamW())
		if err != nil {
			t.Fatal(err)
		}
		for step := range 6 {
			if step == cut {
				var state bytes.Buffer
				if err := tr.Save(&state); err != nil {
					t.Fatal(err)
				}
				m = smallModel(t, true)
				if tr, err = NewTrainer(m, nil, DefaultAdamW()); err != nil {
					t.Fatal(err)
				}
				if err := tr.Load(&state); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := tr.Step(batchOf(uint64(step), 0, 9, 17, 30), 1e-2); err != nil {
				t.Fatal(err)
			}
		}
		var out bytes.Buffer
		if err := tr.Save(&out); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	want := run(-1)
	for _, cut := range []int{1, 3, 5} {
		if !bytes.Equal(run(cut), want) {
			t.Errorf("training resumed after step %d ends elsewhere", cut)
		}
	}
}

func TestTrainingStepAllocatesNothingInTheSteadyState(t *testing.T) {
	m := smallModel(t, true)
	a := randomAdapter(t, m, 4, allTargets...)
	for name, adapter := range map[string]*Adapter{"all parameters": nil, "adapter": a} {
		tr, err := NewTrainer(m, adapter, DefaultAdamW())
		if err != nil {
			t.Fatal(err)
		}
		kl := float32(0)
		if adapter != nil {
			kl = 0.1
		}
		batch := batchOf(5, kl, 9, 17, 30, 44, 8)
		step := func() {
			if _, err := tr.Step(batch, 1e-3); err != nil {
				t.Fatal(err)
			}
		}
		step()
		if n := testing.AllocsPerRun(5, step); n > 0 {
			t.Errorf("%s: a training step allocates %g times", name, n)
		}
	}
}

func TestAdamWMatchesReferenceValues(t *testing.T) {
	for _, c := range []struct {
		decay float64
		want  []float64
	}{{0, []float64{.900000001, .8733662974, .8393233831}}, {.01, []float64{.899000001, .8714672974, .8365529158}}} {
		o := newAdamW(AdamW{Beta1: .9, Beta2: .999, Epsilon: 1e-8, WeightDecay: c.decay}, 1)
		w := []float32{1}
		for i, g := range []float32{1, -.5, .25} {
			o.update(w, []float32{g}, .1, 1)
			if math.Abs(float64(w[0])-c.want[i]) > 1e-6 {
				t.Errorf("decay %g, step %d: %.9f, want %.9f", c.decay, i+1, w[0], c.want[i])
			}
		}
	}
}

func TestTrainerRefusesWhatItCannotTrain(t *testing.T) {
	m := smallModel(t, true)
	tr, err := NewTrainer(m, nil, DefaultAdamW())
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]Sequence{
		"too long":       {Tokens: make([]int32, 81), From: 1},
		"nothing":        {Tokens: []int32{1, 2}, From: 2},
		"from 0":         {Tokens: []int32{1, 2}, From: 0},
		"bad token":      {Tokens: []int32{1, 9999}, From: 1},
		"negative token": {Tokens: []int32{1, -1}, From: 1},
		"weights":        {Tokens: []int32{1, 2, 3}, From: 1, Weight: []float32{1}},
		"no base":        {Tokens: []int32{1, 2, 3}, From: 1, KL: 1},
	} {
		if _, err := tr.Step([]Sequence{s}, 1e-3); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSchedule(t *testing.T) {
	s := Schedule{Rate: 2, Warmup: 4, Total: 104, Floor: .1}
	for step, want := range map[int]float64{1: .5, 4: 2, 54: 1.1, 104: .2, 500: .2} {
		if got := s.At(step); math.Abs(got-want) > 1e-12 {
			t.Errorf("step %d: rate %g, want %g", step, got, want)
		}
	}
}
