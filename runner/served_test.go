package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"verge/profiles"
	"verge/runner/backend/ollama"
	"verge/runner/backend/ollama/doctor"
	"verge/runner/backend/ollama/hostile"
	"verge/runner/event"
	"verge/runner/lab"
)

// things are what the learner's problems are about: problems of one thing are near-duplicates.
var things = strings.Fields("apple book coin dog egg fish goat hat inch jar key lamp map nut owl pen quilt rope seed tent urn vase wheel yard")

// learned is the reply of a model that writes sums and solves most of them, by the seeds that it is asked with. Asked coldly, as a judge, it is right.
func learned(q hostile.Question) string {
	last := ""
	if n := len(q.Messages); n > 0 {
		last = q.Messages[n-1].Content
	}
	var a, b int64
	var thing string
	if n, _ := fmt.Sscanf(last, "There are %d and %d of one %s", &a, &b, &thing); n < 3 {
		return fmt.Sprintf("<problem>There are %d and %d of one %s here. How many are there?</problem>", q.Seed()%90, q.Seed()/90%90, things[q.Seed()%int64(len(things))])
	}
	if q.Options["temperature"].(float64) > 0.3 && q.Seed()%3 < a%3 {
		a++
	}
	return fmt.Sprintf(`\boxed{%d}`, a+b)
}

// learner is a server's model that replies what it learned, and embeds texts by their hashes.
func learner(w http.ResponseWriter, r *http.Request, q hostile.Question) {
	if q.Path != "/api/embed" {
		hostile.Answer(learned(q))(w, r, q)
		return
	}
	var vectors [][]float32
	for _, text := range q.Input {
		h := fnv.New32a()
		h.Write([]byte(text))
		sum := h.Sum32()
		vectors = append(vectors, []float32{float32(sum%7) / 7, float32(sum%11) / 11, float32(sum%13) / 13, 1})
	}
	hostile.Embeddings(vectors...)(w, r, q)
}

// servedRun is a small run whose roles and whose probe's embeddings are all a server's.
func servedRun(t *testing.T, s *hostile.Server, sets ...string) *profiles.Profile {
	t.Helper()
	s.Always(learner)
	p, err := profiles.Load("propel-math-small", append([]string{
		"roles.generator.model=small:1b", "roles.solver.model=small:1b", "roles.judge.model=small:1b", "roles.reference.model=generator",
		"probe.layer=auto", "probe.pooling=auto", "corpus.proposals=48", "evaluation.proposals=8", "policy.steps=3", "probe.rvp_samples=8", "ollama.concurrency=2",
	}, sets...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// settled are the events without notices.
func settled(events []event.Event) []event.Event {
	return slices.DeleteFunc(slices.Clone(events), isNotice)
}

func kinds(events []event.Event) map[string]int {
	n := map[string]int{}
	for _, e := range events {
		if notice, ok := e.(event.BackendNoticed); ok {
			n[notice.Kind]++
		}
	}
	return n
}

func TestARunOnAServer(t *testing.T) {
	s := chatting(t, map[string]string{"small:1b": "completion"})
	var dir string
	summary, err := Run(t.Context(), Options{Profile: servedRun(t, s), Out: t.TempDir(), Meter: &lab.Meter{}, Started: func(d string) { dir = d }})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range summary.Arms {
		if a.Errors > 0 || a.Proposed != 8 || *a.Valid < .9 {
			t.Errorf("arm %s: %+v", a.Name, a)
		}
	}
	if got := summary.Served.Models["small:1b"]; summary.Served.Errors > 0 || got.GPUShare == nil || *got.GPUShare != .25 || *got.Context != 2048 {
		t.Errorf("served %+v", summary.Served)
	}
	events := storedEvents(t, dir)
	from := events[0].(event.RunStarted).Provenance
	if from.Deterministic || len(from.Models) != 4 {
		t.Errorf("provenance %+v", from)
	}
	for _, m := range from.Models {
		if m.Served == nil || m.Served.Context != 1024 || m.Served.Threads != 1 || m.Served.Server != "0.17.4" || len(m.Served.Template) != 64 || m.Digest == "" {
			t.Errorf("provenance of the %s: %+v", m.Role, m)
		}
	}
	calls := map[string]int{}
	for _, e := range events {
		switch e := e.(type) {
		case event.ProbeTrained:
			if !strings.Contains(e.Reads, ollama.EmbeddingProbe) || e.Pooling != "embedding" {
				t.Errorf("the probe reads %q by pooling %q", e.Reads, e.Pooling)
			}
		case event.BackendNoticed:
			calls[e.Role] += e.Outcomes["ok"]
		}
	}
	attempts := summary.Arms[0].AttemptsEval + summary.Arms[1].AttemptsEval + summary.Arms[1].AttemptsTrain
	if calls["generator"] != 48+8+3*8+2*8 || calls["solver"] != attempts {
		t.Errorf("calls by role %v, with %d attempts", calls, attempts)
	}
	content, err := os.ReadFile(filepath.Join(dir, inspected))
	if err != nil {
		t.Fatal(err)
	}
	var reports []doctor.Report
	if err := json.Unmarshal(content, &reports); err != nil || len(reports) != 1 || reports[0].Server != "0.17.4" || len(reports[0].Checks) < 4 {
		t.Errorf("the doctor's report: %v, %s", err, content)
	}
}

// A look at a profile has a server load nothing.
func TestACheckAsksNothing(t *testing.T) {
	s := chatting(t, map[string]string{"small:1b": "completion"})
	if err := Check(servedRun(t, s)); err != nil {
		t.Fatal(err)
	}
	if asked, loads := s.Asked(), s.Loads(); len(asked)+len(loads) > 0 {
		t.Errorf("asked %+v, loaded by %+v", asked, loads)
	}
}

// A reference is refused for which the generator's tasks may be too long.
func TestAReferenceHasRoomForTasks(t *testing.T) {
	s := chatting(t, map[string]string{"small:1b": "completion", "embedder:1b": "embedding"})
	for context, want := range map[string]string{"79": "roles.reference.context=79", "80": ""} {
		err := Check(servedRun(t, s, "roles.reference.backend=ollama", "roles.reference.model=embedder:1b", "roles.reference.context="+context))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("a context of %s: error %v", context, err)
		}
	}
}

// A reference that gives no embeddings ends a run before it has asked for anything else.
func TestAReferenceWithoutEmbeddingsEndsARunAtOnce(t *testing.T) {
	s := chatting(t, map[string]string{"small:1b": "completion", "embedder:1b": "embedding"})
	p := servedRun(t, s, "roles.reference.backend=ollama", "roles.reference.model=embedder:1b")
	s.Always(func(w http.ResponseWriter, r *http.Request, q hostile.Question) {
		if q.Model == "embedder:1b" {
			hostile.Status(501, `{"error":"this model does not support embeddings"}`)(w, r, q)
			return
		}
		learner(w, r, q)
	})
	_, err := Run(t.Context(), Options{Profile: p, Out: t.TempDir(), Meter: &lab.Meter{}})
	if err == nil || !strings.Contains(err.Error(), "does not support embeddings") {
		t.Errorf("error %v", err)
	}
	if n := len(s.Asked()); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

// However a profile's roles name this machine, its server gets as many calls at a time as the profile says.
func TestNamesOfThisMachineAreOneServer(t *testing.T) {
	s := newServers(profiles.Ollama{})
	for _, hosts := range [][]string{{"localhost:1", "127.0.0.1:1", "LOCALHOST:1", "http://[::1]:1/", "0.0.0.0:1"}, {"far:1", "http://FAR:1"}, {"localhost:2"}, {"https://localhost:1"}, {"localhost:1/path"}} {
		first, err := s.client(hosts[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, host := range hosts {
			if c, err := s.client(host); err != nil || c != first {
				t.Errorf("%s is another server than %s (error %v)", host, hosts[0], err)
			}
		}
	}
	if len(s.clients) != 5 {
		t.Errorf("%d servers", len(s.clients))
	}
}

// A server that goes away while a run goes on is waited for; nothing is graded twice, and the run ends as an undisturbed one.
func TestARunWaitsForAServerThatWentAway(t *testing.T) {
	s := chatting(t, map[string]string{"small:1b": "completion"})
	p := servedRun(t, s)
	carryOut := func(do func(event.Event)) []event.Event {
		t.Helper()
		var dir string
		_, err := Run(t.Context(), Options{Profile: p, Out: t.TempDir(), Meter: &lab.Meter{}, Started: func(d string) { dir = d }, Observe: do})
		if err != nil {
			t.Fatal(err)
		}
		return storedEvents(t, dir)
	}
	want := carryOut(nil)
	var once sync.Once
	seen, back := 0, make(chan error, 1)
	got := carryOut(func(e event.Event) {
		if _, ok := e.(event.AttemptGraded); ok {
			if seen++; seen == 20 {
				s.Down() // in the middle of the corpus' attempts
			}
		}
		if n, ok := e.(event.BackendNoticed); ok && n.Away > 0 {
			once.Do(func() { go func() { back <- s.Up() }() })
		}
	})
	select {
	case err := <-back:
		if err != nil {
			t.Fatal(err)
		}
	default:
		t.Fatal("the run never paused")
	}
	if k := kinds(got); k["paused"] != 1 || k["resumed"] != 1 {
		t.Errorf("notices %v", k)
	}
	same(t, settled(want), settled(got))
}

// same compares events but for what names the run.
func same(t *testing.T, want, got []event.Event) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%d events, want %d", len(got), len(want))
	}
	for i := range want {
		_, a, err := event.Encode(want[i])
		if err != nil {
			t.Fatal(err)
		}
		_, b, err := event.Encode(got[i])
		if err != nil {
			t.Fatal(err)
		}
		if string(a) != string(b) {
			t.Fatalf("event %d is %s, want %s", i+1, b, a)
		}
	}
}

// A server that stays away ends the run; it goes on where it was when it is resumed, and so does one that was interrupted at any event.
func TestARunOnAServerIsResumed(t *testing.T) {
	s := chatting(t, map[string]string{"small:1b": "completion"})
	p := servedRun(t, s, "ollama.outage=0s")
	var undisturbed string
	if _, err := Run(t.Context(), Options{Profile: p, Out: t.TempDir(), Meter: &lab.Meter{}, Started: func(d string) { undisturbed = d }}); err != nil {
		t.Fatal(err)
	}
	want := storedEvents(t, undisturbed)
	asked := len(s.Asked())
	for _, at := range []int{3, 61, len(want) / 2, 3 * len(want) / 4} {
		var dir string
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		_, err := Run(ctx, Options{Profile: p, Out: t.TempDir(), Meter: &lab.Meter{}, Started: func(d string) { dir = d }, Observe: func(event.Event) {
			if n++; n == at {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted at event %d: %v", at, err)
		}
		s.Version = "0.18.0"
		if _, err := Run(t.Context(), Options{Profile: p, Resume: dir, Meter: &lab.Meter{}}); !errors.Is(err, ErrDiverged) || !strings.Contains(err.Error(), "0.18.0") {
			t.Fatalf("another version of the server: %v", err)
		}
		s.Version = "0.17.4"
		digest := s.Models[0].Digest
		s.Models[0].Digest = strings.Repeat("f", 64)
		if _, err := Run(t.Context(), Options{Profile: p, Resume: dir, Meter: &lab.Meter{}}); !errors.Is(err, ErrDiverged) || !strings.Contains(err.Error(), digest) {
			t.Fatalf("another model under the tag: %v", err)
		}
		s.Models[0].Digest = digest
		s.Down()
		if _, err := Run(t.Context(), Options{Profile: p, Resume: dir, Meter: &lab.Meter{}}); err == nil || !strings.Contains(err.Error(), "ollama serve") {
			t.Fatalf("resumed without a server: %v", err)
		}
		if err := s.Up(); err != nil {
			t.Fatal(err)
		}
		var observed []event.Event
		if _, err := Run(t.Context(), Options{Profile: p, Resume: dir, Meter: &lab.Meter{}, Observe: func(e event.Event) { observed = append(observed, e) }}); err != nil {
			t.Fatalf("resumed from event %d: %v", at, err)
		}
		same(t, settled(want), settled(storedEvents(t, dir)))
		same(t, storedEvents(t, dir), observed)
	}
	if len(s.Asked()) > 6*asked {
		t.Errorf("%d questions for four more runs, %d for one", len(s.Asked()), asked)
	}

	// Away for longer than the profile waits, in the middle: the run fails, and what it has is kept.
	var dir string
	n := 0
	_, err := Run(t.Context(), Options{Profile: p, Out: t.TempDir(), Meter: &lab.Meter{}, Started: func(d string) { dir = d }, Observe: func(event.Event) {
		if n++; n == 100 {
			s.Down()
		}
	}})
	var away *ollama.UnreachableError
	if !errors.As(err, &away) {
		t.Fatalf("a server that stays away: %v", err)
	}
	if err := s.Up(); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), Options{Profile: p, Resume: dir, Meter: &lab.Meter{}}); err != nil {
		t.Fatal(err)
	}
	same(t, settled(want), slices.DeleteFunc(settled(storedEvents(t, dir)), func(e event.Event) bool {
		end, ok := e.(event.RunEnded)
		return ok && end.Failed != ""
	}))
}

// A server's embeddings need not come out the same again; a resumed run reads those that it has.
func TestEmbeddingsAreKept(t *testing.T) {
	dir := t.TempDir()
	open := func() *embeddings {
		e := &embeddings{path: filepath.Join(dir, "embeddings"), known: map[[32]byte][]float32{}}
		if err := e.load(); err != nil {
			t.Fatal(err)
		}
		return e
	}
	if err := open().Keep([]string{"a", "b"}, [][]float32{{1, 2}, {3, 4}}); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "embeddings"))
	if err != nil {
		t.Fatal(err)
	}
	for cut := range whole {
		if err := os.WriteFile(filepath.Join(dir, "embeddings"), whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		e := open()
		if v, ok := e.Embedding("a"); ok != (cut >= len(whole)/2) || ok && !slices.Equal(v, []float32{1, 2}) {
			t.Fatalf("cut after %d of %d bytes: %v, %v", cut, len(whole), v, ok)
		}
		if err := e.Keep([]string{"c"}, [][]float32{{5, 6}}); err != nil {
			t.Fatal(err)
		}
		if v, ok := open().Embedding("c"); !ok || !slices.Equal(v, []float32{5, 6}) {
			t.Fatalf("cut after %d bytes, what is kept afterwards is lost", cut)
		}
	}
}
