package ollama

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"verge/runner/backend/ollama/hostile"
)

// A server that goes away while it answers: what it was answering is asked again when it is back, with the same seed, and nothing else is.
func TestServerAwayAndBack(t *testing.T) {
	inBubble(t, nil, Options{Outage: 10 * time.Minute}, ModelOptions{}, func(b *bench) {
		var once sync.Once
		away := make(chan struct{})
		b.server.Always(func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
			if q.Seed() == seed(102) {
				once.Do(func() { close(away) })
			}
			text := hostile.EchoOf(q)
			hostile.Stream(hostile.Reply{Text: []string{text[:4], text[4:]}, Gap: time.Second})(w, r, q)
		})
		go func() {
			<-away
			time.Sleep(1500 * time.Millisecond) // between the first piece and the second
			b.server.Down()
			time.Sleep(3 * time.Minute)
			if err := b.server.Up(); err != nil {
				b.t.Error(err)
			}
		}()
		requests := batch(3, 4)
		var replies atomic.Int64
		got, err := b.model.Sample(context.Background(), requests, func(r, _ int) { replies.Add(int64(r)) })
		if err != nil {
			b.t.Fatal(err)
		}
		wantEchoes(b.t, requests, got)
		if replies.Load() != 12 {
			b.t.Errorf("%d replies were counted, want 12", replies.Load())
		}
		if n := b.told(Outcomes)[0].Counts; len(n) != 1 || n[OK] != 12 {
			b.t.Errorf("outcomes %v, want 12 ok", n)
		}
		paused, resumed := b.told(Paused), b.told(Resumed)
		if len(paused) != 1 || len(resumed) != 1 || resumed[0].Took < 2*time.Minute || resumed[0].Took > 4*time.Minute {
			b.t.Errorf("paused %+v, resumed %+v", paused, resumed)
		}
	})
}

// The same with the errors of real connections.
func TestServerAwayAndBackOnAPort(t *testing.T) {
	s, err := hostile.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Down()
	paused := make(chan struct{})
	c, err := New(Options{Host: s.URL(), Outage: time.Minute, Observe: func(n Notice) {
		if n.Kind == Paused {
			close(paused)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	m, err := c.Open(t.Context(), hostile.Model, ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	down := make(chan struct{})
	var asked atomic.Int64
	s.Always(func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
		switch asked.Add(1) {
		case 3:
			hostile.Stall()(w, r, q)
		case 5:
			close(down)
			fallthrough
		default:
			hostile.Echo()(w, r, q)
		}
	})
	go func() {
		<-down
		s.Down()
		<-paused
		if err := s.Up(); err != nil {
			t.Error(err)
		}
	}()
	requests := batch(2, 10)
	got, err := m.Sample(t.Context(), requests, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantEchoes(t, requests, got)
}

func TestOutageLimit(t *testing.T) {
	for _, limit := range []time.Duration{0, time.Minute} {
		inBubble(t, nil, Options{Outage: limit}, ModelOptions{}, func(b *bench) {
			b.server.Down()
			began := time.Now()
			_, err := b.model.Sample(context.Background(), batch(2, 2), nil)
			var away *UnreachableError
			if !errors.As(err, &away) || !strings.Contains(err.Error(), "ollama serve") {
				b.t.Errorf("error %v, want an unreachable server and what to do", err)
			}
			if took := time.Since(began); took != limit {
				b.t.Errorf("it ended after %v, want %v", took, limit)
			}
			if paused := len(b.told(Paused)); paused != 0 && limit == 0 || paused != 1 && limit > 0 {
				b.t.Errorf("%d pauses told", paused)
			}
			if err := b.server.Up(); err != nil {
				b.t.Fatal(err)
			}
			requests := batch(2, 2)
			got, err := b.model.Sample(context.Background(), requests, nil)
			if err != nil {
				b.t.Fatalf("the server is back: %v", err)
			}
			wantEchoes(b.t, requests, got)
		})
	}
}

func TestCancelEndsThePause(t *testing.T) {
	inBubble(t, nil, Options{Outage: time.Hour}, ModelOptions{}, func(b *bench) {
		b.server.Down()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		began := time.Now()
		_, err := b.model.Sample(ctx, batch(2, 2), nil)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Minute {
			b.t.Errorf("error %v after %v", err, time.Since(began))
		}
	})
}

// A question that takes the server down each time is not asked for ever.
func TestADeadlyQuestion(t *testing.T) {
	inBubble(t, nil, Options{Outage: time.Hour}, ModelOptions{}, func(b *bench) {
		b.server.Always(func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
			if q.Seed() != seed(1) {
				hostile.Echo()(w, r, q)
				return
			}
			go func() {
				b.server.Down()
				time.Sleep(time.Minute)
				if err := b.server.Up(); err != nil {
					b.t.Error(err)
				}
			}()
			<-r.Context().Done()
		})
		got, err := b.model.Sample(context.Background(), batch(1, 3), nil)
		if err != nil {
			b.t.Fatal(err)
		}
		if got[0][0].Err != nil || outcomeOf(got[0][1].Err) != StreamCut || got[0][2].Err != nil {
			b.t.Errorf("replies %+v", got[0])
		}
		time.Sleep(2 * time.Minute) // the last restart
	})
}

// A proxy that answers for a server that is away counts as an outage.
func TestBadGatewayIsAnOutage(t *testing.T) {
	inBubble(t, nil, Options{Outage: time.Hour}, ModelOptions{}, func(b *bench) {
		b.server.Script(hostile.Status(http.StatusBadGateway, "<html>bad gateway</html>"))
		a, err := b.ask()
		b.want(a, err, OK)
		b.server.Always(hostile.Status(http.StatusBadGateway, "<html>bad gateway</html>"))
		a, err = b.ask()
		b.want(a, err, Refused)
	})
}
