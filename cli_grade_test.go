package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGradePrintsAVerdictARow(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "pairs.tsv")
	rows := []string{"want\tgold\tprediction", `equal	\frac12	0.5`, "different\t5\t55", "different\t5^(5^(5^5))\t5", "different\t7\t7"}
	if err := os.WriteFile(file, []byte(strings.Join(rows, "\r\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := verge(t, dir, "grade", file)
	if !strings.HasPrefix(stderr, "3 of 4 as wanted; not that of line 5\n") {
		t.Errorf("standard error %q", stderr)
	}
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if code != 0 || len(lines) != 4 {
		t.Fatalf("exit code %d, %d lines: %s%s", code, len(lines), stdout, stderr)
	}
	for i, want := range []string{"equal\t", "different\t", "", "equal\t"} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("row %d: %q, want %q", i+1, lines[i], want)
		}
	}
	if err := os.WriteFile(file, []byte("gold\tprediction\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, code := verge(t, dir, "grade", file); code != exitRequest || stdout != "" || !strings.Contains(stderr, file+":1:") {
		t.Errorf("a bad header: exit code %d, %q, %q", code, stdout, stderr)
	}
	if _, stderr, code := verge(t, dir, "grade", "nosuch.tsv"); code != exitRequest || !strings.Contains(stderr, "nosuch.tsv") {
		t.Errorf("a missing file: exit code %d, %q", code, stderr)
	}
}

func TestGradeNamesTheLinesThatAreNoRowsAndJudgesTheOthers(t *testing.T) {
	dir := t.TempDir()
	rows := "want\tgold\tprediction\nequal\t7\t7\nequal\t7\n\nequal\t7\t8\nequal\t\xff\t\xfe\nsame\t7\t7\x1b[1m\n"
	if err := os.WriteFile(filepath.Join(dir, "pairs.tsv"), []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := verge(t, dir, "grade", "pairs.tsv")
	if code != exitRequest {
		t.Errorf("exit code %d", code)
	}
	var verdicts []string
	for line := range strings.Lines(stdout) {
		verdict, reason, _ := strings.Cut(line, "\t")
		verdicts = append(verdicts, verdict)
		if strings.TrimSpace(reason) == "" || strings.ContainsAny(reason, "\t\x1b") {
			t.Errorf("the line %q", line)
		}
	}
	// Two bytes that are no text are two texts.
	if got, want := strings.Join(verdicts, " "), "equal undecided different undecided undecided"; got != want {
		t.Errorf("verdicts %s, want %s:\n%s", got, want, stdout)
	}
	for _, want := range []string{"pairs.tsv:3: 2 columns", `pairs.tsv:7: want is "same"`, "1 of 3 as wanted; not those of lines 5, 6\n", "2 of 5 lines are no rows"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("standard error lacks %q:\n%s", want, stderr)
		}
	}
}
