package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verge/domains/math/grade"
	"verge/internal/disk"
)

// gradeLimit is how long one pair may take before its grader is killed. The grader bounds its own work; this is the second fence.
const gradeLimit = 5 * time.Second

func gradeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "grade FILE.tsv",
		Short: "Grade a table of gold answers and predictions",
		Long: `Grade judges every row of a table with the columns want, gold and prediction, separated by tabs and
named in its first line:

  want       gold         prediction
  equal      \frac{1}{2}  0.5
  different  3            4

It prints one line a row: the verdict (equal, different or undecided), a tab, and the reason. How many rows
came out as wanted goes to standard error; the exit code is 0 whatever the verdicts are.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return requestError{fmt.Errorf("grade takes one file, got %d arguments", len(args))}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			f, err := disk.Open(args[0])
			if errors.Is(err, fs.ErrNotExist) {
				return requestError{fmt.Errorf("%s: there is no such file", args[0])}
			}
			if err != nil {
				return requestError{err}
			}
			defer f.Close()
			rows, err := grade.Rows(f)
			if err != nil {
				return requestError{err}
			}
			return gradeRows(c.Context(), rows)
		},
	}
}

func gradeRows(ctx context.Context, rows []grade.Row) error {
	g := &grader{ctx: ctx}
	defer g.kill()
	out := bufio.NewWriter(os.Stdout)
	wanted := 0
	for _, row := range rows {
		if err := ctx.Err(); err != nil {
			return errors.Join(err, out.Flush())
		}
		r, err := g.judge(row)
		if err != nil {
			return err
		}
		if r.Verdict == row.Want {
			wanted++
		}
		fmt.Fprintf(out, "%s\t%s\n", r.Verdict, strings.NewReplacer("\t", " ", "\n", " ").Replace(r.Reason))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d of %d as wanted\n", wanted, len(rows))
	return nil
}

// grader is a child process that judges pairs one at a time, so that one that hangs can be killed.
type grader struct {
	ctx     context.Context
	child   *exec.Cmd
	in      io.WriteCloser
	results chan grade.Result // closed when the child ends
}

func (g *grader) judge(row grade.Row) (grade.Result, error) {
	if g.child == nil {
		if err := g.start(); err != nil {
			return grade.Result{}, err
		}
	}
	if err := json.NewEncoder(g.in).Encode([2]string{row.Gold, row.Prediction}); err != nil {
		g.kill()
		return grade.Result{Verdict: grade.Undecided, Reason: "the grader ended before this pair"}, nil
	}
	select {
	case r, ok := <-g.results:
		if ok {
			return r, nil
		}
		g.kill()
		return grade.Result{Verdict: grade.Undecided, Reason: "the grader ended on this pair"}, nil
	case <-time.After(gradeLimit):
		g.kill()
		return grade.Result{Verdict: grade.Undecided, Reason: fmt.Sprintf("not settled within %s", gradeLimit)}, nil
	case <-g.ctx.Done():
		return grade.Result{}, g.ctx.Err()
	}
}

func (g *grader) start() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	g.child = exec.Command(self, graderCommandName)
	g.child.Env = os.Environ()
	if g.in, err = g.child.StdinPipe(); err != nil {
		return err
	}
	out, err := g.child.StdoutPipe()
	if err != nil {
		return err
	}
	if err := g.child.Start(); err != nil {
		return err
	}
	results := make(chan grade.Result)
	g.results = results
	go func() {
		defer close(results)
		for in := json.NewDecoder(out); ; {
			var r grade.Result
			if in.Decode(&r) != nil {
				return
			}
			results <- r
		}
	}()
	return nil
}

func (g *grader) kill() {
	if g.child == nil {
		return
	}
	g.child.Process.Kill()
	for range g.results {
	}
	g.child.Wait()
	g.child = nil
}

const graderCommandName = "grader"

// graderCommand is the child: pairs as JSON on standard input, results on standard output.
func graderCommand() *cobra.Command {
	return &cobra.Command{
		Use:    graderCommandName,
		Hidden: true,
		Args:   noArguments,
		RunE: func(*cobra.Command, []string) error {
			in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
			for {
				var pair [2]string
				if err := in.Decode(&pair); errors.Is(err, io.EOF) {
					return nil
				} else if err != nil {
					return err
				}
				if err := out.Encode(grade.Judge(pair[0], pair[1])); err != nil {
					return err
				}
			}
		},
	}
}
