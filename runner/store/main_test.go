package store

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"verge/domains"
	"verge/domains/prompt"
	"verge/runner/event"
)

// crashOut, set in the environment, makes the test binary a process that writes a run there until it is killed.
const crashOut = "VERGE_STORE_TEST_CRASH"

// createOut, likewise, makes it one that begins runs there, one after the other.
const createOut = "VERGE_STORE_TEST_CREATE"

func TestMain(m *testing.M) {
	if out := os.Getenv(crashOut); out != "" {
		writeUntilKilled(out)
	}
	if out := os.Getenv(createOut); out != "" {
		createUntilKilled(out)
	}
	os.Exit(m.Run())
}

func writeUntilKilled(out string) {
	w, err := Create(out, header())
	if err == nil {
		_, err = w.Append(opening()...)
	}
	for i := 0; err == nil; i++ {
		if _, err = w.Append(proposal(i, 2)...); err == nil && i == 50 {
			if err = w.Flush(); err == nil {
				fmt.Println(w.Dir()) // the parent may kill now
			}
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func createUntilKilled(out string) {
	for {
		w, err := Create(out, header())
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// startWriter starts such a process and returns once 51 proposals are stored.
func startWriter(t *testing.T, out string) (dir string, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashOut+"="+out)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() {
		cmd.Process.Kill()
		cmd.Wait()
	}
	t.Cleanup(kill)
	if _, err := fmt.Fscanln(stdout, &dir); err != nil {
		t.Fatalf("the writing process ended early: %v", err)
	}
	return dir, kill
}

func header() Header {
	return Header{
		Profile: "Quick Start.toml", Recipe: "propel", Domain: "math", Seed: 1<<64 - 1,
		Started: time.Date(2026, 11, 29, 17, 23, 18, 500, time.FixedZone("CET", 3600)),
	}
}

// opening starts a run of one arm with K = 2.
func opening() []event.Event {
	return []event.Event{
		event.RunStarted{Profile: "quick", Recipe: "propel", Domain: "math", Arms: []string{"base"}, Attempts: 2, Low: .5, High: .5},
		event.StageStarted{Arm: "base", Stage: event.Eval, Total: 10},
	}
}

func key(i int) event.Key {
	return event.Key{Arm: "base", Stage: event.Eval, Step: 3, Proposal: i}
}

// proposal is a valid proposal with some attempts at it, the first of them right.
func proposal(i, attempts int) []event.Event {
	statement := fmt.Sprintf("%d + %d", i, i+1)
	episode := domains.Episode{Turns: []domains.Turn{{
		Prompt: prompt.Prompt{prompt.Control("solve"), prompt.Text(statement)},
		Reply:  "add the two numbers, carry where it is needed, and write the sum: " + fmt.Sprint(2*i+1),
	}}}
	events := []event.Event{
		event.TaskProposed{Key: key(i), Episode: episode, Tokens: 20},
		event.TaskValidated{Key: key(i), Validity: domains.Validity{Valid: true},
			Task: domains.Task{ID: domains.TaskID("math", statement), Statement: statement, Type: "add"}},
	}
	for a := range attempts {
		verdict := domains.Right
		if a > 0 {
			verdict = domains.Wrong
		}
		events = append(events, event.AttemptGraded{Key: key(i), Attempt: a, Episode: episode, Tokens: 5,
			Grading: domains.Grading{Verdict: verdict, Answer: domains.Some(fmt.Sprint(2*i + 1))}})
	}
	return events
}

func create(t *testing.T, out string) *Writer {
	t.Helper()
	w, err := Create(out, header())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() }) // ErrClosed where the test has closed it
	return w
}

func appendAll(t *testing.T, w *Writer, events ...event.Event) {
	t.Helper()
	if _, err := w.Append(events...); err != nil {
		t.Fatal(err)
	}
}

func reader(t *testing.T, dir string) *Reader {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func info(t *testing.T, dir string) RunInfo {
	t.Helper()
	i, err := reader(t, dir).Info()
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// stored reads all events back and checks their sequence numbers.
func stored(t *testing.T, r *Reader) []event.Event {
	t.Helper()
	var events []event.Event
	for record, err := range r.Events(1) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, record.Event)
		if record.Seq != int64(len(events)) {
			t.Fatalf("event %d has seq %d", len(events), record.Seq)
		}
	}
	return events
}
