package ollama

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"verge/domains/prompt"
	"verge/runner/backend"
	"verge/runner/backend/ollama/hostile"
)

// bench is a client, a model and the notices they gave, before a hostile server.
type bench struct {
	t      *testing.T
	server *hostile.Server
	client *Client
	model  *Model

	mu      sync.Mutex
	notices []Notice
}

// limits are those of the tests; their time costs nothing.
var limits = Limits{Connect: 10 * time.Second, Load: time.Minute, Idle: 20 * time.Second, Total: 5 * time.Minute}

// inBubble runs a test in a bubble of synctest: time passes when everybody waits, and a goroutine that is left over fails the test.
func inBubble(t *testing.T, s *hostile.Server, o Options, mo ModelOptions, test func(b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		if s == nil {
			s = hostile.New()
		} else if err := s.Up(); err != nil {
			t.Fatal(err)
		}
		b := &bench{t: t, server: s}
		defer s.Down()
		o.Host, o.Dial, o.Limits = s.URL(), s.Dial, limits
		o.Observe = func(n Notice) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.notices = append(b.notices, n)
		}
		var err error
		if b.client, err = New(o); err != nil {
			t.Fatal(err)
		}
		defer b.client.Close()
		if b.model, err = b.client.Open(t.Context(), hostile.Model, mo); err != nil {
			t.Fatal(err)
		}
		test(b)
	})
}

// query asks for a reply to a short question.
func query(seed uint64) Query {
	return Query{Prompt: prompt.Prompt{prompt.Text("7 + 5 = ?")}, Params: params, Seed: seed}
}

var params = backend.Params{Temperature: 1, TopP: 1, MaxTokens: 64}

func (b *bench) ask() (Answer, error) { return b.model.Ask(context.Background(), query(1)) }

// want checks an outcome, given in a reply or in an error.
func (b *bench) want(a Answer, err error, want Outcome) {
	b.t.Helper()
	got := outcomeOf(err)
	if err == nil {
		got = a.Outcome
	}
	if got != want {
		b.t.Errorf("outcome %q (error %v), want %q", got, err, want)
	}
}

// told counts the notices of a kind.
func (b *bench) told(k NoticeKind) (all []Notice) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range b.notices {
		if n.Kind == k {
			all = append(all, n)
		}
	}
	return all
}
