package main

import (
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"verge/runner/event"
	"verge/runner/store"
)

// longer makes a run with checkpoints and all of its stages, of a few seconds.
var longer = []string{"--headless", "--json", "--set", "corpus.proposals=300", "--set", "evaluation.proposals=60", "--set", "policy.proposals=16",
	"--set", "policy.steps=12", "--set", "policy.warmup_steps=1", "--set", "probe.layer=2", "--set", "probe.l2=1", "--set", "probe.rvp_samples=32",
	"--set", "target.high=7/8", "--set", "run.arms=base,propel,sil-long"}

var varying = regexp.MustCompile(`"run":"[^"]*"|"wall_s":[0-9.e+-]*`)

func TestARunKilledAtAnyInstantEndsAsAnUndisturbedOne(t *testing.T) {
	dir := t.TempDir()
	began := time.Now()
	want, stderr, code := verge(t, dir, append([]string{"run", "quick", "--out", "whole"}, longer...)...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	whole := time.Since(began)

	r := rand.New(rand.NewPCG(1, 1))
	kill := func(args ...string) {
		c := command0(dir, args...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.Int64N(int64(whole / 4))))
		c.Process.Kill()
		c.Wait()
	}
	// Before the first event there is nothing to resume.
	c := command0(dir, append([]string{"run", "quick", "--out", "cut"}, longer...)...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	run := awaitEvents(t, filepath.Join(dir, "cut"))
	c.Process.Kill()
	c.Wait()
	for range 10 {
		kill("run", "--resume", run, "--json")
	}
	got, stderr, code := verge(t, dir, "run", "--resume", filepath.Base(run), "--out", "cut", "--json")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if a, b := varying.ReplaceAllString(got, ""), varying.ReplaceAllString(want, ""); a != b {
		t.Errorf("killed and resumed:\n%s\nundisturbed:\n%s", a, b)
	}
	reader, err := store.Open(run)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	seen := map[any]bool{}
	for record, err := range reader.Events(1) {
		if err != nil {
			t.Fatal(err)
		}
		var key any
		switch e := record.Event.(type) {
		case event.TaskProposed:
			key = e.Key
		case event.AttemptGraded:
			key = [2]any{e.Key, e.Attempt}
		default:
			continue
		}
		if seen[key] {
			t.Errorf("%v is stored twice", key)
		}
		seen[key] = true
	}
	if again, stderr, code := verge(t, dir, "run", "--resume", run, "--json"); code != 0 || varying.ReplaceAllString(again, "") != varying.ReplaceAllString(want, "") || !strings.Contains(stderr, "is done") {
		t.Errorf("resuming a finished run exits with %d, says %s and gives\n%s", code, stderr, again)
	}
	if _, stderr, code := verge(t, dir, "run", "--resume", run, "--seed", "7"); code != exitRequest {
		t.Errorf("resuming with another seed exits with %d: %s", code, stderr)
	}
}

// awaitEvents waits until the one run in a folder has stored its first events, and returns the run's folder.
func awaitEvents(t *testing.T, out string) string {
	t.Helper()
	for ; ; time.Sleep(5 * time.Millisecond) {
		found, err := filepath.Glob(filepath.Join(out, "*", "run.db"))
		if err != nil || len(found) > 1 {
			t.Fatalf("%d runs in %s, %v", len(found), out, err)
		}
		if len(found) == 0 {
			continue
		}
		reader, err := store.Open(filepath.Dir(found[0]))
		if err != nil { // not laid out yet
			continue
		}
		n, err := reader.Count()
		reader.Close()
		if err == nil && n > 1 {
			return filepath.Dir(found[0])
		}
	}
}
