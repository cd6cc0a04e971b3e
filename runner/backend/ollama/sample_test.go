package ollama

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ollama/ollama/api"

	"verge/domains/prompt"
	"verge/runner/backend"
	"verge/runner/backend/ollama/hostile"
)

// batch asks for replies to prompts, with seeds that differ everywhere.
func batch(prompts, seeds int) []backend.Request {
	requests := make([]backend.Request, prompts)
	for i := range requests {
		requests[i] = backend.Request{Prompt: prompt.Prompt{prompt.Text(fmt.Sprintf("question %d", i))}, Params: params}
		for j := range seeds {
			requests[i].Seeds = append(requests[i].Seeds, uint64(100*i+j))
		}
	}
	return requests
}

// wantEchoes checks that every reply is the one to its own seed.
func wantEchoes(t *testing.T, requests []backend.Request, replies [][]backend.Reply) {
	t.Helper()
	if len(replies) != len(requests) {
		t.Fatalf("%d rows of replies to %d requests", len(replies), len(requests))
	}
	for i, r := range requests {
		for j, s := range r.Seeds {
			if got, want := replies[i][j], fmt.Sprintf("seed %d", seed(s)); got.Err != nil || got.Text != want {
				t.Errorf("reply %d/%d is %q (error %v), want %q", i, j, got.Text, got.Err, want)
			}
		}
	}
}

func TestSampleKeepsRepliesInTheirPlaces(t *testing.T) {
	for _, concurrency := range []int{1, 4} {
		inBubble(t, nil, Options{Concurrency: concurrency}, ModelOptions{}, func(b *bench) {
			var running, most atomic.Int64
			b.server.Always(func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
				most.Store(max(most.Load(), running.Add(1)))
				hostile.Slow(time.Second, hostile.Echo())(w, r, q)
				running.Add(-1)
			})
			requests := batch(5, 3)
			var replies, tokens atomic.Int64
			got, err := b.model.Sample(context.Background(), requests, func(r, n int) {
				replies.Add(int64(r))
				tokens.Add(int64(n))
			})
			if err != nil {
				b.t.Fatal(err)
			}
			wantEchoes(b.t, requests, got)
			if most.Load() != int64(concurrency) {
				b.t.Errorf("%d calls at a time, want %d", most.Load(), concurrency)
			}
			if replies.Load() != 15 || tokens.Load() != 15 || got[0][0].Count != 1 {
				b.t.Errorf("progress told %d replies and %d tokens, the first reply has %d", replies.Load(), tokens.Load(), got[0][0].Count)
			}
			if n := len(b.server.Asked()); n != 15 {
				b.t.Errorf("%d questions for 15 replies", n)
			}
			if d := cmp.Diff([]Notice{{Kind: Outcomes, Model: hostile.Model, Text: "calls to test:latest: 15 ok", Counts: map[Outcome]int{OK: 15}}}, b.told(Outcomes)); d != "" {
				b.t.Error(d)
			}
		})
	}
}

// A server keeps the prompt it has just read, and a caller what it has of the first requests: replies are asked for in the requests' order.
func TestRepliesAreAskedForInOrder(t *testing.T) {
	inBubble(t, nil, Options{Concurrency: 1}, ModelOptions{}, func(b *bench) {
		requests := batch(2, 2)
		requests = append(requests, batch(2, 2)...)
		if _, err := b.model.Sample(context.Background(), requests, nil); err != nil {
			b.t.Fatal(err)
		}
		var order []string
		for _, q := range b.server.Asked() {
			order = append(order, q.Messages[0].Content)
		}
		if len(order) != 8 || len(slices.Compact(slices.Clone(order))) != 4 {
			b.t.Errorf("asked in the order %q", order)
		}
	})
}

// One call that fails is one reply with an error; the others keep theirs.
func TestAFailureIsOneReply(t *testing.T) {
	inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
		bad := seed(101)
		b.server.Always(func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
			if q.Seed() == bad {
				hostile.ErrorWithin("boom")(w, r, q)
				return
			}
			hostile.Echo()(w, r, q)
		})
		requests := batch(2, 3)
		got, err := b.model.Sample(context.Background(), requests, nil)
		if err != nil {
			b.t.Fatal(err)
		}
		failed := got[1][1]
		if outcomeOf(failed.Err) != ServerError || failed.Text != "" {
			b.t.Errorf("the failed reply is %+v", failed)
		}
		got[1][1] = backend.Reply{Text: fmt.Sprintf("seed %d", bad)}
		wantEchoes(b.t, requests, got)
		if n := b.told(Outcomes)[0]; n.Counts[OK] != 5 || n.Counts[ServerError] != 1 || n.Share != 1.0/6 {
			b.t.Errorf("counted %+v", n)
		}
	})
}

func TestStops(t *testing.T) {
	inBubble(t, nil, Options{Concurrency: 1}, ModelOptions{}, func(b *bench) {
		b.server.Script(hostile.Answer("12"), hostile.Stream(hostile.Reply{Text: []string{"1"}, Reason: "length"}),
			hostile.Stream(hostile.Reply{Text: slices.Repeat([]string{"0"}, 31), NotDone: true}))
		got, err := b.model.Sample(context.Background(), batch(1, 3), nil)
		if err != nil {
			b.t.Fatal(err)
		}
		for i, want := range []backend.Stop{backend.StopEnd, backend.StopLength, backend.StopLength} {
			if got[0][i].Stop != want {
				b.t.Errorf("reply %d ended with %q, want %q", i, got[0][i].Stop, want)
			}
		}
	})
}

func TestGivingUp(t *testing.T) {
	inBubble(t, nil, Options{Concurrency: 1}, ModelOptions{GiveUp: 3}, func(b *bench) {
		down := hostile.Status(500, "out of memory")
		b.server.Script(down, down, hostile.Echo(), down, down, down)
		_, err := b.model.Sample(context.Background(), batch(1, 20), nil)
		var gave *GaveUpError
		if !errors.As(err, &gave) || gave.Calls != 3 || !strings.Contains(err.Error(), "out of memory") {
			b.t.Errorf("error %v, want giving up after three in a row", err)
		}
		if n := len(b.server.Asked()); n != 6 {
			b.t.Errorf("asked %d times, want 6", n)
		}
	})
}

// Calls that end because another one failed for all are no failures of their own: they are asked again when the run goes on.
func TestSiblingsOfAFailureAreCancelled(t *testing.T) {
	inBubble(t, nil, Options{Concurrency: 2}, ModelOptions{GiveUp: 1}, func(b *bench) {
		b.server.Script(hostile.Stall(), hostile.Slow(30*time.Second, hostile.Echo())) // silent for 20 seconds, and nothing for 30
		var gave *GaveUpError
		if _, err := b.model.Sample(context.Background(), batch(1, 2), nil); !errors.As(err, &gave) {
			b.t.Fatalf("error %v", err)
		}
		if n := b.told(Outcomes)[0]; n.Counts[TimeLimit] != 1 || n.Counts[Cancelled] != 1 || n.Share != 1 {
			b.t.Errorf("counted %+v", n)
		}
	})
}

func TestCancelEndsSampling(t *testing.T) {
	inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
		b.server.Always(hostile.Stall())
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() {
			_, err := b.model.Sample(ctx, batch(3, 3), nil)
			ended <- err
		}()
		synctest.Wait()
		before := time.Now()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) || time.Since(before) != 0 {
			b.t.Errorf("error %v after %v", err, time.Since(before))
		}
	})
}

// A model that is taken away ends the run with the command that brings it back.
func TestModelGoneEndsSampling(t *testing.T) {
	inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
		b.server.Always(hostile.Status(404, `{"error":"model not found"}`))
		var missing *MissingModelError
		if _, err := b.model.Sample(context.Background(), batch(2, 2), nil); !errors.As(err, &missing) {
			b.t.Errorf("error %v", err)
		}
	})
}

func TestLoadsAreNoticed(t *testing.T) {
	inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
		// Four calls wait for one load of three seconds; each reports it.
		loading := hostile.Slow(3*time.Second, hostile.Stream(hostile.Reply{Text: []string{"1"}, Metrics: api.Metrics{LoadDuration: 3 * time.Second, EvalCount: 1}}))
		b.server.Always(loading)
		if _, err := b.model.Sample(context.Background(), batch(1, 4), nil); err != nil {
			b.t.Fatal(err)
		}
		if got := b.told(Loaded); len(got) != 1 || got[0].Took != 3*time.Second {
			b.t.Errorf("loads told: %+v", got)
		}
		if got := b.told(Placed); len(got) != 1 || got[0].Share != 1 || got[0].Placement.Context != 4096 {
			b.t.Errorf("placements told: %+v", got)
		}
		if n := len(b.told(HeavyLoading)); n != 0 {
			b.t.Errorf("the first load alone was told of as heavy")
		}
		time.Sleep(time.Second)
		if _, err := b.model.Sample(context.Background(), batch(1, 4), nil); err != nil {
			b.t.Fatal(err)
		}
		heavy := b.told(HeavyLoading)
		if len(b.told(Loaded)) != 1 || len(b.told(Reloaded)) != 1 || len(heavy) != 1 || heavy[0].Share < 0.8 {
			b.t.Errorf("after a second load: %d loads, %d reloads, heavy %+v", len(b.told(Loaded)), len(b.told(Reloaded)), heavy)
		}
	})
}
