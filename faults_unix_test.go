//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// In the environment of a process that stands in for verge.
const (
	limitVariable = "VERGE_TEST_FILE_LIMIT" // the largest size of files, in bytes
	userVariable  = "VERGE_TEST_USER"       // the user to become: root may write everywhere
)

func init() {
	if limit, err := strconv.ParseUint(os.Getenv(limitVariable), 10, 64); err == nil {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			panic(err)
		}
	}
	if user, err := strconv.Atoi(os.Getenv(userVariable)); err == nil {
		if err := syscall.Setuid(user); err != nil {
			panic(err)
		}
	}
}

// vergeIn is verge with more in its environment.
func vergeIn(t *testing.T, dir string, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	c := command0(dir, args...)
	c.Env = append(c.Env, env...)
	c.Stdout, c.Stderr = &out, &errs
	c.Run()
	return out.String(), errs.String(), c.ProcessState.ExitCode()
}

func tinyRun(args ...string) []string {
	return append(append([]string{"run", "quick", "--json"}, tiny...), args...)
}

// figuresOf is a summary without what differs between two runs of one profile and seed.
func figuresOf(stdout string) string { return varying.ReplaceAllString(stdout, "") }

func onlyRun(t *testing.T, out string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(out, "*", "run.db"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%d runs in %s, %v", len(found), out, err)
	}
	return filepath.Dir(found[0])
}

func TestAFullDiskIsSaidOnceAndTheRunGoesOnAfterwards(t *testing.T) {
	dir := t.TempDir()
	want, stderr, code := verge(t, dir, tinyRun("--out", "whole")...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	size := func(run string) int64 {
		info, err := os.Stat(filepath.Join(run, "run.db"))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	whole := size(onlyRun(t, filepath.Join(dir, "whole")))
	for i, limit := range []int64{20_000, whole / 8, whole / 2} {
		out := fmt.Sprint("full", i)
		stdout, stderr, code := vergeIn(t, dir, []string{fmt.Sprintf("%s=%d", limitVariable, limit)}, tinyRun("--out", out)...)
		if stdout != "" || strings.Count(stderr, "free some space") != 1 || strings.Contains(stderr, "goroutine") {
			t.Errorf("limit %d: %q, and on standard error\n%s", limit, stdout, stderr)
		}
		if i == 0 { // not even an empty run fits
			if entries, err := os.ReadDir(filepath.Join(dir, out)); code != exitRequest || err != nil || len(entries) != 0 {
				t.Errorf("limit %d: exit code %d, left behind %v, %v", limit, code, entries, err)
			}
			continue
		}
		if code != exitFailed || !strings.Contains(stderr, "--resume") {
			t.Errorf("limit %d: exit code %d: %s", limit, code, stderr)
		}
		run := onlyRun(t, filepath.Join(dir, out))
		if stdout, stderr, code := verge(t, dir, "runs", "--out", out); code != 0 || !strings.Contains(stdout, "interrupted") {
			t.Errorf("limit %d: listed as %s%s", limit, stdout, stderr)
		}
		got, stderr, code := verge(t, dir, "run", "--resume", run, "--json")
		if code != 0 || figuresOf(got) != figuresOf(want) {
			t.Errorf("limit %d: resumed, exit code %d\n%s\nundisturbed:\n%s\n%s", limit, code, got, want, stderr)
		}
	}
}

func TestASweepStopsAtAFullDisk(t *testing.T) {
	dir := t.TempDir()
	args := append(slices.Clone(swept), "--json")
	stdout, stderr, code := vergeIn(t, dir, []string{limitVariable + "=60000"}, args...)
	if code != exitFailed || strings.Count(stderr, "free some space") != 1 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for i, c := range lastLine(t, stdout).Cells {
		// The cells are run seed by seed.
		if first := i == 0; first != (c.State == "failed") || first != strings.Contains(c.Error, "free some space") {
			t.Errorf("cell %d: state %s, %s", i, c.State, c.Error)
		}
	}
	stdout, stderr, code = verge(t, dir, args...)
	if code != 0 || strings.Count(stderr, ": done after") != 6 {
		t.Errorf("with room again: exit code %d, %s%s", code, stdout, stderr)
	}
}

// unprivileged is the environment of a process that may not write everywhere. dir has to be reached by it.
func unprivileged(t *testing.T, dir string) []string {
	t.Helper()
	if os.Getuid() != 0 {
		return nil
	}
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	return []string{userVariable + "=65534"}
}

func TestAFolderThatCannotBeWrittenIsNamedAndTheRunGoesOnAfterwards(t *testing.T) {
	dir := t.TempDir()
	env := unprivileged(t, dir)
	want, stderr, code := verge(t, dir, tinyRun("--out", "whole")...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	_, stderr, code = vergeIn(t, dir, []string{fmt.Sprintf("%s=%d", limitVariable, 100_000)}, tinyRun("--out", "cut")...)
	run := onlyRun(t, filepath.Join(dir, "cut"))
	if code != exitFailed {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	finished := onlyRun(t, filepath.Join(dir, "whole"))
	chmod := func(folder, file os.FileMode) {
		for _, run := range []string{run, finished} {
			for path, mode := range map[string]os.FileMode{filepath.Join(run, "run.db"): file, filepath.Join(run, "run.lock"): file, run: folder, filepath.Dir(run): folder} {
				if err := os.Chmod(path, mode); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	chmod(0o555, 0o444)
	defer chmod(0o755, 0o644)
	for _, args := range [][]string{{"run", "--resume", run}, tinyRun("--out", "cut"), tinyRun("--out", filepath.Join(run, "run.db"))} {
		stdout, stderr, code := vergeIn(t, dir, env, args...)
		if code != exitRequest || stdout != "" || !strings.Contains(stderr, "cut") || !strings.Contains(stderr, "--out") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q: exit code %d, %s%s", args, code, stdout, stderr)
		}
	}
	if got, stderr, code := vergeIn(t, dir, env, "report", "--json", finished); code != 0 || figuresOf(got) != figuresOf(want) {
		t.Errorf("a finished run in a folder that can only be read is reported with exit code %d: %s%s", code, got, stderr)
	}
	chmod(0o755, 0o644)
	got, stderr, code := verge(t, dir, "run", "--resume", run, "--json")
	if code != 0 || figuresOf(got) != figuresOf(want) {
		t.Errorf("resumed, exit code %d\n%s\nundisturbed:\n%s\n%s", code, got, want, stderr)
	}
}

// Of a run whose process was killed, what came last is in a log beside the database, which SQLite reads only where it can write an index of it.
func TestAKilledRunIsReadFromAFolderThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	env := unprivileged(t, dir)
	c := command0(dir, append([]string{"run", "quick"}, longer...)...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	run := awaitEvents(t, filepath.Join(dir, "runs"))
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	c.Wait()
	if _, err := os.Stat(filepath.Join(run, "run.db-wal")); err != nil {
		t.Fatalf("the run has no log: %v", err)
	}
	want, stderr, code := verge(t, dir, "report", "--json", run)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if err := os.RemoveAll(filepath.Join(run, "run.db-shm")); err != nil { // as in a copy of the run
		t.Fatal(err)
	}
	if err := os.Chmod(run, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(run, 0o755)
	if got, stderr, code := vergeIn(t, dir, env, "report", "--json", run); code != 0 || figuresOf(got) != figuresOf(want) {
		t.Errorf("exit code %d: %s\n%swhere it can be written:\n%s", code, stderr, got, want)
	}
	if stdout, stderr, code := vergeIn(t, dir, env, "runs"); code != 0 || stderr != "" || !strings.Contains(stdout, "interrupted") {
		t.Errorf("listed with exit code %d as %s%s", code, stdout, stderr)
	}
}

func TestTwoProcessesOnOneRun(t *testing.T) {
	dir := t.TempDir()
	first := command0(dir, append([]string{"run", "quick", "--out", "runs"}, longer...)...)
	var errs bytes.Buffer
	first.Stderr = &errs
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	run := awaitEvents(t, filepath.Join(dir, "runs"))
	stdout, stderr, code := verge(t, dir, "run", "--resume", run, "--json")
	if code != exitRequest || stdout != "" || !strings.Contains(stderr, "wait until that process ends") || !strings.Contains(stderr, run) {
		t.Errorf("a second writer: exit code %d, %s%s", code, stdout, stderr)
	}
	if err := first.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	first.Wait()
	if code := first.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("the first writer was disturbed: exit code %d, %s", code, errs.String())
	}
	if stdout, stderr, code := verge(t, dir, "report", run, "--json"); code != 0 {
		t.Errorf("the run does not open afterwards: exit code %d, %s%s", code, stdout, stderr)
	}
	if stdout, stderr, code := verge(t, dir, "run", "--resume", run, "--json"); code != 0 || strings.Count(stdout, `{"name":`) != 3 {
		t.Errorf("the run does not go on afterwards: exit code %d, %s%s", code, stdout, stderr)
	}
}

// Nobody writes to the pipe: a command that opens it does not end.
func TestPipesAndDevicesAreRefused(t *testing.T) {
	dir := t.TempDir()
	pipe := func(name string) string {
		path := filepath.Join(dir, name)
		if err := syscall.Mkfifo(path, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	profile, model := pipe("p.toml"), pipe("m.gguf")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", profile}, profile},
		{[]string{"sweep", profile, "--seeds", "2"}, profile},
		{[]string{"run", "quick", "--set", "roles.solver.model=" + model}, model},
		{[]string{"pretrain", "--steps", "1", "--out", model}, model},
		{[]string{"pretrain", "--steps", "1", "--out", os.DevNull}, os.DevNull},
		{[]string{"run", os.DevNull + "/x.toml"}, os.DevNull},
		{[]string{"grade", "/dev/zero"}, "/dev/zero"},
	} {
		stdout, stderr, code := verge(t, dir, c.args...)
		if code != exitRequest || stdout != "" || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q: exit code %d, %s%s", c.args, code, stdout, stderr)
		}
	}
}

func TestATableComesThroughAPipe(t *testing.T) {
	dir := t.TempDir()
	const table = "want\tgold\tprediction\nequal\t1\t1\ndifferent\t1\t2\n"
	pipe := filepath.Join(dir, "t.tsv")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	written := make(chan error, 1)
	go func() { written <- os.WriteFile(pipe, []byte(table), 0) }()
	for _, name := range []string{pipe, "-", "/dev/stdin"} {
		var out, errs bytes.Buffer
		c := command0(dir, "grade", name)
		c.Stdout, c.Stderr = &out, &errs
		if name != pipe {
			c.Stdin = strings.NewReader(table)
		}
		if err := c.Run(); err != nil || strings.Count(out.String(), "\n") != 2 || errs.String() != "2 of 2 as wanted\n" {
			t.Errorf("%s: %v\n%s%s", name, err, out.String(), errs.String())
		}
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
}

func TestAPipeThatNothingIsWrittenToIsGivenUpAtAnInterrupt(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "t.tsv")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	c := command0(dir, "grade", pipe)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Process.Kill()
	for { // until it reads
		w, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			defer w.Close()
			break
		}
		if !errors.Is(err, syscall.ENXIO) {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
}

// A process whose terminal, or pipe, takes nothing more waits for it; it can still be ended.
func TestAProcessThatCannotSayAnythingIsEndedBySignals(t *testing.T) {
	dir := t.TempDir()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if err := w.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = w.Write(make([]byte, 4096))
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal(err)
	}
	c := command0(dir, append([]string{"run", "quick"}, tiny...)...)
	c.Stderr = w
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for begun := false; !begun; time.Sleep(10 * time.Millisecond) {
		found, err := filepath.Glob(filepath.Join(dir, "runs", "*", "run.db"))
		begun = err != nil || len(found) > 0
	}
	for deadline := time.After(30 * time.Second); ; {
		if err := c.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		select {
		case <-ended:
			if code := c.ProcessState.ExitCode(); code != exitInterrupted {
				t.Errorf("exit code %d", code)
			}
			return
		case <-deadline:
			c.Process.Kill()
			t.Fatal("it hears no signal")
		case <-time.After(200 * time.Millisecond):
		}
	}
}
