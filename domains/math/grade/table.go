package grade

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// header names the columns of a table.
const header = "want\tgold\tprediction"

// maxLine is how many bytes of a table's line are read: answers are far shorter.
const maxLine = 64 << 10

// TableError is a fault of a table, at a line counted from 1. One of the first line means that the text is no table.
type TableError struct {
	File    string
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

// Rows reads a table of tab-separated columns want, gold, prediction, with these names in its first line; file is how faults name it. Nothing
// is quoted or escaped, so that LaTeX stands as it is. Empty lines are passed over. A line that is no row yields a *TableError, and the next
// line after it; a first line that names other columns, and text that cannot be read on, yield an error that is the last.
func Rows(file string, r io.Reader) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		in := bufio.NewReader(r)
		for line := 1; ; line++ {
			text, err := readLine(in)
			if err == io.EOF && line > 1 {
				return
			}
			if err != nil && err != io.EOF && err != errLong {
				yield(Row{}, fmt.Errorf("%s:%d: %w", file, line, err))
				return
			}
			var row Row
			problem := ""
			switch {
			case line == 1:
				problem = checkHeader(text)
			case err == errLong:
				problem = fmt.Sprintf("longer than %d bytes: want, gold and prediction are on a line of their own for each pair", maxLine)
			case text == "":
				continue
			default:
				row, problem = parseRow(line, text)
			}
			switch {
			case problem != "":
				if !yield(Row{}, &TableError{file, line, problem}) || line == 1 {
					return
				}
			case line > 1 && !yield(row, nil):
				return
			}
		}
	}
}

var errLong = errors.New("a line is too long")

// readLine reads a line, without its end. Of one that is longer than maxLine it gives the beginning and errLong; the error of a text that is
// at its end is io.EOF.
func readLine(in *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part[:min(len(part), maxLine+len("\r\n")+1-len(line))]...)
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(line) == 0, err != nil && err != io.EOF:
			return "", err
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if len(line) > maxLine {
			return string(line[:maxLine]), errLong
		}
		return string(line), nil
	}
}

// checkHeader says what is wrong with a first line, or "".
func checkHeader(text string) string {
	const shown = 80
	switch text = strings.TrimPrefix(text, "\ufeff"); {
	case text == header:
		return ""
	case text == "":
		return "the first line is empty: it has to name the columns want, gold, prediction with tabs between them"
	case strings.HasPrefix(text, "\xff\xfe"), strings.HasPrefix(text, "\xfe\xff"):
		return "the text is UTF-16: save it as UTF-8"
	case len(text) > shown:
		text = strings.ToValidUTF8(text[:shown], "") + "…"
	}
	return fmt.Sprintf("the first line is %q: it has to name the columns want, gold, prediction with tabs between them", text)
}

// parseRow reads a line after the first, or says what is wrong with it.
func parseRow(line int, text string) (row Row, problem string) {
	columns := strings.Split(text, "\t")
	if len(columns) == 1 {
		return Row{}, "1 column: want, gold and prediction need two tabs between them"
	}
	if len(columns) != 3 {
		return Row{}, fmt.Sprintf("%d columns: want, gold and prediction need two tabs between them", len(columns))
	}
	row = Row{line, Verdict(columns[0]), columns[1], columns[2]}
	if row.Want != Equal && row.Want != Different && row.Want != Undecided {
		return Row{}, fmt.Sprintf("want is %q: it has to be equal, different or undecided", columns[0])
	}
	return row, ""
}
