package engine

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"
)

func sampleRequests(n int) []Request {
	r := rand.New(rand.NewPCG(11, 1))
	var out []Request
	for i := range n {
		q := Request{Prompt: randomTokens(r, 1+i%9), Params: Params{Temperature: 1, MaxTokens: 20}}
		for j := range 1 + i%5 {
			q.Seeds = append(q.Seeds, uint64(i*100+j))
		}
		out = append(out, q)
	}
	return out
}

func view(t testing.TB, m *Model, a *Adapter) *View {
	t.Helper()
	v, err := m.View(a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestASampleDependsOnItsSeedAloneNotOnItsBatch(t *testing.T) {
	v := view(t, smallModel(t, true), nil)
	requests := sampleRequests(60)
	for i := range requests {
		if i%3 == 1 {
			requests[i].Params = Params{Temperature: .7, TopK: 20, TopP: .9, MaxTokens: 15}
		}
	}
	want, err := v.Sample(context.Background(), requests, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, procs := range []int{1, 2, 8} {
		old := runtime.GOMAXPROCS(procs)
		got, err := v.Sample(context.Background(), requests, nil)
		runtime.GOMAXPROCS(old)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("GOMAXPROCS %d gives other samples", procs)
		}
	}
	for i, r := range requests {
		for j, seed := range r.Seeds {
			alone := r
			alone.Seeds = []uint64{seed}
			got, err := v.Sample(context.Background(), []Request{alone}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got[0][0], want[i][j]) {
				t.Fatalf("request %d, seed %d: alone %v, in the batch %v", i, seed, got[0][0], want[i][j])
			}
		}
	}
}

func TestSampledLogprobsAreTheForwardPass(t *testing.T) {
	m := smallModel(t, false)
	v := view(t, m, randomAdapter(t, m, 3, allTargets...))
	requests := sampleRequests(30)
	out, err := v.Sample(context.Background(), requests, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, samples := range out {
		for _, s := range samples {
			seq := append(append([]int32(nil), requests[i].Prompt...), s.Tokens...)
			lp, err := v.Logprobs(context.Background(), [][]int32{seq}, []int{len(requests[i].Prompt)})
			if err != nil {
				t.Fatal(err)
			}
			for j, want := range lp[0] {
				if math.Abs(float64(s.Logprob[j]-want)) > 2e-4 || s.Sampled[j] != s.Logprob[j] {
					t.Fatalf("request %d token %d: sampled with %g (temperature 1: %g), forward pass %g", i, j, s.Sampled[j], s.Logprob[j], want)
				}
			}
			if (s.Finish == FinishEnd) != (s.Tokens[len(s.Tokens)-1] == m.Tokenizer.End()) {
				t.Errorf("finish %q with last token %d", s.Finish, s.Tokens[len(s.Tokens)-1])
			}
		}
	}
}

func TestSamplingFollowsTheDistribution(t *testing.T) {
	v := view(t, smallModel(t, true), nil)
	prompt := []int32{65, 66, 67}
	seeds := make([]uint64, 20000)
	for i := range seeds {
		seeds[i] = uint64(i)
	}
	for _, p := range []Params{{Temperature: 1, MaxTokens: 1}, {Temperature: .5, MaxTokens: 1}, {Temperature: 1, TopK: 5, MaxTokens: 1}, {Temperature: 1, TopP: .3, MaxTokens: 1}} {
		out, err := v.Sample(context.Background(), []Request{{Prompt: prompt, Params: p, Seeds: seeds}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		counts := map[int32]float64{}
		logp := map[int32]float64{}
		for _, s := range out[0] {
			counts[s.Tokens[0]]++
			logp[s.Tokens[0]] = float64(s.Sampled[0])
		}
		var covered float64
		for token, n := range counts {
			want := math.Exp(logp[token])
			covered += want
			sd := math.Sqrt(want * (1 - want) / float64(len(seeds)))
			if got := n / float64(len(seeds)); math.Abs(got-want) > 5*sd+1e-9 {
				t.Errorf("%+v token %d: share %.4f, probability %.4f", p, token, got, want)
			}
		}
		if p.TopK > 0 && len(counts) != p.TopK {
			t.Errorf("top-%d drew %d tokens", p.TopK, len(counts))
		}
		if covered < .98 || covered > 1.0001 {
			t.Errorf("%+v: the drawn tokens' probabilities sum to %g", p, covered)
		}
	}
}

func TestGreedyTakesTheMostLikely(t *testing.T) {
	v := view(t, smallModel(t, true), nil)
	out, err := v.Sample(context.Background(), []Request{{Prompt: []int32{1, 2, 3}, Params: Params{MaxTokens: 10}, Seeds: []uint64{1, 2}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	seq := []int32{1, 2, 3}
	for _, tok := range out[0][0].Tokens {
		err := v.Distributions(context.Background(), [][]int32{seq}, [][]int{{len(seq) - 1}}, func(_, _ int, p []float32) {
			for other, q := range p {
				if q > p[tok] {
					t.Errorf("after %d tokens: drew %d, but %d is likelier", len(seq), tok, other)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		seq = append(seq, tok)
	}
	if !reflect.DeepEqual(out[0][0].Tokens, out[0][1].Tokens) {
		t.Error("greedy samples differ by seed")
	}
}

func TestTopListsTheMostLikelyAtEachPosition(t *testing.T) {
	m := smallModel(t, true)
	v := view(t, m, nil)
	prompt := []int32{1, 2, 3}
	out, err := v.Sample(context.Background(), []Request{{Prompt: prompt, Params: Params{MaxTokens: 6, Temperature: 1, TopK: 3, Top: 5}, Seeds: []uint64{7}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := out[0][0]
	if len(s.Top) != len(s.Tokens) {
		t.Fatalf("%d lists for %d tokens", len(s.Top), len(s.Tokens))
	}
	seq := append(slices.Clone(prompt), s.Tokens...)
	for i, logprobs := range distributions(t, v, seq)[len(prompt)-1 : len(seq)-1] {
		if len(s.Top[i]) != 5 {
			t.Fatalf("position %d lists %d tokens, want 5", i, len(s.Top[i]))
		}
		order := make([]int32, len(logprobs))
		for j := range order {
			order[j] = int32(j)
		}
		slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(logprobs[b], logprobs[a]) })
		for j, c := range s.Top[i] {
			if math.Abs(float64(c.Logprob-logprobs[order[j]])) > 1e-4 || math.Abs(float64(logprobs[c.Token]-logprobs[order[j]])) > 1e-4 {
				t.Errorf("position %d: place %d is token %d at %.5f, want token %d at %.5f", i, j, c.Token, c.Logprob, order[j], logprobs[order[j]])
			}
		}
	}
	if _, err := v.Sample(context.Background(), []Request{{Prompt: prompt, Params: Params{Top: -1}, Seeds: []uint64{1}}}, nil); err == nil {
		t.Error("a negative number of tokens is taken")
	}
}

func TestStopStringsAndLimits(t *testing.T) {
	m := smallModel(t, true)
	v := view(t, m, nil)
	base := Request{Prompt: []int32{40}, Params: Params{Temperature: 1, MaxTokens: 40}, Seeds: []uint64{3}}
	free, err := v.Sample(context.Background(), []Request{base}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := free[0][0].Text
	if len(text) < 8 {
		t.Fatalf("sample too short to stop in: %q", text)
	}
	stopped := base
	stopped.Params.Stop = []string{text[3:5]}
	got, err := v.Sample(context.Background(), []Request{stopped}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := got[0][0]; s.Finish != FinishStop || s.Text != text[:3] {
		t.Errorf("stop %q in %q: finish %q, text %q", text[3:5], text, s.Finish, s.Text)
	}
	long := base
	long.Prompt, long.Params.MaxTokens = make([]int32, m.Context), 0
	full, err := v.Sample(context.Background(), []Request{long}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := full[0][0]; s.Finish != FinishLength || len(s.Tokens) != 0 {
		t.Errorf("a prompt that fills the context: %+v", s)
	}
	long.Prompt = make([]int32, m.Context+1)
	if _, err := v.Sample(context.Background(), []Request{long}, nil); err == nil {
		t.Error("a prompt longer than the context was taken")
	}
}

func TestSamplingStopsWhenCancelled(t *testing.T) {
	v := view(t, smallModel(t, true), nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := v.Sample(ctx, sampleRequests(5), nil); err == nil {
		t.Error("a cancelled context gave no error")
	}
}

func TestHiddenStatesDoNotDependOnTheBatch(t *testing.T) {
	v := view(t, smallModel(t, true), nil)
	r := rand.New(rand.NewPCG(8, 8))
	var seqs [][]int32
	for i := range 40 {
		seqs = append(seqs, randomTokens(r, 1+i))
	}
	layers := []int{0, 1, 2}
	read := func(seqs [][]int32) map[[2]int][]float32 {
		out := make([][][]float32, len(seqs))
		for i := range out {
			out[i] = make([][]float32, 3)
		}
		err := v.Hidden(context.Background(), seqs, layers, func(seq, layer int, states []float32) {
			out[seq][layer] = append([]float32(nil), states...)
		})
		if err != nil {
			t.Fatal(err)
		}
		m := map[[2]int][]float32{}
		for i := range out {
			for l := range out[i] {
				m[[2]int{i, l}] = out[i][l]
			}
		}
		return m
	}
	all := read(seqs)
	for i, s := range seqs {
		one := read([][]int32{s})
		for _, l := range layers {
			if len(one[[2]int{0, l}]) != len(s)*16 || !reflect.DeepEqual(one[[2]int{0, l}], all[[2]int{i, l}]) {
				t.Fatalf("sequence %d layer %d: alone and in a batch differ", i, l)
			}
		}
	}
	if err := v.Hidden(context.Background(), seqs, []int{3}, nil); err == nil {
		t.Error("a layer beyond the last was read")
	}
}

func TestMergedAdapterIsTheTrainedOne(t *testing.T) {
	m := smallModel(t, true)
	a := randomAdapter(t, m, 4, allTargets...)
	tr, err := NewTrainer(m, a, DefaultAdamW())
	if err != nil {
		t.Fatal(err)
	}
	batch := batchOf(9, 0, 20, 31)
	s, err := tr.Gradient(batch)
	if err != nil {
		t.Fatal(err)
	}
	lp, err := view(t, m, a).Logprobs(context.Background(), [][]int32{batch[0].Tokens, batch[1].Tokens}, []int{batch[0].From, batch[1].From})
	if err != nil {
		t.Fatal(err)
	}
	var sum, n float64
	for _, l := range lp {
		for _, x := range l {
			sum += float64(x)
			n++
		}
	}
	if math.Abs(sum/n-s.LogProb) > 1e-4 {
		t.Errorf("mean log-probability merged %g, in training %g", sum/n, s.LogProb)
	}
}
