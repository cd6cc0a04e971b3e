package runner

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"verge/domains"
	"verge/profiles"
	"verge/runner/backend/ollama"
	"verge/runner/backend/ollama/hostile"
	"verge/runner/event"
	"verge/runner/lab"
	"verge/runner/report"
)

// small1b is a server with one model that replies, and gives a run on it that only measures the base generator: eight proposals, judged, and
// three attempts at each. Nothing but the address ties the two, so that several can go on side by side.
func small1b(t *testing.T, sets ...string) (*hostile.Server, *profiles.Profile) {
	t.Helper()
	s, err := hostile.Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Down)
	shown := hostile.Shown("completion")
	shown.Template = "{{ range .Messages }}{{ .Content }}{{ end }}"
	s.Show = map[string]api.ShowResponse{"small:1b": shown}
	s.Models = []api.ListModelResponse{{Name: "small:1b", Model: "small:1b", Digest: hostile.Digest}}
	s.Running = []api.ProcessModelResponse{{Name: "small:1b", Model: "small:1b", Size: 1000, SizeVRAM: 1000, ContextLength: 1024}}
	s.Always(learner)
	all := []string{"run.arms=base", "policy.exemplars=0", "evaluation.proposals=8", "ollama.concurrency=2", "run.max_errors=0.5"}
	for _, role := range []string{"generator", "solver", "judge"} {
		all = append(all, "roles."+role+".model=small:1b", "roles."+role+".host="+s.URL())
	}
	p, err := profiles.Load("propel-math-small", append(all, sets...))
	if err != nil {
		t.Fatal(err)
	}
	return s, p
}

// attempts says that a question is the solver's, proposals that it is the generator's. The judge is asked coldly.
func attempts(q hostile.Question) bool {
	return warm(q) && strings.HasPrefix(q.Messages[len(q.Messages)-1].Content, "There are ")
}

func proposals(q hostile.Question) bool { return warm(q) && !attempts(q) }

func warm(q hostile.Question) bool {
	temperature, _ := q.Options["temperature"].(float64)
	return len(q.Messages) > 0 && temperature > 0.3
}

// trouble is a server that answers some of the questions of a kind otherwise than it should: every so many of them, by their seeds, the first
// so many times that each is asked.
type trouble struct {
	with  hostile.Action
	kind  func(hostile.Question) bool
	every int64
	times int

	mu  sync.Mutex
	met map[int64]int // by seed: how often it was met
}

func (m *trouble) answer(w http.ResponseWriter, r *http.Request, q hostile.Question) {
	if m.kind(q) && q.Seed()%m.every == 0 {
		m.mu.Lock()
		m.met[q.Seed()]++
		meets := m.met[q.Seed()] <= m.times
		m.mu.Unlock()
		if meets {
			m.with(w, r, q)
			return
		}
	}
	learner(w, r, q)
}

// asked counts the questions of a kind by their seeds.
func asked(s *hostile.Server, kind func(hostile.Question) bool) map[int64]int {
	n := map[int64]int{}
	for _, q := range s.Asked() {
		if kind(q) {
			n[q.Seed()]++
		}
	}
	return n
}

// results are what was proposed and how attempts were graded, by what names each; one that comes twice fails the test.
func results(t *testing.T, events []event.Event) map[string]event.Event {
	t.Helper()
	all := map[string]event.Event{}
	for _, e := range events {
		name := ""
		switch e := e.(type) {
		case event.TaskProposed:
			name = fmt.Sprintf("proposal %v", e.Key)
		case event.AttemptGraded:
			name = fmt.Sprintf("attempt %d at %v", e.Attempt, e.Key)
		default:
			continue
		}
		if all[name] != nil {
			t.Errorf("%s is there twice", name)
		}
		all[name] = e
	}
	return all
}

// failed says that a result is none.
func failed(e event.Event) bool {
	switch e := e.(type) {
	case event.TaskProposed:
		return e.Error != ""
	case event.AttemptGraded:
		return e.Grading.Verdict == domains.Error
	}
	return false
}

// try carries a run out, or goes on with it.
func try(t *testing.T, ctx context.Context, p *profiles.Profile, resume string) (string, *report.Summary, error) {
	t.Helper()
	o := Options{Profile: p, Resume: resume, Meter: &lab.Meter{}, Started: func(d string) { resume = d }}
	if resume == "" {
		o.Out = t.TempDir()
	}
	summary, err := Run(ctx, o)
	return resume, summary, err
}

// undisturbed is what comes of the run when the server behaves.
func undisturbed(t *testing.T) []event.Event {
	t.Helper()
	s, p := small1b(t)
	dir, summary, err := try(t, t.Context(), p, "")
	if err != nil || summary.Served.Errors != 0 {
		t.Fatalf("error %v, served %+v", err, summary)
	}
	events := storedEvents(t, dir)
	if n := len(asked(s, attempts)); n < 20 || n != len(results(t, events))-8 {
		t.Fatalf("%d questions of the solver, %d results: too few to test with, or not as many", n, len(results(t, events)))
	}
	return events
}

// Whatever a server does to some of its answers, the run goes on: each is counted as what it was and graded once, a failure is no answer, and
// nothing else changes.
func TestARunOnAHostileServer(t *testing.T) {
	want := undisturbed(t)
	long := strings.Repeat("x", 9<<20)
	wordy := func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
		hostile.Stream(hostile.Reply{Thinking: []string{long}, Text: []string{learned(q)}, Metrics: api.Metrics{EvalCount: 1}})(w, r, q)
	}
	endless := func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
		learner(w, r, q)
		hostile.Lines(`{"error":`)(w, r, q)
		hostile.Stall()(w, r, q)
	}
	const again = "" // that the question is asked again and answered
	for name, test := range map[string]struct {
		with  hostile.Action
		times int // that a question meets it; 0: always
		kind  func(hostile.Question) bool
		want  ollama.Outcome
		sets  []string
	}{
		"error in a stream":            {with: hostile.ErrorWithin("CUDA out of memory"), want: ollama.ServerError},
		"error in a proposal's stream": {with: hostile.ErrorWithin("CUDA out of memory"), kind: proposals, want: ollama.ServerError},
		"error status":                 {with: hostile.Status(500, "panic: nil map"), want: ollama.ServerError},
		"stream without end":           {with: hostile.Endless(), want: ollama.TimeLimit, sets: []string{"ollama.total=1s"}},
		"silence in a stream":          {with: hostile.Stall(), want: ollama.TimeLimit, sets: []string{"ollama.idle=1s"}},
		"slow headers":                 {with: hostile.Slow(time.Hour, hostile.Echo()), want: ollama.TimeLimit, sets: []string{"ollama.load=1s"}},
		"stream that just ends":        {with: hostile.Stream(hostile.Reply{Text: []string{"1", "2"}, NotDone: true}), want: ollama.StreamCut},
		"dropped in the headers":       {with: hostile.Drop(hostile.Say("12"), 30), want: ollama.StreamCut},
		"dropped in a line":            {with: hostile.Drop(hostile.Say("12"), 150), want: ollama.StreamCut},
		"busy":                         {with: hostile.Busy(), times: 2, want: again},
		"bad gateway":                  {with: hostile.Status(502, "<html>"), times: 1, want: again},
		"thinking alone":               {with: hostile.Stream(hostile.Reply{Thinking: []string{"well"}, Reason: "length"}), want: ollama.EmptyThinking},
		"one thought for ever":         {with: hostile.Stream(hostile.Reply{Thinking: slices.Repeat([]string{"hm"}, 31), NotDone: true}), want: ollama.EmptyThinking},
		"blanks":                       {with: hostile.Answer(" \n"), want: ollama.Empty},
		"truncated prompt":             {with: hostile.Stream(hostile.Reply{Text: []string{"12"}, Metrics: api.Metrics{PromptEvalCount: 1024, EvalCount: 1}}), want: ollama.TruncatedPrompt},
		"refused prompt":               {with: hostile.Status(400, `{"error":"the input length exceeds the context length"}`), want: ollama.TruncatedPrompt},
		"wrong JSON":                   {with: hostile.Lines(`{"message":{"content":"1"}}`, `{"message":`), want: ollama.ServerError},
		"loaded and nothing else":      {with: hostile.Loaded(), want: ollama.NotAsked},
		"megabyte lines":               {with: wordy, want: ollama.OK},
		"a tail after the end":         {with: endless, want: ollama.OK},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, p := small1b(t, test.sets...)
			m := &trouble{with: test.with, kind: attempts, every: 14, times: test.times, met: map[int64]int{}}
			role := "solver"
			if test.kind != nil {
				m.kind, m.every, role = test.kind, 4, "generator"
			}
			if test.times == 0 {
				m.times = 1 << 30
			}
			s.Always(m.answer)
			dir, summary, err := try(t, t.Context(), p, "")
			if err != nil {
				t.Fatal(err)
			}
			m.mu.Lock()
			defer m.mu.Unlock()
			bad := len(m.met)
			if bad == 0 {
				t.Fatal("no question met trouble")
			}
			for seed, n := range asked(s, m.kind) {
				if times := 1 + test.times*min(m.met[seed], 1); n != times {
					t.Errorf("the question with seed %d was asked %d times, want %d", seed, n, times)
				}
			}
			events := storedEvents(t, dir)
			if test.want == again || test.want.Reply() {
				if summary.Served.Errors != 0 {
					t.Errorf("served %+v", summary.Served)
				}
				same(t, settled(want)[1:], settled(events)[1:])
				return
			}
			if calls := summary.Served.Calls[role]; calls[string(test.want)] != bad || summary.Served.Errors != bad {
				t.Errorf("calls %v, %d errors; want %d of %q", calls, summary.Served.Errors, bad, test.want)
			}
			if role == "generator" {
				for name, e := range results(t, events) {
					if _, ok := e.(event.TaskProposed); ok && failed(e) {
						bad--
					} else if failed(e) {
						t.Errorf("%s failed", name)
					}
				}
				if bad != 0 {
					t.Errorf("%d questions that failed are no failed proposals", bad)
				}
				return
			}
			got, wanted := results(t, events), results(t, want)
			for name, e := range wanted {
				switch {
				case got[name] == nil:
					t.Errorf("%s is lost", name)
				case failed(got[name]):
					bad--
				default:
					same(t, []event.Event{e}, []event.Event{got[name]})
				}
			}
			if bad != 0 || len(got) != len(wanted) {
				t.Errorf("%d results, want %d; %d questions that failed are no failed attempts", len(got), len(wanted), bad)
			}
		})
	}
}

// A server that does not recover ends the run, as soon as the profile says, without a word in the run of what was never answered. When it is
// mended the run is resumed, and comes to what it would have come to.
func TestARunEndsOnAHostileServerAndGoesOn(t *testing.T) {
	want := undisturbed(t)
	for name, with := range map[string]hostile.Action{
		"error in a stream":    hostile.ErrorWithin("CUDA out of memory"),
		"dropped in a line":    hostile.Drop(hostile.Say("12"), 150),
		"thinking alone":       hostile.Stream(hostile.Reply{Thinking: []string{"well"}}),
		"one thought for ever": hostile.Stream(hostile.Reply{Thinking: slices.Repeat([]string{"hm"}, 31), NotDone: true}),
		"truncated prompt":     hostile.Status(400, `{"error":"the input length exceeds the context length"}`),
		"wrong JSON":           hostile.Lines(`{"message":`),
	} {
		for end, sets := range map[string][]string{
			"too many errors": {"run.max_errors=0.2", "ollama.give_up=0"},
			"gives up":        {"run.max_errors=1", "ollama.give_up=3"},
		} {
			t.Run(name+", "+end, func(t *testing.T) {
				t.Parallel()
				s, p := small1b(t, append(sets, "ollama.concurrency=1")...)
				var mu sync.Mutex
				n := 0
				s.Always(func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
					mu.Lock()
					if attempts(q) {
						n++
					}
					broken := attempts(q) && n > 10
					mu.Unlock()
					if broken {
						with(w, r, q)
						return
					}
					learner(w, r, q)
				})
				dir, _, err := try(t, t.Context(), p, "")
				var many *lab.TooManyErrors
				var gave *ollama.GaveUpError
				if end == "too many errors" && !errors.As(err, &many) || end == "gives up" && !errors.As(err, &gave) {
					t.Fatalf("error %v", err)
				}
				mu.Lock()
				met := n - 10
				mu.Unlock()
				if most := map[bool]int{many != nil: 6, gave != nil: 3}[true]; met < most || met > most+1 { // one may be under way
					t.Errorf("it ended after %d failures, want %d", met, most)
				}
				events := storedEvents(t, dir)
				ended, ok := settled(events)[len(settled(events))-1].(event.RunEnded)
				if !ok || ended.Failed != err.Error() {
					t.Errorf("the last event is %+v", ended)
				}
				for name, e := range results(t, events) {
					if failed(e) {
						t.Errorf("%s failed, and is kept as such", name)
					}
				}
				s.Always(learner)
				_, summary, err := try(t, t.Context(), p, dir)
				if err != nil {
					t.Fatal(err)
				}
				if calls := summary.Served.Calls["solver"]; calls["ok"] != len(asked(s, attempts)) {
					t.Errorf("calls %v for %d attempts", calls, len(asked(s, attempts)))
				}
				same(t, settled(want)[1:], slices.DeleteFunc(settled(storedEvents(t, dir)), func(e event.Event) bool {
					end, ok := e.(event.RunEnded)
					return ok && end.Failed != ""
				})[1:])
			})
		}
	}
}

// What somebody interrupts has not failed: the calls that were under way are asked again, and no error is told of.
func TestAnInterruptedRunHasNoErrors(t *testing.T) {
	want := undisturbed(t)
	s, p := small1b(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var mu sync.Mutex
	n := 0
	s.Always(func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
		mu.Lock()
		if attempts(q) {
			n++
		}
		stop := attempts(q) && n >= 10
		mu.Unlock()
		if stop {
			cancel()
			hostile.Stall()(w, r, q)
			return
		}
		learner(w, r, q)
	})
	dir, _, err := try(t, ctx, p, "")
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	s.Always(learner)
	_, summary, err := try(t, t.Context(), p, dir)
	if err != nil {
		t.Fatal(err)
	}
	if calls := summary.Served.Calls["solver"]; summary.Served.Errors != 0 || calls["cancelled"] == 0 {
		t.Errorf("served %+v", summary.Served)
	}
	same(t, settled(want)[1:], settled(storedEvents(t, dir))[1:])
}

// A task that a server cannot embed ends the run with its text. The run is resumed when that is mended, and what it was given is not asked for
// again.
func TestARunEndsAtATaskThatCannotBeEmbedded(t *testing.T) {
	s := chatting(t, map[string]string{"small:1b": "completion"})
	p := servedRun(t, s, "policy.steps=1", "run.arms=propel")
	want, _, err := try(t, t.Context(), p, "")
	if err != nil {
		t.Fatal(err)
	}
	before := len(s.Asked())
	s.Always(func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
		if slices.ContainsFunc(q.Input, func(text string) bool { return strings.Contains(text, " of one jar ") }) {
			hostile.Status(500, `{"error":"failed to encode response: json: unsupported value: NaN"}`)(w, r, q)
			return
		}
		learner(w, r, q)
	})
	dir, _, err := try(t, t.Context(), p, "")
	if err == nil || !strings.Contains(err.Error(), " of one jar ") || !strings.Contains(err.Error(), "NaN") {
		t.Fatalf("error %v", err)
	}
	s.Always(learner)
	if _, _, err := try(t, t.Context(), p, dir); err != nil {
		t.Fatal(err)
	}
	texts := map[string]int{}
	for _, q := range s.Asked()[before:] {
		for _, text := range q.Input {
			if texts[text]++; texts[text] > 2 && !strings.Contains(text, " of one jar ") { // with it, and alone
				t.Errorf("%q was asked for %d times", text, texts[text])
			}
		}
	}
	same(t, settled(storedEvents(t, want))[1:], slices.DeleteFunc(settled(storedEvents(t, dir)), func(e event.Event) bool {
		end, ok := e.(event.RunEnded)
		return ok && end.Failed != ""
	})[1:])
}
