package grade

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	in := "want\tgold\tprediction\r\nequal\t\\frac12\t0.5\r\n\r\ndifferent\t5\t\r\nundecided\t1,\\ldots,9\t1\r\n"
	var out bytes.Buffer
	if err := Table(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("3 rows, but the output is %q", out.String())
	}
	for i, want := range []Verdict{Equal, Different, Undecided} {
		verdict, reason, ok := strings.Cut(lines[i], "\t")
		if !ok || Verdict(verdict) != want || reason == "" || strings.Contains(reason, "\t") {
			t.Errorf("line %d is %q, want %s, a tab and a reason", i+1, lines[i], want)
		}
	}
}

func TestTableFaults(t *testing.T) {
	for in, want := range map[string]string{
		"":                                     `table:1: the header is ""`,
		"gold\tprediction\n":                   `table:1: the header is`,
		"want\tgold\tprediction\nequal\t5\n":   "table:2: 2 columns",
		"want\tgold\tprediction\n\nyes\t5\t5":  `table:3: want is "yes"`,
		"want\tgold\tprediction\n=\t5\t5\t6\n": "table:2: 4 columns",
	} {
		var out bytes.Buffer
		err := Table(strings.NewReader(in), &out)
		var fault *TableError
		if !errors.As(err, &fault) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Table(%q): %v, want %s", in, err, want)
		}
		if out.Len() > 0 {
			t.Errorf("Table(%q) wrote %q", in, out.String())
		}
	}
}

func TestTableFaultNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pairs.tsv")
	if err := os.WriteFile(path, []byte("want,gold,prediction\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := Table(f, new(bytes.Buffer)); err == nil || !strings.HasPrefix(err.Error(), path+":1: ") {
		t.Errorf("the fault %v does not begin with %s:1:", err, path)
	}
}
