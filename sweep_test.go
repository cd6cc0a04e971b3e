package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"verge/runner/store"
)

// swept makes a sweep of six cells, each of a third of a second.
var swept = []string{"sweep", "quick", "--axis", "policy.kl=0,0.1", "--seeds", "3", "--set", "run.arms=base", "--set", "evaluation.proposals=150"}

type sweepJSON struct {
	Axes  map[string][]any
	Seeds []int
	Cells []struct {
		Hash, Run, State, Error string
		Settings                map[string]any
		Seed                    int
		Arms                    []json.RawMessage
	}
	Comparisons []map[string]any
}

func lastLine(t *testing.T, stdout string) (s sweepJSON) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &s); err != nil {
		t.Fatalf("the last line is no JSON object: %v\n%s", err, stdout)
	}
	return s
}

// finished lists the runs of a sweep that are done.
func finished(t *testing.T, dir string) (names []string) {
	t.Helper()
	runs, _, err := store.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		if r.State == store.Done {
			names = append(names, r.Run)
		}
	}
	return names
}

func TestASweepKilledHalfWayRunsOnlyWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "cut", "sweep-quick")
	c := command0(dir, append(slices.Clone(swept), "--jobs", "2", "--out", "cut")...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for len(finished(t, folder)) < 2 {
		time.Sleep(5 * time.Millisecond)
	}
	c.Process.Kill()
	c.Wait()
	before := finished(t, folder)
	if len(before) >= 6 {
		t.Fatal("the kill came too late to test anything")
	}
	// While another process, here this one, has the folder.
	lock, err := store.Lock(filepath.Join(folder, "sweep.lock"))
	if err != nil {
		t.Fatal(err)
	}
	_, stderr, code := verge(t, dir, append(slices.Clone(swept), "--out", "cut")...)
	if code != exitRequest || !strings.Contains(stderr, "another process") {
		t.Errorf("a second process exits with %d: %s", code, stderr)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}

	stdout, stderr, code := verge(t, dir, append(slices.Clone(swept), "--jobs", "2", "--json", "--out", "cut")...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if n := strings.Count(stderr, ": done after"); n != 6-len(before) {
		t.Errorf("%d cells ran of which %d were done before:\n%s", n, len(before), stderr)
	}
	for _, run := range before {
		if !strings.Contains(stdout, run) {
			t.Errorf("run %s was done, and does not stand for its cell", run)
		}
	}
	if after := finished(t, folder); len(after) != 6 {
		t.Errorf("%d runs are done, want one a cell", len(after))
	}
	got := lastLine(t, stdout)

	stdout, stderr, code = verge(t, dir, append(slices.Clone(swept), "--json", "--out", "whole")...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	want := lastLine(t, stdout)
	for i := range want.Cells {
		a, b := got.Cells[i], want.Cells[i]
		if a.Hash != b.Hash || len(a.Arms) != 1 || !bytes.Equal(a.Arms[0], b.Arms[0]) {
			t.Errorf("killed and run again, cell %v seed %d:\n%s\nundisturbed:\n%s", b.Settings, b.Seed, a.Arms, b.Arms)
		}
	}
	if len(want.Comparisons) != 4 || len(want.Seeds) != 3 || len(want.Axes["policy.kl"]) != 2 {
		t.Errorf("%d comparisons, seeds %v, axes %v", len(want.Comparisons), want.Seeds, want.Axes)
	}

	stdout, stderr, code = verge(t, dir, append(slices.Clone(swept), "--out", "cut")...)
	if code != 0 || strings.Contains(stderr, "done after") {
		t.Errorf("a finished sweep exits with %d: %s", code, stderr)
	}
	for _, want := range []string{"6 of 6 cells done", "3/3", "the same at every seed", "p = 0.25"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the table lacks %q:\n%s", want, stdout)
		}
	}
	if stdout, stderr, _ := verge(t, dir, "runs", "--out", "cut"); strings.Contains(stderr, "sweep-quick") {
		t.Errorf("a sweep's folder is taken for a broken run: %s%s", stdout, stderr)
	}
}

func TestAnInterruptedSweepSaysHowToGoOn(t *testing.T) {
	dir := t.TempDir()
	c := command0(dir, swept...)
	var errs bytes.Buffer
	c.Stderr = &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for len(finished(t, filepath.Join(dir, "runs", "sweep-quick"))) < 1 {
		time.Sleep(5 * time.Millisecond)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(errs.String(), "the same command goes on") {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
}

func TestAFailedCellIsShownAndMakesTheSweepFail(t *testing.T) {
	dir := t.TempDir()
	args := []string{"sweep", "quick", "--axis", "corpus.proposals=300,2", "--json", "--set", "probe.layer=2", "--set", "evaluation.proposals=20", "--set", "policy.proposals=16",
		"--set", "policy.steps=1", "--set", "policy.warmup_steps=1", "--set", "probe.l2=1", "--set", "probe.rvp_samples=16", "--set", "target.high=7/8"}
	stdout, stderr, code := verge(t, dir, args...)
	if code != exitFailed || !strings.Contains(stderr, "1 of 2 cells") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	s := lastLine(t, stdout)
	if bad, good := s.Cells[1], s.Cells[0]; bad.State != "failed" || !strings.Contains(bad.Error, "corpus.proposals") || len(bad.Arms) != 0 || good.State != "done" || len(good.Arms) != 2 {
		t.Errorf("cells %+v", s.Cells)
	}
}

func TestADryRunSaysWhatItWouldTakeAndWritesNothing(t *testing.T) {
	dir := t.TempDir()
	stdout, stderr, code := verge(t, dir, append(slices.Clone(swept), "--dry-run")...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for _, want := range []string{"policy.kl", "0.1", "missing", "6 of 6 cells to run, with at most 7200 attempts", "no finished run to estimate from"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the plan lacks %q:\n%s", want, stdout)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("a dry run wrote %v, %v", entries, err)
	}
	stdout, _, code = verge(t, dir, append(slices.Clone(swept), "--dry-run", "--json")...)
	for _, want := range []string{`"axes":{"policy.kl":[0,0.1]}`, `"to_run":6`, `"attempts_at_most":7200`, `"oracle_answers_at_most":0`, `"seconds":null`} {
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("the plan lacks %q (exit code %d):\n%s", want, code, stdout)
		}
	}
}

func TestWrongSweepsExitWith2(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"sweep"}, "ablate-kl"},
		{[]string{"sweep", "quick"}, "--axis"},
		{[]string{"sweep", "quick", "--axis", "policy.kll=0,1"}, "nearest is policy.kl"},
		{[]string{"sweep", "quick", "--axis", "policy.kl=0,x"}, "not a number"},
		{[]string{"sweep", "quick", "--seeds", "0"}, "--seeds 0: out of range; allowed: 1 to 1000"},
		{[]string{"sweep", "quick", "--seeds", ""}, "--seeds"},
		{[]string{"sweep", "quick", "--seeds", "2", "--jobs", "x"}, "--jobs x: it has to be a whole number"},
		{[]string{"sweep", "quick", "--seeds", "2", "--out", os.Args[0]}, "--out"},
		{[]string{"sweep", "quick", "--seeds", "2", "--jobs", "0"}, "--jobs"},
		{[]string{"sweep", "quick", "--axis", "roles.solver.model=micro,nosuch.gguf"}, "nosuch.gguf"},
		{[]string{"sweep", "ablate-kl", "--set", "policy.kl=1"}, "--axis policy.kl"},
	} {
		stdout, stderr, code := verge(t, dir, c.args...)
		if code != exitRequest || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: exit code %d, %q, want a message with %q", c.args, code, stderr, c.want)
		}
	}
}
