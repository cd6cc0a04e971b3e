package grade

import (
	"os"
	"path/filepath"
	"testing"
)

// tables reads all pairs in testdata.
func tables(t testing.TB) map[string][]Row {
	t.Helper()
	files, err := filepath.Glob("testdata/*_pairs.tsv")
	if err != nil || len(files) < 2 {
		t.Fatalf("tables in testdata: %v, %v", files, err)
	}
	all := map[string][]Row{}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		for row, err := range Rows(file, f) {
			if err != nil {
				t.Fatal(err)
			}
			all[file] = append(all[file], row)
		}
		f.Close()
	}
	return all
}

func TestPairs(t *testing.T) {
	for file, rows := range tables(t) {
		for _, row := range rows {
			if got := Judge(row.Gold, row.Prediction); got.Verdict != row.Want {
				t.Errorf("%s:%d: gold %s, prediction %s: %s (%s), want %s", file, row.Line, row.Gold, row.Prediction, got.Verdict, got.Reason, row.Want)
			}
		}
	}
}

func TestEveryAnswerEqualsItself(t *testing.T) {
	for file, rows := range tables(t) {
		for _, row := range rows {
			if got := Judge(row.Gold, row.Gold); row.Gold != "" && got.Verdict != Equal {
				t.Errorf("%s:%d: gold %s against itself: %s (%s)", file, row.Line, row.Gold, got.Verdict, got.Reason)
			}
			if got := Judge(row.Prediction, row.Prediction); got.Verdict == Different {
				t.Errorf("%s:%d: prediction %s against itself: %s", file, row.Line, row.Prediction, got.Reason)
			}
		}
	}
}
