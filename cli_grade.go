package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"verge/domains/math/grade"
	"verge/internal/disk"
)

func gradeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "grade FILE.tsv",
		Short: "Grade a table of gold answers and predictions",
		Long: `Grade judges every row of a table with the columns want, gold and prediction, separated by tabs and
named in its first line:

  want       gold         prediction
  equal      \frac{1}{2}  0.5
  different  3            4

It prints one line a row: the verdict (equal, different or undecided), a tab, and the reason. A line that is
no row of the table is undecided, and is named on standard error with what is wrong with it; so is, at the
end, how many rows came out as wanted, and which did not. FILE may be a pipe; - is standard input.

The exit code is 0 whatever the verdicts are, and 2 where the text is no such table or a line of it no row.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return requestError{fmt.Errorf("grade takes one file, %s; write - for standard input", got(args))}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return gradeTable(c.Context(), args[0], os.Stdout, os.Stderr)
		},
	}
}

// openTable opens a table to read. A pipe is opened here alone: its writer may take its time.
func openTable(path string) (in io.ReadCloser, name string, err error) {
	if path == "-" {
		return os.Stdin, "standard input", nil
	}
	if info, err := os.Stat(path); err == nil && (info.Mode()&fs.ModeNamedPipe != 0 || isStandardInput(info)) {
		in, err := os.Open(path)
		return in, path, err
	}
	in, err = disk.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s: there is no such file", path)
	}
	return in, path, err
}

func isStandardInput(info fs.FileInfo) bool {
	own, err := os.Stdin.Stat()
	return err == nil && os.SameFile(info, own)
}

// tableRow is a row of a table, or what is wrong with a line that is none, or with the table.
type tableRow struct {
	grade.Row
	err error
}

// readTable yields a table's rows; one that waits for a pipe's writer does not keep the process from ending.
func readTable(path string) <-chan tableRow {
	rows := make(chan tableRow)
	go func() {
		defer close(rows)
		in, name, err := openTable(path)
		if err != nil {
			rows <- tableRow{err: err}
			return
		}
		defer in.Close()
		for row, err := range grade.Rows(name, in) {
			rows <- tableRow{row, err}
		}
	}()
	return rows
}

// gradeTable judges a table's rows as they come in.
func gradeTable(ctx context.Context, path string, out io.Writer, notes *os.File) error {
	g := &grader{ctx: ctx}
	defer g.kill()
	var t tally
	rows := readTable(path)
	for {
		var row tableRow
		open := true
		select {
		case <-ctx.Done():
			return ctx.Err()
		case row, open = <-rows:
		}
		if !open {
			return t.say(notes)
		}
		r := grade.Result{Verdict: grade.Undecided}
		var fault *grade.TableError
		switch {
		case errors.As(row.err, &fault) && fault.Line > 1:
			fmt.Fprintln(notes, folded(notes, "verge: "+printable(fault.Error())))
			t.faults++
			r.Reason = fmt.Sprintf("line %d is no row: %s", fault.Line, fault.Problem)
		case row.err != nil:
			return requestError{row.err}
		default:
			var err error
			if r, err = g.judge(row.Row); err != nil {
				return err
			}
			t.add(row.Row, r)
		}
		if _, err := fmt.Fprintf(out, "%s\t%s\n", r.Verdict, strings.NewReplacer("\t", " ", "\n", " ").Replace(printable(r.Reason))); err != nil {
			return err
		}
	}
}

// tally is how a table's rows came out.
type tally struct {
	judged, wanted int
	others         []int // lines of the rows that did not come out as wanted
	faults         int   // lines that are no rows
}

func (t *tally) add(row grade.Row, r grade.Result) {
	t.judged++
	if r.Verdict == row.Want {
		t.wanted++
		return
	}
	t.others = append(t.others, row.Line)
}

// say words the tally; its error is that of a table with lines that are no rows.
func (t *tally) say(notes *os.File) error {
	text := fmt.Sprintf("%d of %d as wanted", t.wanted, t.judged)
	if len(t.others) > 0 {
		const most = 20
		lines := strings.Trim(strings.ReplaceAll(fmt.Sprint(t.others[:min(most, len(t.others))]), " ", ", "), "[]")
		if len(t.others) > most {
			lines += ", …"
		}
		of := "that of line "
		if len(t.others) > 1 {
			of = "those of lines "
		}
		text += "; not " + of + lines
	}
	fmt.Fprintln(notes, folded(notes, text))
	if t.faults > 0 {
		return requestError{fmt.Errorf("%d of %d lines are no rows of the table; they are named above", t.faults, t.faults+t.judged)}
	}
	return nil
}
