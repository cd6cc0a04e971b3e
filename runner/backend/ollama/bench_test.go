package ollama

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"verge/runner/backend"
	"verge/runner/backend/ollama/hostile"
)

// BenchmarkOverhead drives a server on a loopback port, once through this package and once with a bare client that sends the same
// requests, and reports the difference in per cent. The server writes 32 tokens a reply: at 500 tokens a second, as a small
// model on a GPU does, or at once, which leaves nothing but the cost of the clients.
func BenchmarkOverhead(b *testing.B) {
	for _, gap := range []time.Duration{2 * time.Millisecond, 0} {
		for _, concurrency := range []int{1, 4} {
			b.Run(fmt.Sprintf("gap=%v/concurrency=%d", gap, concurrency), func(b *testing.B) {
				s, err := hostile.Listen()
				if err != nil {
					b.Fatal(err)
				}
				defer s.Down()
				s.Always(hostile.Stream(hostile.Reply{Text: strings.SplitAfter(strings.Repeat("one two ", 16), " ")[:32], Gap: gap}))
				c, err := New(Options{Host: s.URL(), Concurrency: concurrency})
				if err != nil {
					b.Fatal(err)
				}
				defer c.Close()
				m, err := c.Open(b.Context(), hostile.Model, ModelOptions{})
				if err != nil {
					b.Fatal(err)
				}
				overhead(b, m, batch(2, 4))
			})
		}
	}
}

// overhead measures both clients on the same requests, by turns, either first every other time. It reports the median over the turns of
// how much longer this package took: a machine that does other things too has turns that say nothing.
func overhead(b *testing.B, m *Model, requests []backend.Request) {
	ours := func() {
		replies, err := m.Sample(b.Context(), requests, nil)
		if err != nil {
			b.Fatal(err)
		}
		if r := replies[0][0]; r.Err != nil || r.Text == "" {
			b.Fatalf("reply %+v", r)
		}
	}
	bare := func() {
		if err := bareSample(b.Context(), m, requests); err != nil {
			b.Fatal(err)
		}
	}
	var ratios, bares []float64
	for turn := 0; b.Loop(); turn++ {
		var took [2]time.Duration
		for i := range 2 {
			who := (turn + i) % 2
			began := time.Now()
			[]func(){ours, bare}[who]()
			took[who] = time.Since(began)
		}
		ratios = append(ratios, took[0].Seconds()/took[1].Seconds())
		bares = append(bares, took[1].Seconds())
	}
	b.ReportMetric(100*(median(ratios)-1), "overhead-%")
	b.ReportMetric(1000*median(bares), "bare-ms")
	b.ReportMetric(0, "ns/op") // the sum of both says nothing
}

func median(v []float64) float64 {
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// bareSample sends the same requests with as little as a client can do: a request, a loop over its lines.
func bareSample(ctx context.Context, m *Model, requests []backend.Request) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: m.client.workers}}
	defer client.CloseIdleConnections()
	var g errgroup.Group
	g.SetLimit(m.client.workers)
	for _, at := range order(requests) {
		g.Go(func() error {
			r := requests[at.request]
			request, err := m.request(Query{Prompt: r.Prompt, Params: r.Params, Seed: r.Seeds[at.seed]})
			if err != nil {
				return err
			}
			body, err := json.Marshal(request.body)
			if err != nil {
				return err
			}
			post, err := http.NewRequestWithContext(ctx, http.MethodPost, m.client.url.JoinPath(request.path).String(), bytes.NewReader(body))
			if err != nil {
				return err
			}
			answer, err := client.Do(post)
			if err != nil {
				return err
			}
			defer answer.Body.Close()
			var text strings.Builder
			for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
				var line struct {
					Message struct{ Content string }
				}
				if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
					return err
				}
				text.WriteString(line.Message.Content)
			}
			if text.Len() == 0 {
				return errors.New("no text came")
			}
			return nil
		})
	}
	return g.Wait()
}
