package grade

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// header names the columns of a table.
const header = "want\tgold\tprediction"

// TableError is a fault of a table, at a line counted from 1.
type TableError struct {
	File    string // the reader's name, or "table" where it has none
	Line    int
	Problem string
}

func (e *TableError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem) }

// Row is one line of a table: a pair of answers and the verdict that is expected.
type Row struct {
	Line             int
	Want             Verdict
	Gold, Prediction string
}

// Rows reads a table of tab-separated columns want, gold, prediction, with these names in its first line. Nothing is quoted or escaped, so
// that LaTeX stands as it is. Empty lines are passed over. A fault is a *TableError.
func Rows(r io.Reader) ([]Row, error) {
	file := "table"
	if named, ok := r.(interface{ Name() string }); ok {
		file = named.Name()
	}
	fault := func(line int, format string, args ...any) error {
		return &TableError{file, line, fmt.Sprintf(format, args...)}
	}
	in := bufio.NewReader(r)
	var rows []Row
	for line := 1; ; line++ {
		text, err := in.ReadString('\n')
		if err != nil && err != io.EOF {
			return nil, fault(line, "%v", err)
		}
		last := err == io.EOF
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
		switch {
		case line == 1:
			if text = strings.TrimPrefix(text, "\ufeff"); text != header {
				return nil, fault(line, "the header is %q: it has to be want, gold, prediction with tabs between them", text)
			}
		case text != "":
			columns := strings.Split(text, "\t")
			if len(columns) != 3 {
				return nil, fault(line, "%d columns: want, gold and prediction need two tabs between them", len(columns))
			}
			row := Row{line, Verdict(columns[0]), columns[1], columns[2]}
			if row.Want != Equal && row.Want != Different && row.Want != Undecided {
				return nil, fault(line, "want is %q: it has to be equal, different or undecided", columns[0])
			}
			rows = append(rows, row)
		}
		if last {
			return rows, nil
		}
	}
}

// Table judges every row of a table, as Rows reads it, and writes one line for each: the verdict, a tab, and the reason. It writes nothing
// where the table has a fault.
func Table(r io.Reader, w io.Writer) error {
	rows, err := Rows(r)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	for _, row := range rows {
		result := Judge(row.Gold, row.Prediction)
		fmt.Fprintf(out, "%s\t%s\n", result.Verdict, strings.NewReplacer("\t", " ", "\n", " ").Replace(result.Reason))
	}
	return out.Flush()
}
