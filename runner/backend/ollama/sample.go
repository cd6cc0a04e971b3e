package ollama

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"verge/runner/backend"
)

// GaveUpError is a model that gave no answer too many times in a row. A run that ends with it can be resumed.
type GaveUpError struct {
	Model string
	Calls int
	Last  error
}

func (e *GaveUpError) Error() string {
	return fmt.Sprintf("model %s gave no answer %d times in a row, the last time because of: %v", e.Model, e.Calls, e.Last)
}

// Unwrap is what went wrong the last time.
func (e *GaveUpError) Unwrap() error { return e.Last }

// place of one reply: requests[request].Seeds[seed].
type position struct {
	request, seed int
}

// order lists every reply that is wanted, in the order of the requests. Those to one request come one after another: the server keeps a
// prompt it has just read. Requests are not moved together by their prompts, so that who keeps replies as they come has no gaps to wait for.
func order(requests []backend.Request) []position {
	var all []position
	for i, r := range requests {
		for j := range r.Seeds {
			all = append(all, position{i, j})
		}
	}
	return all
}

// Sample implements backend.Model, as Stream does.
func (m *Model) Sample(ctx context.Context, requests []backend.Request, progress func(replies, tokens int)) ([][]backend.Reply, error) {
	return m.sample(ctx, asker{}, requests, progress)
}

// asker is in which role a model is asked, and whether its replies are to tell their tokens.
type asker struct {
	role  string
	words Vocabulary // nil: they are texts
}

func (m *Model) sample(ctx context.Context, as asker, requests []backend.Request, progress func(replies, tokens int)) ([][]backend.Reply, error) {
	replies := make([][]backend.Reply, len(requests))
	for i, r := range requests {
		replies[i] = make([]backend.Reply, len(r.Seeds))
	}
	err := m.stream(ctx, as, requests, func(request, seed int, r backend.Reply) {
		replies[request][seed] = r
		if progress != nil {
			progress(1, r.Count)
		}
	})
	if err != nil {
		return nil, err
	}
	return replies, nil
}

// Stream implements backend.Streamer. Every reply is one call with its own seed, so that one that failed can be asked again by itself and
// none is counted twice. A call without an answer is a Reply with Err set, a *CallError; Stream's own error ends the run: the context's,
// an *UnreachableError after Options.Outage, a *MissingModelError, a *GaveUpError.
func (m *Model) Stream(ctx context.Context, requests []backend.Request, done func(request, seed int, r backend.Reply)) error {
	return m.stream(ctx, asker{}, requests, done)
}

func (m *Model) stream(ctx context.Context, as asker, requests []backend.Request, done func(request, seed int, r backend.Reply)) error {
	todo := order(requests)
	var next atomic.Int64
	tallies := make([]map[Outcome]int, min(m.client.workers, len(todo)))
	g, gctx := errgroup.WithContext(ctx)
	for w := range tallies {
		tallies[w] = map[Outcome]int{}
		g.Go(func() error {
			for {
				n := int(next.Add(1)) - 1
				if n >= len(todo) {
					return nil
				}
				at := todo[n]
				r := requests[at.request]
				answer, err := m.askAs(gctx, as, r, r.Seeds[at.seed])
				if err != nil {
					tallies[w][outcomeOf(err)]++
				} else {
					tallies[w][answer.Outcome]++
				}
				if err := m.serious(err); err != nil {
					return err
				}
				done(at.request, at.seed, as.reply(answer, err, r.Params.MaxTokens))
			}
		})
	}
	err := g.Wait()
	if err == nil && len(todo) > 0 {
		m.placeOnce(ctx)
	}
	m.report(as.role, tallies)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (m *Model) askAs(ctx context.Context, as asker, r backend.Request, seed uint64) (Answer, error) {
	q := Query{Prompt: r.Prompt, Params: r.Params, Seed: seed}
	if as.words != nil {
		var err error
		if q.Spelled, err = as.words.Spell(r.Prompt); err != nil {
			return Answer{}, &CallError{Outcome: NotAsked, Text: err.Error(), Err: err}
		}
		q.Top = 1
	}
	return m.Ask(ctx, q)
}

// reply is what an answer, or its error, is as a reply of so many tokens at the most.
func (as asker) reply(a Answer, err error, most int) backend.Reply {
	if err != nil {
		return backend.Reply{Err: err, Count: a.Metrics.EvalCount}
	}
	r := backend.Reply{Text: a.Text, Count: a.Metrics.EvalCount, Stop: backend.StopEnd}
	if a.Outcome != OK {
		r.Stop = backend.StopLength
	}
	if as.words != nil {
		r.Tokens, r.Logprobs = told(a, as.words, most)
	}
	return r
}

// serious is the error that a call's outcome is for the whole batch; nil where the others may fare better.
func (m *Model) serious(err error) error {
	if err == nil {
		m.failures.Store(0)
		return nil
	}
	if fatal(err) {
		return err
	}
	var call *CallError
	if !errors.As(err, &call) {
		return err // a wrong request
	}
	if n := int(m.failures.Add(1)); m.giveUp > 0 && n >= m.giveUp {
		return &GaveUpError{Model: m.name, Calls: n, Last: err}
	}
	return nil
}

// report tells what became of a batch's calls, and of the time that went into loading.
func (m *Model) report(role string, tallies []map[Outcome]int) {
	counts := map[Outcome]int{}
	replies, failed := 0, 0
	for _, t := range tallies {
		for outcome, n := range t {
			counts[outcome] += n
			switch {
			case outcome.Failed():
				failed += n
			case outcome.Reply():
				replies += n
			}
		}
	}
	if len(counts) > 0 {
		m.client.notify(Notice{Kind: Outcomes, Model: m.name, Role: role, Counts: counts, Share: float64(failed) / float64(max(failed+replies, 1)),
			Text: fmt.Sprintf("calls to %s: %s", m.name, counted(counts))})
	}
	m.heavy()
}

// counted writes counts by kind, the most frequent first.
func counted(counts map[Outcome]int) string {
	kinds := slices.SortedFunc(maps.Keys(counts), func(a, b Outcome) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(string(a), string(b))
	})
	parts := make([]string, len(kinds))
	for i, k := range kinds {
		parts[i] = fmt.Sprintf("%d %s", counts[k], k)
	}
	return strings.Join(parts, ", ")
}
