package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verge/runner/lab"
)

// TestMain lets the test binary stand in for verge, so that exit codes and streams are the real ones.
func TestMain(m *testing.M) {
	if os.Getenv("VERGE_AS_COMMAND") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func command0(dir string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "VERGE_AS_COMMAND=1")
	return c
}

func verge(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	c := command0(dir, args...)
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), c.ProcessState.ExitCode()
}

// tiny makes a run of a second or two.
var tiny = []string{"--headless", "--set", "corpus.proposals=300", "--set", "evaluation.proposals=60", "--set", "policy.proposals=16", "--set", "policy.steps=2",
	"--set", "policy.warmup_steps=1", "--set", "probe.layer=2", "--set", "probe.l2=1", "--set", "probe.rvp_samples=32", "--set", "target.high=7/8"}

func TestWrongRequestsExitWith2AndSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f.toml")
	if err := os.WriteFile(file, []byte("[run]\nrecipe = \"propel\"\nseed = \"x\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"run", "quick", "--set", "probe.kindd=linear"}, []string{"--set", "probe.kindd", "probe.kind"}},
		{[]string{"run", "nosuch"}, []string{"nosuch", "quick", "propel-math"}},
		{[]string{"run", file}, []string{file + ":3:", "run.seed"}},
		{[]string{"run"}, []string{"quick"}},
		{[]string{"run", "quick", "--sede", "1"}, []string{"no flag --sede", "nearest is --seed", "verge run --help"}},
		{[]string{"run", "quick", "-seed", "1"}, []string{"no flag -seed", "nearest is --seed"}},
		{[]string{"run", "quick", "-x"}, []string{"no flag -x", "verge run --help"}},
		{[]string{"run", "quick", "--seed"}, []string{"--seed has no value", "--seed SEED"}},
		{[]string{"run", "quick", "--set"}, []string{"--set KEY=VALUE"}},
		{[]string{"run", "quick", "another"}, []string{"one profile", `got 2: "quick" "another"`}},
		{[]string{"run", ""}, []string{"an argument is empty"}},
		{[]string{"run", "quick", "--set", "roles.solver.model=nosuch.gguf"}, []string{"roles.solver.model", "nosuch.gguf"}},
		{[]string{"rnu", "quick"}, []string{`"rnu" is no command of verge; nearest is run; see verge --help`}},
		{[]string{"rnu", "quick", "--json"}, []string{`"rnu" is no command of verge; nearest is run`}},
		{[]string{"nosuch"}, []string{`"nosuch" is no command of verge; see verge --help`}},
		{[]string{"help", "repotr"}, []string{`"repotr" is no command of verge; nearest is report`}},
		{[]string{"help", "run", "x"}, []string{"verge run has no commands of its own"}},
		{[]string{"completion", "bsh"}, []string{`"bsh" is no command of verge completion; nearest is bash`}},
		{[]string{"completion", "bash", "x"}, []string{`verge completion bash takes no argument, got "x"`}},
		{[]string{"report"}, []string{"verge runs lists them"}},
		{[]string{"report", ""}, []string{"an argument is empty"}},
		{[]string{"report", "there/nosuch"}, []string{"there is no run there/nosuch;"}},
		{[]string{"sweep"}, []string{"one profile", "got none"}},
		{[]string{"sweep", "quick", "--axis", "policy.kl=0,1", "--axis", "policy.kl=2"}, []string{"--axis policy.kl=2", "--axis policy.kl=a,b,c"}},
		{[]string{"replay", "a", "b"}, []string{"one run", "got 2:"}},
		{[]string{"push", "a"}, []string{"a run and a tag", `got "a" alone`}},
		{[]string{"walkthrough", "nosuch"}, []string{"nosuch", "propel"}},
		{[]string{"grade"}, []string{"one file", "got none"}},
		{[]string{"doctor", "x"}, []string{"no argument"}},
		{[]string{"runs", "x"}, []string{"x"}},
		{[]string{"pretrain", "--steps", "0"}, []string{"--steps"}},
		{[]string{"run", "quick", "--seed", "-1"}, []string{"--seed -1", "0 or more"}},
		{[]string{"run", "quick", "--seed", "18446744073709551615"}, []string{"--seed 18446744073709551615", "9223372036854775807"}},
		{[]string{"run", "quick", "--out", ""}, []string{"--out", "empty"}},
		{[]string{"run", "--resume", ""}, []string{"--resume", "empty"}},
		{[]string{"runs", "--out", ""}, []string{"--out", "empty"}},
		{[]string{"run", "quick", "--resume", ""}, []string{"--resume", "empty"}},
		{[]string{"run", "quick", "--set", "policy.kl=1#x"}, []string{"policy.kl=1#x", "not a number"}},
		{[]string{"run", dir}, []string{dir, "folder, not a file"}},
		{[]string{"grade", dir}, []string{dir, "folder, not a file"}},
		{[]string{"pretrain", "--steps", "1", "--out", dir}, []string{dir, "folder, not a file"}},
		{[]string{"pretrain", "--rate", "inf"}, []string{"--rate"}},
		{[]string{"pretrain", "--steps", "99999999999999999999"}, []string{"--steps 99999999999999999999", "whole number that fits"}},
	} {
		stdout, stderr, code := verge(t, dir, c.args...)
		if code != exitRequest || stdout != "" || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q: exit code %d, standard output %q, standard error %q", c.args, code, stdout, stderr)
		}
		for _, w := range c.want {
			if !strings.Contains(stderr, w) {
				t.Errorf("%q: the message does not name %q: %s", c.args, w, stderr)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "runs")); !errors.Is(err, os.ErrNotExist) {
		t.Error("a wrong request left a folder behind")
	}
}

func TestRunPrintsTheSummaryLastAndIsListed(t *testing.T) {
	dir := t.TempDir()
	stdout, _, code := verge(t, dir, "runs")
	if code != 0 || !strings.Contains(stdout, "verge run quick") {
		t.Errorf("the empty list exits with %d and says %q", code, stdout)
	}
	stdout, stderr, code := verge(t, dir, append([]string{"run", "quick", "--json", "--seed", "9"}, tiny...)...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	var summary struct {
		Run  string
		Seed int
		Arms []struct{ Name string }
	}
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &summary); err != nil {
		t.Fatalf("the last line is no JSON object: %v\n%s", err, stdout)
	}
	if summary.Seed != 9 || len(summary.Arms) != 2 || len(lines) != 1 {
		t.Errorf("summary %+v in %d lines", summary, len(lines))
	}
	stdout, _, code = verge(t, dir, "runs", "--json")
	var list struct{ Runs []map[string]any }
	if err := json.Unmarshal([]byte(stdout), &list); err != nil || code != 0 {
		t.Fatalf("runs --json: exit code %d, %v: %s", code, err, stdout)
	}
	if len(list.Runs) != 1 || list.Runs[0]["run"] != summary.Run || list.Runs[0]["state"] != "done" {
		t.Errorf("listed %v", list.Runs)
	}
	again, _, code := verge(t, dir, "report", summary.Run, "--json")
	if code != 0 || varying.ReplaceAllString(again, "") != varying.ReplaceAllString(lines[0]+"\n", "") {
		t.Errorf("report says (exit code %d)\n%s\nthe run said\n%s", code, again, lines[0])
	}
	if _, stderr, code := verge(t, dir, "report", "nosuch"); code != exitRequest || !strings.Contains(stderr, "nosuch") {
		t.Errorf("a missing run: exit code %d, %s", code, stderr)
	}
	stdout, stderr, code = verge(t, dir, append([]string{"run", "quick", "--pull"}, tiny...)...)
	if !strings.Contains(stderr, "nothing is pulled") {
		t.Errorf("--pull of embedded models is passed over in silence: %s", stderr)
	}
	for _, want := range []string{"base", "propel", "in band", "stored in"} {
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("the table lacks %q (exit code %d):\n%s", want, code, stdout)
		}
	}
}

func TestAnArmThatFailsKeepsTheOthersFigures(t *testing.T) {
	dir := t.TempDir()
	failing := append([]string{"run", "quick"}, tiny...)
	failing = append(failing, "--set", "corpus.proposals=2") // too few for a probe
	stdout, stderr, code := verge(t, dir, append(failing, "--json")...)
	var summary struct {
		Arms []struct {
			Name     string
			Proposed int
		}
	}
	if err := json.Unmarshal([]byte(stdout), &summary); err != nil || code != exitFailed || !strings.Contains(stderr, "corpus.proposals") {
		t.Fatalf("exit code %d, %v: %s%s", code, err, stdout, stderr)
	}
	if len(summary.Arms) != 2 || summary.Arms[0].Name != "base" || summary.Arms[0].Proposed != 60 || summary.Arms[1].Proposed != 0 {
		t.Errorf("summary %+v", summary)
	}
	stdout, stderr, code = verge(t, dir, failing...)
	if code != exitFailed || !strings.Contains(stdout, "FAILED: arm propel") || !strings.Contains(stdout, "in band") || strings.Count(stderr, "corpus.proposals") != 1 {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
}

func TestAnInterruptEndsCleanlyWith130(t *testing.T) {
	dir := t.TempDir()
	c := command0(dir, "run", "quick", "--headless")
	var errs bytes.Buffer
	c.Stderr = &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(dir, "runs", "*", "run.db")
	for found := []string(nil); len(found) == 0; found, _ = filepath.Glob(db) {
		time.Sleep(10 * time.Millisecond)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(errs.String(), "--resume") {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
	stdout, _, _ := verge(t, dir, "runs")
	if !strings.Contains(stdout, "interrupted") {
		t.Errorf("listed as:\n%s", stdout)
	}
}

func TestHelpNamesEveryCommandAndFlagOfUse(t *testing.T) {
	stdout, _, code := verge(t, t.TempDir(), "--help")
	for _, want := range []string{"run ", "sweep", "runs", "profiles", "pretrain", "verge run quick"} {
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("help lacks %q:\n%s", want, stdout)
		}
	}
	for _, args := range [][]string{{"help", "run"}, {"run", "--help"}} {
		stdout, _, code := verge(t, t.TempDir(), args...)
		for _, want := range []string{"verge run PROFILE", "--resume run", "instead of the profile's\n"} { // whose seed is the default
			if code != 0 || !strings.Contains(stdout, want) {
				t.Errorf("%q lacks %q:\n%s", args, want, stdout)
			}
		}
	}
	if stdout, _, code := verge(t, t.TempDir(), "completion", "bash"); code != 0 || !strings.Contains(stdout, "complete ") {
		t.Errorf("the completion of bash: exit code %d, %d bytes", code, len(stdout))
	}
	stdout, _, _ = verge(t, t.TempDir(), "profiles")
	for _, want := range []string{"quick", "propel-math", "reference"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("profiles lacks %q:\n%s", want, stdout)
		}
	}
}

func TestProgressTakesTheFormThatFits(t *testing.T) {
	began := time.Unix(1000, 0)
	r := lab.Reading{Arm: "propel", Stage: "train", Done: 10, Total: 40, Unit: lab.Steps, Tokens: 9000, Began: began, Stages: 3}
	for width, want := range map[int]string{
		100: "propel train         [#####---------------] 10/40 steps  1500 tokens/s  18s left",
		79:  "propel train         10/40 steps  1500 tokens/s  18s left",
		40:  "propel train 10/40",
		5:   "propel train 10/40", // cut when it is drawn
		0:   "propel train         10/40 steps  1500 tokens/s  18s left",
	} {
		if got := runLine(r, began.Add(6*time.Second), width); got != want {
			t.Errorf("width %d: %q, want %q", width, got, want)
		}
	}
}

func TestProgressLine(t *testing.T) {
	began := time.Unix(1000, 0)
	r := lab.Reading{Arm: "propel", Stage: "train", Done: 10, Total: 40, Unit: lab.Steps, Tokens: 9000, Began: began, Stages: 3}
	want := "propel train         [#####---------------] 10/40 steps  1500 tokens/s  18s left"
	if got := progressLine(r, began.Add(6*time.Second), 20); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Done, r.Tokens, r.Arm, r.Stage = 0, 0, "corpus", "corpus"
	if got := progressLine(r, began, 0); got != "corpus               0/40 steps" {
		t.Errorf("%q", got)
	}
}
