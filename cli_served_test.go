//go:build ollama

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"verge/runner/backend/ollama/push"
	"verge/runner/event"
	"verge/runner/report"
	"verge/runner/store"
)

// killable is a server of a test's own.
type killable struct {
	t       *testing.T
	address string
	models  string
	process *exec.Cmd
}

// setting is a variable that these tests were promised: without it they fail.
func setting(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set; run this test with: .ci/ollama with go test -tags ollama .", name)
	}
	return value
}

func startServer(t *testing.T) *killable {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &killable{t: t, address: l.Addr().String(), models: t.TempDir()}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s.start()
	t.Cleanup(s.kill)
	return s
}

func (s *killable) start() {
	s.t.Helper()
	s.process = exec.Command(setting(s.t, "VERGE_OLLAMA_BINARY"), "serve")
	s.process.Env = append(os.Environ(), "HOME="+s.models, "OLLAMA_HOST="+s.address, "OLLAMA_MODELS="+s.models, "OLLAMA_NO_CLOUD=1", "OLLAMA_FLASH_ATTENTION=0")
	s.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		answer, err := http.Get("http://" + s.address + "/api/version")
		if err == nil {
			answer.Body.Close()
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("the server does not answer: %v", err)
		}
	}
}

// kill ends the server at once, with the process that runs its model.
func (s *killable) kill() {
	syscall.Kill(-s.process.Process.Pid, syscall.SIGKILL)
	s.process.Wait()
}

// watched is a run of verge whose standard error can be waited for.
type watched struct {
	t      *testing.T
	cmd    *exec.Cmd
	lines  chan string
	stdout strings.Builder
}

func watch(t *testing.T, dir, host string, args ...string) *watched {
	t.Helper()
	w := &watched{t: t, cmd: command0(dir, args...), lines: make(chan string, 1000)}
	w.cmd.Env = append(w.cmd.Env, "OLLAMA_HOST="+host)
	w.cmd.Stdout = &w.stdout
	errs, err := w.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(w.lines)
		for in := bufio.NewScanner(errs); in.Scan(); {
			w.lines <- in.Text()
		}
		io.Copy(io.Discard, errs)
	}()
	return w
}

// await waits for a line with a text.
func (w *watched) await(text string) {
	w.t.Helper()
	for line := range w.lines {
		if strings.Contains(line, text) {
			return
		}
	}
	w.t.Fatalf("the run ended without saying %q", text)
}

// TestASmallModelInAllRoles runs propel-math-small, cut small, on a server: it is killed and resumed, and then the server is killed and started
// again. It ends with all that the profile asks for, and nothing was done twice.
func TestASmallModelInAllRoles(t *testing.T) {
	s := startServer(t)
	u, err := url.Parse("http://" + s.address)
	if err != nil {
		t.Fatal(err)
	}
	base, err := push.FileBase(setting(t, "VERGE_SMOLLM2"))
	if err != nil {
		t.Fatal(err)
	}
	if err := push.New(u, http.DefaultClient).Put(t.Context(), "smollm2:135m", base, push.None); err != nil {
		t.Fatal(err)
	}
	run, summary := s.throughKills(t, 3, func(run string) { awaitKind[event.TaskProposed](t, run, 5) }, func(run string) { awaitKind[event.AttemptGraded](t, run, 6) },
		"propel-math-small", "corpus.proposals=24", "evaluation.proposals=3", "policy.steps=10", "policy.proposals=2", "policy.group=2", "probe.folds=3",
		"probe.rvp_samples=2", "target.low=1/3", "target.high=1", "roles.judge.temperature=0.001", "roles.solver.max_tokens=32")
	if n := summary.Arms[1].Steps; n != 10 {
		t.Errorf("%d updates", n)
	}
	for _, m := range summary.Provenance.Models {
		if served := m.Role != "reference"; served != (m.Served != nil) || served && (m.Served.Server != "0.17.4" || m.Served.Context != 1024) || m.Digest == "" {
			t.Errorf("provenance %+v", m)
		}
	}
	updates := 0
	for _, e := range events(t, run) {
		if _, ok := e.(event.ContextUpdated); ok {
			updates++
		}
	}
	if updates != 10 {
		t.Errorf("%d updates of what the prompts ask for", updates)
	}
}

// throughKills carries out a profile on the server. The run is killed at one point and resumed, the server is killed at another and started again.
// It returns the run, and its summary, in which nothing was lost or done twice.
func (s *killable) throughKills(t *testing.T, evaluated int, toRun, toServer func(run string), profile string, sets ...string) (run string, summary report.Summary) {
	t.Helper()
	dir := t.TempDir()
	args := []string{"run", profile, "--json"}
	for _, set := range sets {
		args = append(args, "--set", set)
	}
	first := watch(t, dir, s.address, args...)
	run = awaitEvents(t, filepath.Join(dir, defaultOut))
	toRun(run)
	first.cmd.Process.Kill()
	first.cmd.Wait()

	second := watch(t, dir, s.address, "run", "--resume", run, "--json")
	toServer(run)
	s.kill()
	second.await("went away")
	s.start()
	second.await("is back")
	var last []string
	for line := range second.lines {
		last = append(last, line)
	}
	if err := second.cmd.Wait(); err != nil {
		t.Fatalf("the resumed run: %v: %s", err, strings.Join(last[max(0, len(last)-5):], "\n"))
	}
	if err := json.Unmarshal([]byte(second.stdout.String()), &summary); err != nil {
		t.Fatal(err)
	}
	for _, a := range summary.Arms {
		if a.Errors > 0 || a.Proposed != evaluated {
			t.Errorf("arm %s: %+v", a.Name, a)
		}
	}
	if summary.Served == nil || summary.Served.Errors > 0 || summary.Provenance.Deterministic {
		t.Errorf("served %+v, deterministic %t", summary.Served, summary.Provenance.Deterministic)
	}
	nothingTwice(t, run)
	return run, summary
}

// awaitKind waits until a run has stored so many events of a kind.
func awaitKind[E event.Event](t *testing.T, run string, n int) {
	t.Helper()
	for ; ; time.Sleep(50 * time.Millisecond) {
		count := 0
		for _, e := range events(t, run) {
			if _, ok := e.(E); ok {
				count++
			}
			if end, ok := e.(event.RunEnded); ok {
				t.Fatalf("the run ended early: %+v", end)
			}
		}
		if count >= n {
			return
		}
	}
}

func events(t *testing.T, run string) []event.Event {
	t.Helper()
	r, err := store.Open(run)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []event.Event
	for record, err := range r.Events(1) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, record.Event)
	}
	return all
}

// nothingTwice holds a run to one proposal, one grading and one oracle's answer of each key.
func nothingTwice(t *testing.T, run string) {
	t.Helper()
	seen := map[string]bool{}
	for _, e := range events(t, run) {
		var key string
		switch e := e.(type) {
		case event.TaskProposed:
			key = "proposal " + e.Key.String()
		case event.AttemptGraded:
			key = fmt.Sprintf("attempt %d at %s", e.Attempt, e.Key)
		case event.OracleAnswered:
			key = fmt.Sprintf("answer of oracle %d to %s", e.Oracle, e.Key)
		default:
			continue
		}
		if seen[key] {
			t.Errorf("%s is stored twice", key)
		}
		seen[key] = true
	}
}
