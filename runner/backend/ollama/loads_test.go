package ollama

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"verge/domains/prompt"
	"verge/runner/backend/ollama/hostile"
)

// unloaded is a server that has nothing loaded yet, and takes so long to load.
func unloaded(loading hostile.Action) *hostile.Server {
	s := hostile.New()
	s.Down()
	s.Running, s.Loading = nil, loading
	return s
}

// A model is loaded by a call of its own before the first that asks anything, and is told of however small it is.
func TestModelsAreLoadedBeforeTheyAreAsked(t *testing.T) {
	inBubble(t, unloaded(hostile.Slow(59*time.Second, hostile.Loaded())), Options{}, ModelOptions{Context: 2048}, func(b *bench) {
		b.server.Always(hostile.Slow(59*time.Second, hostile.Echo())) // both within the limit of a minute, together not
		requests := batch(2, 4)
		got, err := b.model.Sample(context.Background(), requests, nil)
		if err != nil {
			b.t.Fatal(err)
		}
		wantEchoes(b.t, requests, got)
		if _, err := b.model.Sample(context.Background(), requests, nil); err != nil {
			b.t.Fatal(err)
		}
		loads := b.server.Loads()
		if len(loads) != 1 || loads[0].Options["num_ctx"] != 2048.0 || string(loads[0].KeepAlive) != `"30m0s"` {
			b.t.Errorf("calls that load: %+v", loads)
		}
		if told := b.told(Loaded); len(told) != 1 || told[0].Took != 59*time.Second {
			b.t.Errorf("told %+v", told)
		}
	})
	inBubble(t, unloaded(hostile.Slow(300*time.Millisecond, hostile.Loaded())), Options{}, ModelOptions{}, func(b *bench) {
		a, err := b.ask()
		if b.want(a, err, OK); a.Metrics.LoadDuration != 300*time.Millisecond {
			b.t.Errorf("the call that waited for the load tells %v of it", a.Metrics.LoadDuration)
		}
		if told := b.told(Loaded); len(told) != 1 || told[0].Took != 300*time.Millisecond {
			b.t.Errorf("told %+v", told)
		}
	})
}

// A model that was made anew is loaded again, though the server tells that it has one of the name.
func TestARemadeModelIsLoadedAgain(t *testing.T) {
	inBubble(t, nil, Options{}, ModelOptions{}, func(b *bench) {
		for n := range 3 {
			if n > 0 {
				b.model.Remade()
			}
			for range 2 {
				a, err := b.ask()
				b.want(a, err, OK)
			}
			if loads := len(b.server.Loads()); loads != n {
				b.t.Errorf("%d loads, want %d", loads, n)
			}
		}
		if told := len(b.told(Renewed)); told != 2 || len(b.told(Reloaded)) > 0 {
			b.t.Errorf("%d loads were told of", told)
		}
	})
}

// A load that fails fails the calls that come after it, as far as they do.
func TestALoadThatFails(t *testing.T) {
	inBubble(t, unloaded(hostile.Status(500, "out of memory")), Options{}, ModelOptions{}, func(b *bench) {
		b.server.Script(hostile.Status(500, "out of memory"), hostile.Echo())
		a, err := b.ask()
		b.want(a, err, ServerError)
		a, err = b.ask()
		b.want(a, err, OK)
		if len(b.server.Loads()) != 1 || len(b.told(Loaded)) != 0 {
			b.t.Errorf("%d calls that load, told %+v", len(b.server.Loads()), b.told(Loaded))
		}
	})
}

// embedded answers with an embedding for each text, after a load.
func embedded(load time.Duration) hostile.Action {
	return func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
		vectors := "[1,0,0,0]"
		for range q.Input[1:] {
			vectors += ",[1,0,0,0]"
		}
		hostile.Slow(load, hostile.Lines(fmt.Sprintf(`{"embeddings":[%s],"load_duration":%d}`, vectors, load)))(w, r, q)
	}
}

// Two models that push each other out of memory take the time of both, whatever they are called for.
func TestLoadsOfAllModelsTogetherAreHeavy(t *testing.T) {
	server := hostile.New()
	server.Down()
	server.Models = append(server.Models, api.ListModelResponse{Name: "other:latest", Model: "other:latest", Digest: "other"})
	server.Running = append(server.Running, api.ProcessModelResponse{Name: "other:latest", Model: "other:latest"})
	server.Show["other:latest"] = hostile.Shown("embedding")
	inBubble(t, server, Options{}, ModelOptions{}, func(b *bench) {
		other, err := b.client.Open(context.Background(), "other", ModelOptions{})
		if err != nil {
			b.t.Fatal(err)
		}
		const load = 3 * time.Second // of each: a tenth of the time for either, a fifth and more for both
		b.server.Always(func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
			if q.Path == "/api/embed" {
				embedded(load)(w, r, q)
				return
			}
			hostile.Slow(load, hostile.Stream(hostile.Reply{Text: []string{"1"}, Metrics: api.Metrics{LoadDuration: load}}))(w, r, q)
		})
		for range 3 {
			if _, err := b.model.Sample(context.Background(), batch(1, 1), nil); err != nil {
				b.t.Fatal(err)
			}
			if _, err := other.Embed(context.Background(), []prompt.Prompt{{prompt.Text("task")}, {prompt.Text("task")}}); err != nil {
				b.t.Fatal(err)
			}
			time.Sleep(20 * time.Second)
		}
		if l, r := len(b.told(Loaded)), len(b.told(Reloaded)); l != 2 || r != 4 {
			b.t.Errorf("%d loads and %d loads again told of", l, r)
		}
		if got := b.told(HeavyLoading); len(got) != 1 || got[0].Share < .2 || got[0].Share > .4 {
			b.t.Errorf("heavy %+v", got)
		}
	})
}
