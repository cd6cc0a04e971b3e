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
	rows := []string{"want\tgold\tprediction", `equal	\frac12	0.5`, "different\t5\t55", "different\t5^(5^(5^5))\t5", "equal\t7\t7"}
	if err := os.WriteFile(file, []byte(strings.Join(rows, "\r\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := verge(t, dir, "grade", file)
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
