package grade

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// read is what Rows yields of a text: rows, and errors as they are worded.
func read(in io.Reader) (rows []Row, faults []string, last error) {
	for row, err := range Rows("t.tsv", in) {
		if last = err; err != nil {
			faults = append(faults, err.Error())
			continue
		}
		rows = append(rows, row)
	}
	return rows, faults, last
}

func TestRows(t *testing.T) {
	want := []Row{{2, Equal, `\frac12`, `"0.5"`}, {4, Different, "5", ""}, {5, Undecided, " 1,\x00 ", "é\xff"}}
	const in = "\ufeffwant\tgold\tprediction\r\nequal\t\\frac12\t\"0.5\"\r\n\r\ndifferent\t5\t\nundecided\t 1,\x00 \té\xff"
	for _, end := range []string{"", "\n", "\r\n", "\n\n\n"} {
		for name, r := range map[string]io.Reader{"at once": strings.NewReader(in + end), "byte by byte": iotest.OneByteReader(strings.NewReader(in + end))} {
			if rows, faults, _ := read(r); !slices.Equal(rows, want) || len(faults) > 0 {
				t.Errorf("%s, with %q at its end: rows %+v, faults %q", name, end, rows, faults)
			}
		}
	}
	if rows, faults, _ := read(strings.NewReader("want\tgold\tprediction")); len(rows)+len(faults) != 0 {
		t.Errorf("a table without rows: %v, %q", rows, faults)
	}
}

func TestALineThatIsNoRowIsNamedAndTheOthersRead(t *testing.T) {
	long := strings.Repeat("x", 3*maxLine)
	in := strings.Join([]string{"want\tgold\tprediction", "equal\t5", "equal\t5\t5", "", "equal\t5\t5\t", "yes\t5\t5", "equal", "equal\t" + long + "\t5", "Equal\t5\t5", "different\t5\t6"}, "\n")
	rows, faults, last := read(strings.NewReader(in))
	if len(rows) != 2 || rows[0].Line != 3 || rows[1].Line != 10 || last != nil {
		t.Errorf("rows %+v, the last error is %v", rows, last)
	}
	want := []string{
		"t.tsv:2: 2 columns: want, gold and prediction need two tabs between them",
		"t.tsv:5: 4 columns: want, gold and prediction need two tabs between them",
		`t.tsv:6: want is "yes": it has to be equal, different or undecided`,
		"t.tsv:7: 1 column: want, gold and prediction need two tabs between them",
		"t.tsv:8: longer than 65536 bytes: want, gold and prediction are on a line of their own for each pair",
		`t.tsv:9: want is "Equal": it has to be equal, different or undecided`,
	}
	if !slices.Equal(faults, want) {
		t.Errorf("faults\n%s\nwant\n%s", strings.Join(faults, "\n"), strings.Join(want, "\n"))
	}
}

func TestTheLongestLineIsReadWhole(t *testing.T) {
	for _, end := range []string{"", "\n", "\r\n"} {
		for more := range 3 {
			line := "equal\t5\t" + strings.Repeat("5", maxLine-len("equal\t5\t")+more)
			rows, faults, _ := read(strings.NewReader("want\tgold\tprediction\n" + line + end))
			if (more == 0) != (len(rows) == 1) || (more == 0) != (len(faults) == 0) {
				t.Errorf("%d bytes more than the longest, with %q at the end: %d rows, %d faults", more, end, len(rows), len(faults))
			}
		}
	}
}

func TestATextThatIsNoTableIsReadNoFurther(t *testing.T) {
	for in, want := range map[string]string{
		"":                                  "t.tsv:1: the first line is empty",
		"\n\nwant\tgold\tprediction\n":      "t.tsv:1: the first line is empty",
		"gold\tprediction\nequal\t5\t5\n":   `t.tsv:1: the first line is "gold\tprediction": it has to name the columns want, gold, prediction`,
		"want,gold,prediction\n":            "t.tsv:1: the first line is",
		"\xff\xfew\x00a\x00n\x00t\x00":      "t.tsv:1: the text is UTF-16",
		strings.Repeat("é", maxLine) + "\n": "…\": it has to name",
	} {
		rows, faults, last := read(strings.NewReader(in))
		var fault *TableError
		if !errors.As(last, &fault) || fault.Line != 1 || len(rows) != 0 || len(faults) != 1 || !strings.Contains(faults[0], want) || len(faults[0]) > 300 {
			t.Errorf("%.40q: rows %v, faults %q, want %q", in, rows, faults, want)
		}
	}
	broken := errors.New("the disk is gone")
	in := io.MultiReader(strings.NewReader("want\tgold\tprediction\nequal\t5\t5\nequal\t6"), iotest.ErrReader(broken))
	if rows, faults, last := read(in); len(rows) != 1 || len(faults) != 1 || !errors.Is(last, broken) || !strings.HasPrefix(faults[0], "t.tsv:3: ") {
		t.Errorf("a text that cannot be read on: rows %v, faults %q", rows, faults)
	}
}

// Every line after a good first one is a row, a fault or empty, and each is told once, in order.
func FuzzRows(f *testing.F) {
	for _, rest := range []string{"", "\n", "equal\t1\t1", "\r\n\r", "equal\t\x00\t\xff\nundecided\t\t\n\t\t\t\n\"\"\n"} {
		f.Add(rest)
	}
	f.Fuzz(func(t *testing.T, rest string) {
		lines := 0
		for line := range strings.Lines(rest) {
			if text := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"); text != "" {
				lines++
			}
		}
		last := 1
		for row, err := range Rows("t.tsv", strings.NewReader(header+"\n"+rest)) {
			at := row.Line
			if fault := new(TableError); errors.As(err, &fault) {
				at = fault.Line
			} else if err != nil || row.Want == "" || strings.ContainsAny(row.Gold+row.Prediction, "\t\n") {
				t.Fatalf("row %+v, error %v", row, err)
			}
			if at <= last {
				t.Fatalf("line %d comes after line %d", at, last)
			}
			last = at
			lines--
		}
		if lines != 0 {
			t.Fatalf("%d lines more than rows and faults", lines)
		}
	})
}
